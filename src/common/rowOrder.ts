// The rows of a transcript in order. A rewinding takes the last ones out; they can come back until the next prompt.

interface Cut {
  readonly at: number;
  readonly ids: readonly string[];
  /** The row that tells of the rewinding, at `at` until it is taken back. */
  readonly told: string;
}

/** Held state: ids, each once. */
export class RowOrder {
  readonly ids: string[] = [];
  private readonly out = new Set<string>();
  private cuts: Cut[] = [];

  /** Taken out, and not back yet. */
  isOut(id: string): boolean {
    return this.out.has(id);
  }

  add(id: string): void {
    this.ids.push(id);
  }

  /** Takes out the row `from` and all after it, and puts `told` there. Undefined when there is no such row. */
  cut(from: string, told: string): readonly string[] | undefined {
    const at = this.ids.lastIndexOf(from);
    if (at < 0) return undefined;
    const ids = this.ids.splice(at);
    this.cuts.push({ at, ids, told });
    for (const id of ids) this.out.add(id);
    this.ids.push(told);
    return ids;
  }

  /** Puts the rows of the latest cut back; those that came since follow them. Answers the row that told of it. */
  putBack(): string | undefined {
    const cut = this.cuts.pop();
    if (!cut) return undefined;
    const since = this.ids.splice(cut.at).filter((id) => id !== cut.told);
    for (const id of cut.ids) {
      this.out.delete(id);
      this.ids.push(id);
    }
    for (const id of since) this.ids.push(id);
    return cut.told;
  }

  /** What is out stays out. Answers those rows, and those that told of it and are still here. */
  settle(): { readonly gone: readonly string[]; readonly told: readonly string[] } {
    const gone = this.cuts.flatMap(({ ids }) => ids);
    const told = this.cuts.flatMap(({ told: id }) => (this.out.has(id) ? [] : id));
    this.cuts = [];
    this.out.clear();
    return { gone, told };
  }
}
