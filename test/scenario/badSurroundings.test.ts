// A session where something around it is missing: no folder, no provider. It says so and goes on.
import assert from 'node:assert/strict';
import type { TurnEnd } from '../../src/common/events';
import { createAskQueue } from '../../src/core/permission/askQueue';
import { demoProvider } from '../../src/core/provider/demo';
import type { Provider } from '../../src/core/provider/types';
import { openSession } from '../../src/core/session/session';
import { createNodeHost } from '../../src/node/host';
import { programStarter } from '../../src/node/program';
import { createQuickClock } from '../support/clock';
import { inWorkspace } from '../support/workspace';

interface Case {
  readonly hasFolder: boolean;
  /** Answers the provider of each turn in its order. */
  readonly provider: (turn: number, demo: Provider) => Promise<Provider>;
  readonly ends: readonly TurnEnd[];
  readonly notices: readonly RegExp[];
}

describe('a session in bad surroundings', () => {
  const check = (name: string, { hasFolder, provider, ends, notices }: Case): void => {
    it(name, () =>
      inWorkspace({}, async ({ root, outside }) => {
        const log = { info: () => {}, warn: () => {}, error: () => {} };
        const roots = hasFolder ? [root] : [];
        const host = createNodeHost({ roots, storeDir: `${outside}/store`, clock: createQuickClock(), log });
        let turn = 0;
        const session = await openSession({
          host,
          tools: [],
          asker: createAskQueue(),
          start: programStarter(),
          provider: () => provider(turn++, demoProvider(host)),
        });
        const said: string[] = [];
        session.subscribe((event) => {
          if (event.type === 'notice') said.push(event.text);
        });
        for (const end of ends) assert.equal(await session.prompt('Hi'), end);
        assert.equal(said.length, notices.length, said.join('\n'));
        for (const [at, pattern] of notices.entries()) assert.match(said[at] ?? '', pattern);
        await session.flush();
      }),
    );
  };

  check('no folder is open: said once', {
    hasFolder: false,
    provider: async (_, demo) => demo,
    ends: ['done', 'done'],
    notices: [/No folder is open.*Open a folder/],
  });
  check('the provider cannot be made', {
    hasFolder: true,
    provider: async (turn, demo) => {
      if (turn === 0) throw new Error('the key store is locked');
      return demo;
    },
    ends: ['failed', 'done'],
    notices: [/a bug of its own: the key store is locked\. The session goes on/],
  });
  check('a provider that breaks its contract', {
    hasFolder: true,
    provider: async (turn, demo) => {
      // eslint-disable-next-line require-yield -- it breaks before its first event
      const stream = async function* () {
        throw new TypeError('x is not a function');
      };
      return turn === 0 ? { ...demo, stream } : demo;
    },
    ends: ['failed', 'done'],
    notices: [/x is not a function/],
  });
});
