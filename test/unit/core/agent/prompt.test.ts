// The request's head: what it says of the place, that it is stable, and that it stays small.
import assert from 'node:assert/strict';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { composeHead, isSameHead } from '../../../../src/core/agent/prompt';
import { createToolset } from '../../../../src/core/tool/toolset';
import { TOOLS } from '../../../../src/tools/index';
import { createNodeHost } from '../../../../src/node/host';
import { createWorkspace } from '../../../support/workspace';

const HEAD_MAX_TOKENS = 5000;

describe('the head of a request', () => {
  it('O19 O41: stays under 5,000 tokens with all tools, and is the same each time', async () => {
    const { host, remove } = await createWorkspace();
    try {
      const head = await composeHead(host, createToolset(TOOLS, host));
      const tokens = countTokens(head.system.join('\n')) + countTokens(JSON.stringify(head.tools));
      assert.ok(tokens < HEAD_MAX_TOKENS, `${tokens} tokens`);
      const again = await composeHead(host, createToolset([...TOOLS].reverse(), host));
      assert.deepEqual(again.tools, head.tools);
      assert.ok(isSameHead(head, again));
    } finally {
      await remove();
    }
  });

  const check = (name: string, folders: readonly string[], expected: RegExp): void => {
    it(name, async () => {
      const { outside, root, remove } = await createWorkspace({ '.git/HEAD': 'ref: x', 'sub/a': '' });
      try {
        const roots = folders.map((folder) => `${root}/${folder}`);
        const host = createNodeHost({ roots, storeDir: `${outside}/store` });
        const { system } = await composeHead(host, createToolset([], host));
        assert.match((system[1] ?? '').replaceAll(root, 'ROOT'), expected);
      } finally {
        await remove();
      }
    });
  };
  check(
    'one folder',
    ['.'],
    /^# Environment\nWorkspace folder:\n- ROOT, a Git repository\nRelative paths start there\.\nOS: \w+\. Shell: (ba)?sh\. Home: /,
  );
  check(
    'several folders',
    ['.', 'sub'],
    /Workspace folders:\n- ROOT, a Git repository\n- ROOT\/sub\nRelative paths start in ROOT, or with the name of a folder/,
  );
  check('no folder', [], /No folder is open/);
});
