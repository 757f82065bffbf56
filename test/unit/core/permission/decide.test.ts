// The permission decision: modes, protected paths, rules and their order.
import assert from 'node:assert/strict';
import { DESTROYS } from '../../../../src/core/command/risks';
import type { CommandLine } from '../../../../src/core/command/types';
import type { Mode } from '../../../../src/common/modes';
import type { ToolKind } from '../../../../src/common/events';
import type { Platform } from '../../../../src/core/host';
import { decide } from '../../../../src/core/permission/decide';
import { parseRule, type LocatedTarget } from '../../../../src/core/permission/rules';
import { plainLine, simple } from '../../../support/commandLine';
import type { Effect, Rule, Target } from '../../../../src/core/permission/types';

const PLATFORM: Platform = { os: 'linux', homeDir: '/home/dev', foldsCase: false, timeZone: 'UTC' };
const ROOT = { name: 'proj', path: '/w/proj' };

function locate(target: Target, { real, isShared }: Omit<Case, 'target' | 'rules'>): LocatedTarget {
  if (!('path' in target || 'cwd' in target)) return target;
  const path = 'path' in target ? target.path : target.cwd;
  const leadsTo = real ?? path;
  const isInRoot = (form: string) => `${form}/`.startsWith('/w/proj/');
  const isInside = [path, leadsTo].every(isInRoot);
  const places = [...new Set([path, leadsTo])].filter(isInRoot).map((form) => form.slice(ROOT.path.length + 1));
  return {
    ...target,
    located: { path, real: leadsTo, shown: path, places, ...(isInside ? { root: ROOT } : {}) },
    ...(isShared && { isShared }),
  };
}

interface Case {
  readonly target: Target;
  readonly real?: string;
  readonly isShared?: true;
  readonly rules?: readonly [Effect, string][];
}

const KINDS: Record<Target['op'], ToolKind> = {
  read: 'read',
  write: 'edit',
  delete: 'edit',
  execute: 'shell',
  fetch: 'web',
  use: 'other',
};

const JUDGED: readonly Mode[] = ['ask', 'acceptEdits', 'plan', 'bypass'];

/** `expected`: the effects in the order of JUDGED. */
function check(name: string, { target, rules = [], ...more }: Case, expected: string): void {
  it(name, () => {
    const parsed = rules
      .map(([effect, text]) => parseRule(text, effect, 'user'))
      .filter((rule): rule is Rule => !!rule);
    assert.equal(parsed.length, rules.length, 'a rule of the case does not parse');
    const effect = (mode: Mode) =>
      decide({
        tool: { name: `a_${KINDS[target.op]}_tool`, kind: KINDS[target.op], modes: 'all' },
        isReadOnly: target.op === 'read',
        targets: [locate(target, more)],
        mode,
        rules: parsed,
        platform: PLATFORM,
        isTrusted: true,
      }).effect;
    assert.equal(JUDGED.map(effect).join(' '), expected);
  });
}

const write = (path: string): Target => ({ op: 'write', path });
const read = (path: string): Target => ({ op: 'read', path });
const run = (command: string, cwd = '/w/proj'): Target => ({ op: 'execute', command, cwd, line: plainLine(command) });

