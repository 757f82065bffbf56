// What holds for all modes, targets and rules: nothing is written where only reading is allowed, and what narrows never widens.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MODES, type Mode } from '../../../../src/common/modes';
import type { ToolKind } from '../../../../src/common/events';
import { onlyReads, type CommandLine } from '../../../../src/core/command/types';
import type { Platform } from '../../../../src/core/host';
import { decide, type DecisionInput } from '../../../../src/core/permission/decide';
import { decideUnder, narrowMode, nestProfile, PROFILES } from '../../../../src/core/permission/profiles';
import { parseRule, type LocatedTarget } from '../../../../src/core/permission/rules';
import type { Effect, Verdict } from '../../../../src/core/permission/types';
import { line, simple } from '../../../support/commandLine';

const PLATFORM: Platform = { os: 'linux', homeDir: '/home/dev', foldsCase: false, timeZone: 'UTC' };
const ROOT = { name: 'proj', path: '/w/proj' };

function place(path: string) {
  const isInside = path === ROOT.path || path.startsWith(`${ROOT.path}/`);
  const places = isInside ? [path.slice(ROOT.path.length + 1) || '.'] : [];
  return { path, real: path, shown: path, places, ...(isInside ? { root: ROOT } : {}) };
}

const PATHS = [
  '/w/proj/src/a.ts',
  '/w/proj/.env',
  '/w/proj/.vscode/settings.json',
  '/w/proj/package.json',
  '/etc/hosts',
];
const TEXTS = ['ls', 'rm x', 'git push', 'npm test', 'sudo rm x'];

const commandLine: fc.Arbitrary<CommandLine> = fc
  .record({
    texts: fc.array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 3 }),
    reads: fc.boolean(),
    isRisky: fc.boolean(),
    isExact: fc.boolean(),
    doubts: fc.constantFrom<readonly string[]>([], ['It holds a variable']),
    critical: fc.constantFrom(undefined, undefined, 'It removes everything'),
  })
  .map(({ texts, reads, isRisky, isExact, doubts, critical }) => {
    const more = {
      readsOnly: reads && !isRisky,
      ...(isRisky ? { risks: ['Reaches the network'] } : {}),
      ...(isExact ? { onlyExact: 'It runs another program' } : {}),
    };
    return line(
      texts.map((text) => simple(text, more)),
      { doubts, ...(critical === undefined ? {} : { critical }) },
    );
  });

const target: fc.Arbitrary<LocatedTarget> = fc.oneof(
  fc
    .record({ op: fc.constantFrom('read', 'write', 'delete'), path: fc.constantFrom(...PATHS) })
    .map(({ op, path }): LocatedTarget => ({ op, path, located: place(path) })),
  fc.record({ of: commandLine, cwd: fc.constantFrom('/w/proj', '/etc') }).map(({ of, cwd }): LocatedTarget => ({
    ...{ op: 'execute', command: of.commands.map(({ text }) => text).join('; '), cwd, located: place(cwd) },
    line: of,
  })),
  fc.constant<LocatedTarget>({ op: 'fetch', url: 'https://example.com/x' }),
  fc.constant<LocatedTarget>({ op: 'use', name: 'mcp__a__b' }),
);

const RULES = [
  'edit(**)',
  'read(//etc/*)',
  'shell(rm:*)',
  'shell(npm test)',
  'shell(ls)',
  'shell',
  'edit',
  'web',
  'other',
];
const rule = fc
  .record({ text: fc.constantFrom(...RULES), effect: fc.constantFrom<Effect>('allow', 'allow', 'ask', 'deny') })
  .map(({ text, effect }) => parseRule(text, effect, 'user'))
  .filter((parsed) => parsed !== undefined);

const input: fc.Arbitrary<DecisionInput> = fc.record({
  tool: fc.record({
    name: fc.constant('a_tool'),
    kind: fc.constantFrom<ToolKind>('read', 'search', 'edit', 'shell', 'web', 'other', 'agent'),
    modes: fc.constantFrom<'all' | readonly Mode[]>('all', ['ask', 'acceptEdits', 'auto', 'bypass']),
  }),
  isReadOnly: fc.boolean(),
  targets: fc.array(target, { maxLength: 3 }),
  mode: fc.constantFrom(...MODES),
  rules: fc.array(rule, { maxLength: 4 }),
  platform: fc.constant(PLATFORM),
  isTrusted: fc.constant(true),
  isTainted: fc.boolean(),
});

