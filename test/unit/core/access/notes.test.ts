// What the model is told beside results: of hidden files nothing, whoever tells it.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { tellable } from '../../../../src/core/access/hidden';
import { withTools, type ToolTest, type ToolTestOptions } from '../../../support/toolTest';
import { inWorkspace } from '../../../support/workspace';

const FILES = {
  '.latheignore': 'secret/\n',
  'secret/plan.md': 'plan\n',
  'a.txt': 'a\n',
  'b.txt': 'b\n',
  way: { link: 'secret' },
};

describe('S38 notes', () => {
  function check(
    what: string,
    use: (test: ToolTest) => Promise<string>,
    expected: RegExp,
    options: ToolTestOptions = {},
  ): void {
    it(what, () =>
      withTools(
        FILES,
        async (test) => {
          const text = await use(test);
          assert.match(text, expected);
          assert.doesNotMatch(text, /plan\.md/);
        },
        options,
      ),
    );
  }

  check(
    'on unsaved changes',
    async ({ call }) => (await call('bash', { command: 'true' })).text,
    /unsaved changes in a\.txt: /,
    { unsaved: ['a.txt', 'secret/plan.md'] },
  );
  check(
    'on what a command has changed, hidden since it was read',
    async ({ call, path }) => {
      await call('read', { file_path: 'a.txt' });
      await writeFile(path('.latheignore'), '');
      await call('read', { file_path: 'secret/plan.md' });
      await writeFile(path('.latheignore'), 'secret/\n');
      const append = "for (const name of ['a.txt', 'sec' + 'ret/plan.md']) require('fs').appendFileSync(name, 'x')";
      return (await call('bash', { command: `node -e "${append}"` })).text;
    },
    /Files that you have read are different now: a\.txt\./,
  );

  it('name what may be named, by names and by where links lead', () =>
    inWorkspace(FILES, async ({ host, path }) => {
      const all = ['a.txt', 'secret/plan.md', 'way/plan.md', 'b.txt', 'a.txt', '../elsewhere.txt'].map(path);
      assert.deepEqual(await tellable(all, host), ['a.txt', 'b.txt', '../elsewhere.txt'].map(path));
    }));
});