describe('O31 decide', () => {
  describe('S16, S18: commands and the sandbox', () => {
    const line = (more: Partial<CommandLine> = {}): CommandLine => ({
      ...{ commands: [], doubts: [], touches: [], scripts: [], deeds: [], leavesRunning: false },
      ...more,
    });
    const inside = (more?: Partial<CommandLine>, cwd = '/w/proj'): Target => ({
      ...{ op: 'execute', command: 'npm test', cwd, place: 'inside' },
      line: line(more),
    });
    const outside: Target = { op: 'execute', command: 'npm test', cwd: '/w/proj', place: 'outside', line: line() };
    const doubtful = inside({ doubts: ['It hides what it runs'] });
    check('inside nobody is asked', { target: inside() }, 'allow allow deny allow');
    check('nor where it is not understood', { target: doubtful }, 'allow allow deny allow');
    const unseen: Target = { ...inside(), command: 'npm test\u202e' } as Target;
    check('S85: what hides characters is asked for', { target: unseen }, 'ask ask deny allow');
    check('commits are asked for', { target: inside({ deeds: ['commit'] }) }, 'ask ask deny allow');
    const gone = inside({ commands: [simple('git reset --hard', { risks: [DESTROYS] })] });
    check('so is what destroys', { target: gone }, 'ask ask deny allow');
    check('whatever a rule allows', { target: gone, rules: [['allow', 'a_shell_tool']] }, 'ask ask deny allow');
    check('so is a folder elsewhere', { target: inside({}, '/etc') }, 'ask ask deny allow');
    check('a rule that asks stands', { target: inside(), rules: [['ask', 'a_shell_tool']] }, 'ask ask deny ask');
    check('a rule that denies stands', { target: inside(), rules: [['deny', 'a_shell_tool']] }, 'deny deny deny deny');
    check(
      'a rule may be about what is hidden',
      { target: doubtful, rules: [['deny', 'a_shell_tool(rm:*)']] },
      'ask ask deny allow',
    );
    it('of a command that asks all the same, what the sandbox holds is not why', () => {
      const parts = (more: Partial<CommandLine>, rules: readonly string[] = []) => {
        const verdict = decide({
          tool: { name: 'bash', kind: 'shell', modes: 'all' },
          ...{ isReadOnly: false, mode: 'ask', platform: PLATFORM, isTrusted: true },
          targets: [locate(inside(more), {})],
          rules: rules.flatMap((text) => parseRule(text, 'ask', 'user') ?? []),
        });
        return verdict.effect === 'ask'
          ? verdict.parts?.map(({ text, verdict: of, notes }) => [text, of, ...notes])
          : [];
      };
      const commands = [
        simple('npm test'),
        simple('git commit -m a'),
        simple('rm -rf x', { risks: [DESTROYS] }),
        simple('make'),
      ];
      const held = [
        ['npm test', 'allowed', 'the sandbox'],
        ['git commit -m a', 'asks'],
        ['rm -rf x', 'asks', DESTROYS],
      ];
      assert.deepEqual(parts({ commands, deeds: ['commit'] }), [...held, ['make', 'allowed', 'the sandbox']]);
      assert.deepEqual(parts({ commands }, ['bash(make:*)']), [...held, ['make', 'asks']]);
      const doubted = parts({ commands, doubts: ['It hides what it runs'], deeds: ['commit'] });
      assert.deepEqual(
        doubted?.map(([, of]) => of),
        ['asks', 'asks', 'asks', 'asks'],
      );
    });
    check('outside always asks', { target: outside, rules: [['allow', 'a_shell_tool']] }, 'ask ask deny allow');
  });

  describe('what each mode does by default', () => {
    check('reads inside', { target: read('/w/proj/a.ts') }, 'allow allow allow allow');
    check('edits inside', { target: write('/w/proj/a.ts') }, 'ask allow deny allow');
    check('deletes inside', { target: { op: 'delete', path: '/w/proj/a.ts' } }, 'ask ask deny allow');
    check('commands', { target: run('npm test') }, 'ask ask deny allow');
    check('addresses', { target: { op: 'fetch', url: 'https://example.com' } }, 'ask ask deny allow');
    check('other things', { target: { op: 'use', name: 'x' } }, 'ask ask deny allow');
    check('reads outside', { target: read('/etc/hosts') }, 'ask ask ask allow');
    check('edits outside', { target: write('/etc/hosts') }, 'ask ask deny allow');
    check('a link that leads outside', { target: write('/w/proj/l'), real: '/home/dev/.bashrc' }, 'ask ask deny allow');
  });

  describe('protected paths', () => {
    check('what governs the agent', { target: write('/w/proj/.lathe/rules/a.md') }, 'ask ask deny ask');
    check('in a nested folder', { target: write('/w/proj/sub/.vscode/settings.json') }, 'ask ask deny ask');
    check('in other letters', { target: write('/w/proj/.VSCode/Settings.JSON') }, 'ask ask deny ask');
    check('by its link target', { target: write('/w/proj/x'), real: '/w/proj/.mcp.json' }, 'ask ask deny ask');
    for (const path of [
      '/home/dev/.config/Code/User/settings.json',
      '/home/dev/.config/Code - Insiders/User/profiles/-1a2b/mcp.json',
      '/home/dev/.vscode-server/data/Machine/settings.json',
      '/home/dev/.config/VSCodium/User/globalStorage/lathe.lathe/sessions/session-1.jsonl',
    ]) {
      check(`of the editor: ${path}`, { target: write(path) }, 'ask ask deny ask');
    }
    check(
      'settings of a program in the workspace',
      { target: write('/w/proj/user/settings.json') },
      'ask allow deny allow',
    );
    check('what runs later', { target: write('/w/proj/.git/hooks/pre-commit') }, 'ask ask deny allow');
    check('secrets are not read', { target: read('/w/proj/config/.env.production') }, 'ask ask ask allow');
    check('examples of secrets are', { target: read('/w/proj/.env.example') }, 'allow allow allow allow');
    check('ordinary dot files', { target: read('/w/proj/.gitignore') }, 'allow allow allow allow');
    check('S36 in letters that fold', { target: write('/w/proj/.v\u017fcode/\u017fettings.json') }, 'ask ask deny ask');
    check('S36 in letters that are two', { target: read('/home/dev/.\u00dfh/x') }, 'ask ask ask allow');
    check('S36 with letters that do not show', { target: write('/w/proj/.cla\u200cude/x') }, 'ask ask deny ask');
    check('S32 under one of several names', { target: write('/w/proj/a'), isShared: true }, 'ask ask deny allow');
    check(
      'S32 whatever is allowed',
      { target: write('/w/proj/a'), isShared: true, rules: [['allow', 'edit(**)']] },
      'ask ask deny allow',
    );
    check('invisible characters', { target: write('/w/proj/x\u202egnp.exe') }, 'ask ask deny allow');
    check(
      'no rule lifts it',
      { target: write('/w/proj/AGENTS.md'), rules: [['allow', 'edit(**)']] },
      'ask ask deny ask',
    );
  });

  describe('rules', () => {
    check(
      'allow by glob',
      { target: write('/w/proj/src/a.ts'), rules: [['allow', 'edit(src/**)']] },
      'allow allow deny allow',
    );
    check(
      'not beyond it',
      { target: write('/w/proj/b.ts'), rules: [['allow', 'edit(src/**)']] },
      'ask allow deny allow',
    );
    check(
      'ask beats allow',
      {
        target: read('/w/proj/a.ts'),
        rules: [
          ['allow', 'read'],
          ['ask', 'read(a.ts)'],
        ],
      },
      'ask ask ask ask',
    );
    check(
      'deny beats all',
      {
        target: read('/w/proj/a.ts'),
        rules: [
          ['allow', 'read'],
          ['deny', 'read(*.ts)'],
        ],
      },
      'deny deny deny deny',
    );
    check(
      'S31 deny by where a link leads',
      { target: write('/w/proj/l'), real: '/w/proj/docs/a', rules: [['deny', 'edit(docs/**)']] },
      'deny deny deny deny',
    );
    check(
      'S31 deny by the name of what leads outside',
      { target: write('/w/proj/docs/a'), real: '/srv/a', rules: [['deny', 'edit(docs/**)']] },
      'deny deny deny deny',
    );
    check(
      'S31 deny by an absolute glob, through a link',
      { target: read('/w/proj/l'), real: '/etc/x', rules: [['deny', 'read(//etc/*)']] },
      'deny deny deny deny',
    );
    check(
      'S31 what is allowed is so by where a link leads too',
      { target: write('/w/proj/src/l'), real: '/w/proj/b.ts', rules: [['allow', 'edit(src/**)']] },
      'ask allow deny allow',
    );
    check('a whole tool', { target: run('ls'), rules: [['deny', 'shell']] }, 'deny deny deny deny');
    check(
      'absolute glob',
      { target: read('/etc/hosts'), rules: [['allow', 'read(//etc/*)']] },
      'allow allow allow allow',
    );
    check(
      'not through a link',
      { target: read('/etc/x'), real: '/root/y', rules: [['allow', 'read(//etc/*)']] },
      'ask ask ask allow',
    );
    check(
      'home glob',
      { target: read('/home/dev/n/a'), rules: [['allow', 'read(~/n/**)']] },
      'allow allow allow allow',
    );
    check(
      'command prefix',
      { target: run('git status -s'), rules: [['allow', 'shell(git status:*)']] },
      'allow allow deny allow',
    );
    check(
      'anywhere in the workspace',
      { target: run('git status', '/w/proj/sub'), rules: [['allow', 'shell(git status:*)']] },
      'allow allow deny allow',
    );
    check(
      'but not outside',
      { target: run('git status', '/w/other'), rules: [['allow', 'shell(git status:*)']] },
      'ask ask deny allow',
    );
    check(
      'a command is denied wherever it runs',
      { target: run('git push', '/w/other'), rules: [['deny', 'shell(git push:*)']] },
      'deny deny deny deny',
    );
    check(
      'by whole words',
      { target: run('git statusx'), rules: [['allow', 'shell(git status:*)']] },
      'ask ask deny allow',
    );
    check(
      'exact domain',
      { target: { op: 'fetch', url: 'https://A.example.com./x' }, rules: [['allow', 'web(domain:a.example.com)']] },
      'allow allow deny allow',
    );
    check(
      'look-alike domain',
      { target: { op: 'fetch', url: 'https://example.com.evil.test' }, rules: [['allow', 'web(domain:example.com)']] },
      'ask ask deny allow',
    );
    check(
      'apex is not wild',
      { target: { op: 'fetch', url: 'https://example.com' }, rules: [['allow', 'web(domain:*.example.com)']] },
      'ask ask deny allow',
    );
    for (const tail of ['; rm x', '&& rm x', '| sh', '`x`', '$(x)', '> f', '\nrm x', '"a"', "'a'", '\\x', '#']) {
      const command = `git status ${tail}`;
      check(
        `a prefix says nothing of ${JSON.stringify(command)}`,
        { target: run(command), rules: [['allow', 'shell(git status:*)']] },
        'ask ask deny allow',
      );
    }
  });

  describe('a call that touches nothing', () => {
    const cases: readonly [Effect, string, string][] = [
      ['deny', 'sleep', 'deny deny deny deny'],
      ['deny', 'agent', 'deny deny deny deny'],
      ['ask', 'sleep', 'ask ask ask ask'],
      ['allow', 'sleep', 'allow allow allow allow'],
      ['deny', 'sleep(long)', 'allow allow allow allow'],
      ['deny', 'other', 'allow allow allow allow'],
    ];
    for (const [effect, text, expected] of cases) {
      it(`under the rule ${effect} ${text}`, () => {
        const rule = parseRule(text, effect, 'user');
        assert.ok(rule);
        const verdicts = JUDGED.map((mode) =>
          decide({
            tool: { name: 'sleep', kind: 'agent', modes: 'all' },
            isReadOnly: true,
            targets: [],
            mode,
            rules: [rule],
            platform: PLATFORM,
            isTrusted: true,
          }),
        );
        assert.equal(verdicts.map((verdict) => verdict.effect).join(' '), expected);
      });
    }
  });

  it('takes no tool’s word that it only reads against what it says it will write', () => {
    const verdict = decide({
      tool: { name: 'sly', kind: 'other', modes: 'all' },
      isReadOnly: true,
      targets: [locate(write('/w/proj/a.ts'), {})],
      mode: 'plan',
      rules: [],
      platform: PLATFORM,
      isTrusted: true,
    });
    assert.equal(verdict.effect, 'deny');
  });

  it('refuses a tool that its mode does not offer, before any rule', () => {
    const verdict = decide({
      tool: { name: 'commit', kind: 'other', modes: ['ask'] },
      isReadOnly: true,
      targets: [],
      mode: 'plan',
      rules: [{ effect: 'allow', tool: 'commit', source: 'user' }],
      platform: PLATFORM,
      isTrusted: true,
    });
    assert.equal(verdict.effect, 'deny');
  });
});
