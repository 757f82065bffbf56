// An experiment, off by default: takes out of a long log what tells nothing, and never a line that looks like a failure [B07].
import type { OutputKind } from './commandKind';

/** Shorter outputs are left alone. */
export const COMPRESS_MIN_CHARS = 30_000;
const HEAD_LINES = 40;
const TAIL_LINES = 60;
/** Runs of equal lines longer than this become one line and a count. */
const RUN_MAX = 2;
/** What is more than this after compression is not worth it: the output is shortened like any other. */
const KEPT_MAX_CHARS = 200_000;

const FAILURE =
  /error|\berr\b|fail|fatal|panic|exception|traceback|assert|cannot|could not|unable|not ok|not found|undefined|segmentation|abort|denied|refused|unresolved|killed|timed? ?out|expected|[✗✘✖×]|^E\s/i;

export function looksLikeFailure(line: string): boolean {
  return FAILURE.test(line);
}

/** Undefined where nothing is taken out by kind, or where too much would be left. */
export async function compressOutput(
  lines: AsyncIterable<string>,
  kind: OutputKind,
  call: string,
): Promise<string | undefined> {
  if (kind !== 'log' && kind !== 'search') return undefined;
  const kept = new KeptLines(call);
  const log = new LogEnds(kept);
  const runs = new EqualRuns((line) => (kind === 'log' ? log.push(line) : kept.push(line)));
  for await (const line of lines) {
    runs.push(line);
    if (kept.chars > KEPT_MAX_CHARS) return undefined;
  }
  runs.end();
  log.end();
  return kept.chars > KEPT_MAX_CHARS ? undefined : kept.text();
}

/** Held state of one compression: what is left of it so far. */
class KeptLines {
  chars = 0;
  private readonly lines: string[] = [];
  private dropped = 0;

  constructor(private readonly call: string) {}

  push(line: string): void {
    if (this.dropped > 0) this.add(this.marker());
    this.dropped = 0;
    this.add(line);
  }

  drop(): void {
    this.dropped++;
  }

  text(): string {
    return `${this.lines.join('\n')}\n`;
  }

  private add(line: string): void {
    this.lines.push(line);
    this.chars += line.length + 1;
  }

  private marker(): string {
    return `[... ${this.dropped} lines without a failure left out; read them with the tool output, id ${JSON.stringify(this.call)} ...]`;
  }
}

/** Passes lines on, of a long run of equal ones the first and how many more there are. */
class EqualRuns {
  private line: string | undefined;
  private count = 0;

  constructor(private readonly pass: (line: string) => void) {}

  push(line: string): void {
    if (line === this.line) {
      this.count++;
      return;
    }
    this.end();
    this.line = line;
    this.count = 1;
  }

  end(): void {
    const { line, count } = this;
    if (line === undefined) return;
    if (count <= RUN_MAX) for (let at = 0; at < count; at++) this.pass(line);
    else {
      this.pass(line);
      this.pass(`[the line above ${count - 1} more times]`);
    }
    this.line = undefined;
  }
}

/** The first lines, the last ones, and between them those that look like a failure, each with one line around. */
class LogEnds {
  private headLeft = HEAD_LINES;
  private tail: string[] = [];
  private isAfterFailure = false;

  constructor(private readonly kept: KeptLines) {}

  push(line: string): void {
    if (this.headLeft > 0) {
      this.headLeft--;
      this.isAfterFailure = looksLikeFailure(line);
      this.kept.push(line);
      return;
    }
    this.tail.push(line);
    if (this.tail.length > TAIL_LINES) this.judge(this.tail.shift() ?? '', this.tail[0] ?? '');
  }

  end(): void {
    for (const line of this.tail) this.kept.push(line);
    this.tail = [];
  }

  private judge(line: string, next: string): void {
    const isFailure = looksLikeFailure(line);
    if (isFailure || this.isAfterFailure || looksLikeFailure(next)) this.kept.push(line);
    else this.kept.drop();
    this.isAfterFailure = isFailure;
  }
}
