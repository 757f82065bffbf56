// What requests cost: tokens of the head, bytes that the cache cannot serve, and what large outputs leave behind.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { TOOLS } from '../../src/tools/index';
import { reply, text, toolUse, type Reply } from '../support/model-server/scenario';
import { commonChars, headOf, marksOf, prefixOf, resultsOf, withoutMarks } from '../support/requestBody';
import { withSession } from '../support/sessionTest';

const HEAD_MAX_TOKENS = 5_000;
const OUTPUTS_MAX_TOKENS = 5_500;
const CARRIED_SHARE_MIN = 0.97;
const NODE = JSON.stringify(process.execPath);

describe('token economy', () => {
  it('system, environment and all resident tools take less than 5,000 tokens', async () => {
    const replies = [reply(text('Hi'))];
    await withSession({ replies, tools: TOOLS, files: { '.git/HEAD': 'ref: x' } }, async ({ session, server }) => {
      await session.prompt('Hi');
      const tokens = countTokens(headOf(server.messageRequests()[0]!.bodyText));
      assert.ok(tokens < HEAD_MAX_TOKENS, `${tokens} tokens`);
    });
  });

  it('of 60 steps each request begins with at least 97 % of the bytes of the one before, and marks where it ends', async () => {
    const steps = Array.from({ length: 20 }, (_, at): Reply[] => [
      reply(text(`Step ${at}.`), toolUse('read', { file_path: 'src/count.js' })),
      reply(
        toolUse('edit', {
          file_path: 'src/count.js',
          old_string: `count = ${at};`,
          new_string: `count = ${at + 1};`,
        }),
      ),
      reply(toolUse('bash', { command: `${NODE} src/count.js`, description: 'Run it' })),
    ]);
    const files = { 'src/count.js': 'let count = 0;\nconsole.log(count);\n' };
    const replies = [...steps.flat(), reply(text('Done'))];
    await withSession({ replies, tools: TOOLS, files }, async ({ session, server, workspace }) => {
      assert.equal(await session.prompt('Count to twenty'), 'done');
      assert.match((await workspace.tree())['src/count.js'] ?? '', /^let count = 20;/);
      const bodies = server.messageRequests().map(({ bodyText }) => bodyText);
      assert.equal(bodies.length, 61);
      for (const [at, body] of bodies.slice(1).entries()) {
        const before = withoutMarks(bodies[at]!);
        const share = commonChars(before, withoutMarks(body)) / before.length;
        assert.ok(share >= CARRIED_SHARE_MIN, `request ${at + 2} begins with ${share} of the one before`);
        assert.ok(prefixOf(body).startsWith(prefixOf(bodies[at]!)));
      }
      const lastTool = TOOLS.map(({ name }) => name)
        .sort()
        .at(-1);
      for (const body of bodies) {
        const messages = (JSON.parse(body) as { messages: { content: unknown[] }[] }).messages;
        const end = `${messages.length - 1}.${(messages.at(-1)?.content.length ?? 0) - 1}`;
        assert.deepEqual(marksOf(body), [`tools.${lastTool}`, 'system.1', end]);
      }
    });
  });

  it('O14: only the text for the model is sent again and kept in the session file', async () => {
    const say = `for (let at = 1; at <= 2000; at++) console.log('Line ' + at + ' of the build: one more module')`;
    const replies = [
      reply(toolUse('bash', { command: `${NODE} -e "${say}"`, description: 'Print' }, { id: 'run' })),
      reply(text('Seen')),
      reply(text('Done')),
    ];
    await withSession({ replies, tools: TOOLS }, async ({ session, server, of, workspace }) => {
      await session.prompt('Look');
      await session.prompt('Go on');
      await session.flush();
      const [finished] = of('tool/finished');
      const sent = server
        .messageRequests()
        .slice(1)
        .map(({ bodyText }) => resultsOf(bodyText));
      assert.deepEqual(sent, [{ run: finished!.text }, { run: finished!.text }]);
      assert.ok(finished!.wholeChars > 8 * finished!.text.length);
      const file = await readFile(join(workspace.outside, 'store/sessions', `${session.id}.jsonl`), 'utf8');
      assert.ok(file.includes('Line 1 of the build') && file.includes('Line 2000 of the build'));
      assert.ok(!file.includes('Line 1000 of the build'));
    });
  });

  it('large outputs leave their two ends behind, and the middle is one call away', async () => {
    const say = `for (let at = 1; at <= 50000; at++) console.log('Line ' + at + ' of the build: one more module')`;
    const numbered = (line: number, word: string) => `Line ${line} of the text, with a ${word} in it`;
    const files = {
      'hay.txt': lines(20_000, (at) => numbered(at, 'needle')),
      'long.txt': lines(30_000, (at) => numbered(at, 'word')),
    };
    const replies = [
      reply(
        toolUse('bash', { command: `${NODE} -e "${say}"`, description: 'Print 2 MB' }, { id: 'run' }),
        toolUse(
          'grep',
          { pattern: 'needle', path: 'hay.txt', output_mode: 'content', head_limit: 20_000 },
          { id: 'search' },
        ),
        toolUse('read', { file_path: 'long.txt' }, { id: 'read' }),
      ),
      reply(text('Seen')),
      reply(
        toolUse('output', { id: 'run', offset: 25_000, limit: 3 }, { id: 'middle1' }),
        toolUse('output', { id: 'search', pattern: 'Line 10000 of' }, { id: 'middle2' }),
      ),
      reply(text('Done')),
    ];
    await withSession({ replies, tools: TOOLS, files }, async ({ session, server, of }) => {
      assert.equal(await session.prompt('Look'), 'done');
      assert.equal(await session.prompt('Look at the middle'), 'done');
      const bodies = server.messageRequests().map(({ bodyText }) => bodyText);
      assert.equal(bodies.length, 4);
      for (const body of bodies.slice(1)) {
        const { run = '', search = '' } = resultsOf(body);
        const tokens = countTokens(run) + countTokens(search);
        assert.ok(tokens < OUTPUTS_MAX_TOKENS, `${tokens} tokens`);
      }
      const { run = '', search = '', read = '' } = resultsOf(bodies[1]!);
      assert.match(run, /^Line 1 of the build: one more module\n/);
      assert.match(run, /\nLine 50000 of the build: one more module\n/);
      assert.match(run, /id "run"/);
      assert.match(search, /needle/);
      assert.match(search, /\b1: Line 1 of the text/);
      assert.match(search, /\n20000: Line 20000 of the text/);
      assert.match(search, /id "search"/);
      assert.match(
        read,
        /^ +1\tLine 1 of the text[^]*\n +(\d+)\t.*\n\(Lines 1–\1 of 30000\. Go on with offset \d+\.\)$/,
      );

      const [whole] = of('tool/finished').filter(({ call }) => call === 'run');
      assert.ok((whole?.wholeChars ?? 0) > 1_800_000);
      const middles = of('tool/finished')
        .slice(-2)
        .map(({ text: shown }) => shown);
      assert.match(middles[0] ?? '', /^ +25000\tLine 25000 of the build/);
      assert.match(middles[1] ?? '', /Line 10000 of the text, with a needle in it/);
    });
  });
});

function lines(count: number, lineOf: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => `${lineOf(at + 1)}\n`).join('');
}
