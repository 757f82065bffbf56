// Images on their way to the model: as blocks of the result, never in its text, and only to a model that sees.
import assert from 'node:assert/strict';
import { TOOLS } from '../../src/tools/index';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { png } from '../support/pictures';
import { withSession } from '../support/sessionTest';

interface Body {
  readonly messages: readonly { readonly content: unknown }[];
}

describe('G9 images of a result', () => {
  function check(what: string, model: string, expected: unknown): void {
    it(what, () =>
      withSession(
        {
          tools: TOOLS,
          files: { 'a.png': png(2, 3) },
          settings: { model },
          replies: [reply(toolUse('read', { file_path: 'a.png' }, { id: 'toolu_a' })), reply(text('Seen.'))],
        },
        async ({ session, server }) => {
          assert.equal(await session.prompt('Look'), 'done');
          const { messages } = server.messageRequests()[1]?.body as Body;
          const results = messages.flatMap(({ content }) => content as { type: string; content: unknown }[]);
          assert.deepEqual(results.find(({ type }) => type === 'tool_result')?.content, expected);
        },
      ),
    );
  }
  const source = { type: 'base64', media_type: 'image/png', data: png(2, 3).toString('base64') };
  check('go to a model that sees', '', [
    { type: 'text', text: 'a.png: PNG, 2 × 3 pixels, 1 KB.' },
    { type: 'image', source },
  ]);
  check('do not go to one of which nothing is known', 'some-model-7b', [
    {
      type: 'text',
      text: 'a.png is an image, and the model in use sees none, so it was not read. Go by its name and by the code that uses it, or ask the person what it shows.',
    },
  ]);
});
