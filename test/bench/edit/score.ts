// Runs the cascade over cases and counts what came of them.
import { planEdit } from '../../../src/core/edit/plan';
import { percentile } from '../measure';
import { wholeCase, type EditCase } from './cases';
import { verdictOf, type Verdict } from './verdict';

export interface Outcome {
  readonly id: string;
  readonly kind: string;
  readonly expect: EditCase['expect'];
  readonly verdict: Verdict;
  readonly ms: number;
  readonly lines: number;
  readonly isHuge: boolean;
}

export interface KindScore {
  readonly expect: EditCase['expect'];
  readonly cases: number;
  readonly correct: number;
  readonly cosmetic: number;
  readonly refused: number;
  readonly wrong: number;
}

/** Percentages of the cases that have to be applied, may be merged, have to be refused; `wrongPercent` of all. */
export interface Total {
  readonly cases: number;
  readonly correctApplyPercent: number;
  readonly cosmeticPercent: number;
  readonly refusedApplyPercent: number;
  readonly wrongApplyPercent: number;
  readonly mergedPercent: number;
  readonly eitherWrongPercent: number;
  readonly wrongPercent: number;
  readonly refuseWrongPercent: number;
  /** Of files of 300 to 800 lines. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of files of 50,000 lines. */
  readonly hugeP99Ms: number;
}

export interface Score {
  readonly total: Total;
  readonly byKind: Readonly<Record<string, KindScore>>;
}

export function runCase(edit: EditCase): Outcome {
  const whole = wholeCase(edit);
  const { content } = whole;
  // A text put together from pieces is one only when it is first read, as that of a file is.
  content.charCodeAt(content.length - 1);
  const { oldString, newString, replaceAll = false } = edit;
  const startedMs = performance.now();
  const planned = planEdit(pathOf(edit), content, [{ oldString, newString, replaceAll }]);
  const ms = performance.now() - startedMs;
  return {
    id: edit.id,
    kind: edit.kind,
    expect: edit.expect,
    verdict: verdictOf(edit, whole, planned.ok ? planned.text : undefined),
    ms,
    lines: content.split('\n').length,
    isHuge: edit.huge !== undefined,
  };
}

function pathOf({ src }: EditCase): string {
  return src.slice(src.indexOf(':') + 1);
}

const USUAL_LINES = { min: 300, max: 800 };

export function scoreOf(outcomes: readonly Outcome[]): Score {
  const expected = (expect: EditCase['expect']) => outcomes.filter((outcome) => outcome.expect === expect);
  const [apply, either, refuse] = [expected('apply'), expected('either'), expected('refuse')];
  const msOf = (chosen: readonly Outcome[]) => chosen.map(({ ms }) => ms);
  const usual = msOf(
    outcomes.filter(({ isHuge, lines }) => !isHuge && lines >= USUAL_LINES.min && lines <= USUAL_LINES.max),
  );
  return {
    total: {
      cases: outcomes.length,
      correctApplyPercent: percentOf(apply, 'correct'),
      cosmeticPercent: percentOf(apply, 'cosmetic'),
      refusedApplyPercent: percentOf(apply, 'refused'),
      wrongApplyPercent: percentOf(apply, 'wrong'),
      mergedPercent: percentOf(either, 'correct'),
      eitherWrongPercent: percentOf(either, 'wrong'),
      wrongPercent: percentOf(outcomes, 'wrong'),
      // Where nothing may land, good looks do not help.
      refuseWrongPercent: percentOf(refuse, 'wrong', 'cosmetic'),
      p50Ms: percentile(usual, 0.5),
      p99Ms: percentile(usual, 0.99),
      hugeP99Ms: percentile(msOf(outcomes.filter(({ isHuge }) => isHuge)), 0.99),
    },
    byKind: Object.fromEntries([...new Set(outcomes.map(({ kind }) => kind))].map((kind) => [kind, scoreKind(kind)])),
  };

  function scoreKind(kind: string): KindScore {
    const chosen = outcomes.filter((outcome) => outcome.kind === kind);
    const count = (verdict: Verdict) => chosen.filter((outcome) => outcome.verdict === verdict).length;
    return {
      expect: chosen[0]?.expect ?? 'either',
      cases: chosen.length,
      correct: count('correct'),
      cosmetic: count('cosmetic'),
      refused: count('refused'),
      wrong: count('wrong'),
    };
  }
}

function percentOf(outcomes: readonly Outcome[], ...verdicts: readonly Verdict[]): number {
  if (outcomes.length === 0) return 0;
  const percent = (100 * outcomes.filter(({ verdict }) => verdicts.includes(verdict)).length) / outcomes.length;
  return Math.round(percent * 100) / 100;
}
