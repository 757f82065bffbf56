// What a program is merely given the name of: nobody knows what it does with it, so it counts where it is protected, hidden or elsewhere.
import assert from 'node:assert/strict';
import { tryCommand } from '../../../../src/core/permission/tryCommand';
import { createWorkspace, type Tree } from '../../../support/workspace';

const FILES: Tree = {
  ...{ '.latheignore': 'hidden.txt\n', 'hidden.txt': 'x', 'src/a.ts': 'x' },
  'link.txt': { link: '/etc/hosts' },
};

interface Case {
  /** Patterns of rules that allow. */
  readonly allow?: readonly string[];
  readonly isSandboxed?: true;
}

/** `expected`: why it needs a person, or is refused; empty when it passes. */
function check(command: string, { allow = ['tool:*'], isSandboxed }: Case, expected: readonly string[]): void {
  it(`${command}${isSandboxed ? ' in the sandbox' : ''}`, async () => {
    const settings = { 'permission.allow': allow.map((pattern) => `bash(${pattern})`) };
    const { host: own, root, remove } = await createWorkspace(FILES, { settings });
    try {
      const shell = {
        ...own.shell,
        ...(isSandboxed && { sandbox: () => Promise.resolve({ kind: 'on', isRequired: false } as const) }),
      };
      const at = { host: { ...own, shell }, mode: 'ask', cwd: root, shellTool: 'bash' } as const;
      const { verdict } = await tryCommand(command, at);
      const told = verdict.effect === 'ask' ? verdict.reasons : verdict.effect === 'deny' ? [verdict.because] : [];
      assert.deepEqual(
        told.map((each) => each.replace(/\S*\/link/, 'link')),
        expected,
      );
    } finally {
      await remove();
    }
  });
}

const SECRET = (path: string) => [`May hold secrets: ${path}`];
const ELSEWHERE = (path: string) => [`Outside the workspace: ${path}`];

describe('S31 S38 what a rule by first words covers is told by what it names too', () => {
  for (const command of ['tool .env', 'tool -F .env', 'tool -F.env', 'tool --file=.env', 'tool --list=a,b,.env'])
    check(command, {}, SECRET('.env'));
  for (const command of ['tool /etc/x', 'tool -o/etc/x', 'tool --out=/etc/x', 'tool a=/etc/x', 'tool file:///etc/x'])
    check(command, {}, ELSEWHERE('/etc/x'));
  check('tool link.txt', {}, ELSEWHERE('link.txt → /etc/hosts'));
  for (const command of ['tool @.netrc', 'tool -k a:.netrc']) check(command, {}, SECRET('.netrc'));
  check('tool --into AGENTS.md', {}, ['May change what governs the agent: AGENTS.md']);
  check('tool src/*.ts .vsc*', {}, []);
  check('tool hidden.txt', {}, ['hidden.txt is hidden from you by .latheignore. Go on without it.']);
  check('tool src/a.ts --url=https://example.com/etc "see /etc and ../x" 2>/dev/null', {}, []);
});

describe('S37 the way back from a folder, which may be a link, is doubted and looked at all the same', () => {
  const told = ['hidden.txt is hidden from you by .latheignore. Go on without it.'];
  for (const command of ['tool src/../hidden.txt', 'rm src/../hidden.txt', 'awk 1 src/../hidden.txt'])
    check(command, {}, told);
});

describe('S31 whoever allows exactly this command has seen what it names', () => {
  check('tool --env-file .env', { allow: ['tool --env-file .env'] }, []);
  check('tool --into AGENTS.md', { allow: ['tool --into AGENTS.md'] }, [
    'May change what governs the agent: AGENTS.md',
  ]);
});

describe('S14 what Git is given it does not change', () => {
  check('git add package.json', { allow: ['git add:*'] }, []);
  check('git add .env', { allow: ['git add:*'] }, SECRET('.env'));
});

describe('S16 in the sandbox', () => {
  check('touch src/b.ts && sed -i s/a/b/ src/a.ts && echo x > c.txt', { isSandboxed: true }, []);
  check('tool /usr/include .env', { isSandboxed: true }, []);
  check('touch AGENTS.md', { isSandboxed: true }, ['Changes what governs the agent: AGENTS.md']);
});

describe('S38 a pattern that ends with a slash stands for folders only', () => {
  check('ls -d */', {}, []);
  check('cat h*.txt', {}, [
    'This reads or lists what is in folders, and there is something that is hidden from you by .latheignore. Name the files to read, or use ls, glob and grep, which leave out what is hidden.',
  ]);
});