const WIDTH: readonly Verdict['effect'][] = ['deny', 'ask', 'allow'];
const width = (verdict: Verdict) => WIDTH.indexOf(verdict.effect);
const ORDER: readonly Mode[] = ['explore', 'plan', 'review', 'ask', 'acceptEdits', 'auto', 'bypass'];

describe('O31 modes', () => {
  it('no rule lets a write through where only reading is allowed', () => {
    fc.assert(
      fc.property(input, fc.constantFrom<Mode>('plan', 'review', 'explore'), (call, mode) => {
        const writes = call.targets.some(({ op }) => op === 'write' || op === 'delete');
        return !writes || decide({ ...call, mode }).effect === 'deny';
      }),
    );
  });

  it('no rule lets a command through in Plan that is not known to only read', () => {
    fc.assert(
      fc.property(input, fc.constantFrom<Mode>('plan', 'explore'), (call, mode) => {
        const runs = call.targets.some((one) => one.op === 'execute' && !(one.line && onlyReads(one.line)));
        return !runs || decide({ ...call, mode }).effect === 'deny';
      }),
    );
  });

  it('Explore never asks', () => {
    fc.assert(fc.property(input, (call) => decide({ ...call, mode: 'explore' }).effect !== 'ask'));
  });

  it('what a mode refuses, so do all that are narrower', () => {
    fc.assert(
      fc.property(input, fc.nat(ORDER.length - 2), (call, at) => {
        const [narrow = 'explore', wide = 'explore'] = ORDER.slice(at, at + 2);
        const [narrower, wider] = [decide({ ...call, mode: narrow }), decide({ ...call, mode: wide })];
        assert.ok(width(narrower) <= width(wider), `${narrow} ${narrower.effect}, ${wide} ${wider.effect}`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('S23 what destroys beyond repair is refused in every mode, whatever is allowed', () => {
    fc.assert(
      fc.property(input, (call) => {
        const isCritical = call.targets.some((one) => one.op === 'execute' && one.line?.critical !== undefined);
        return !isCritical || decide(call).effect === 'deny';
      }),
    );
  });

  it('S33 what governs the agent is asked for in every mode, whatever is allowed', () => {
    const governing: LocatedTarget = { op: 'write', path: PATHS[2] ?? '', located: place(PATHS[2] ?? '') };
    fc.assert(fc.property(input, (call) => decide({ ...call, targets: [governing] }).effect !== 'allow'));
  });

  it('one more deny or ask rule never widens', () => {
    fc.assert(
      fc.property(input, rule, (call, more) => {
        if (more.effect === 'allow') return true;
        return width(decide({ ...call, rules: [...call.rules, more] })) <= width(decide(call));
      }),
    );
  });

  it('S90 untrusted content never widens', () => {
    fc.assert(
      fc.property(
        input,
        (call) => width(decide({ ...call, isTainted: true })) <= width(decide({ ...call, isTainted: false })),
      ),
    );
  });
});

describe('G5 profiles', () => {
  it('a narrower one never decides wider', () => {
    fc.assert(
      fc.property(input, fc.nat(PROFILES.length - 2), (call, at) => {
        const [narrow = 'minimal', wide = 'admin'] = PROFILES.slice(at, at + 2);
        assert.ok(width(decideUnder(narrow, call)) <= width(decideUnder(wide, call)), `${narrow}, ${wide}`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('none decides wider than the session it works for', () => {
    fc.assert(
      fc.property(
        input,
        fc.constantFrom(...PROFILES),
        (call, profile) => width(decideUnder(profile, call)) <= width(decide(call)),
      ),
    );
  });

  it('one that is nested is never wider than either', () => {
    const profile = fc.constantFrom(...PROFILES);
    fc.assert(
      fc.property(profile, profile, fc.constantFrom(...MODES), (outer, inner, mode) => {
        const nested = ORDER.indexOf(narrowMode(mode, nestProfile(outer, inner)));
        return [outer, inner].every((each) => nested <= ORDER.indexOf(narrowMode(mode, each)));
      }),
    );
  });

  it('a read-only one writes nothing', () => {
    fc.assert(
      fc.property(input, fc.constantFrom('minimal', 'readonly'), (call, profile) => {
        const writes = call.targets.some(({ op }) => op === 'write' || op === 'delete');
        return !writes || decideUnder(profile, call).effect === 'deny';
      }),
    );
  });
});
