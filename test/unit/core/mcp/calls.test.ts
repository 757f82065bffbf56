// What a call brings back, whatever a server answers.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/common/json';
import { IMAGE_MAX_CHARS, IMAGES_MAX, renderResult } from '../../../../src/core/mcp/result';
import type { ToolResult } from '../../../../src/core/tool/turnTools';
import { PNG } from '../../../fixtures/mcp/server.mjs';
import { callTool, untrusted, withServersInProcess } from './support';

function check(title: string, tool: string, expected: Partial<ToolResult> & { readonly text: string }): void {
  it(title, () =>
    withServersInProcess({ fix: {} }, async ({ servers }) => {
      const result = await callTool(servers.tools(), `mcp__fix__${tool}`);
      assert.deepEqual(result, { status: 'done', images: [], ...expected });
    }),
  );
}

describe('the result of an MCP tool', () => {
  check('that reports a failure', 'fail', { status: 'failed', text: untrusted('fix', 'the disk is on fire') });
  check('that the protocol refuses', 'refuse', { status: 'failed', text: untrusted('fix', 'not today') });
  check('that answers nothing', 'nothing', { text: 'The MCP server fix answered with nothing.' });
  check('that was called wrongly', 'echo', {
    status: 'failed',
    text: 'The input does not fit the schema of mcp__fix__echo, so nothing was run:\n- "text" is missing: it must be a string.',
  });
  check('with content of every kind', 'mixed', {
    text: untrusted(
      'fix',
      [
        'first',
        '[image 1]',
        '[image, image/png, 12 bytes: left out, since it is no PNG, JPEG, GIF or WebP]',
        '[audio, audio/wav, 3 bytes: left out, since it cannot be heard here]',
        '[link to the resource file:///a.md: a, text/markdown]',
        '[the resource note://1]',
        'inside',
        '[the resource note://2, application/zip, 3 bytes: left out, since it is no text]',
        '{\n  "answer": 42\n}',
      ].join('\n'),
    ),
    images: [{ type: 'image', mediaType: 'image/png', data: PNG }],
  });

  it('is asked for by its name, with what is sent', () =>
    withServersInProcess({ fix: {} }, async ({ servers }) => {
      const tool = servers.tools().find(({ name }) => name === 'mcp__fix__echo');
      const prepared = await tool?.prepare({ text: 'x' }, {} as never);
      assert.deepEqual(prepared, {
        targets: [{ op: 'use', name: 'mcp__fix__echo' }],
        preview: { kind: 'text', text: '{\n  "text": "x"\n}' },
        plan: { text: 'x' },
      });
    }));
});

function checkText(title: string, result: JsonObject, text: string, images = 0): void {
  it(title, () => {
    const rendered = renderResult(result);
    assert.deepEqual([rendered.text, rendered.images.length], [text, images]);
  });
}

const image = (data: string) => ({ type: 'image', mimeType: 'image/png', data });

describe('renderResult', () => {
  checkText(
    'keeps what it does not know',
    { content: [{ type: 'hologram', depth: 3 }, 7] },
    '{"type":"hologram","depth":3}\n7',
  );
  checkText('says nothing of nothing', {}, '');
  checkText(
    'does not say data twice',
    { content: [{ type: 'text', text: '{ "a": [1] }' }], structuredContent: { a: [1] } },
    '{ "a": [1] }',
  );
  checkText('says data that the text does not', { content: [], structuredContent: { a: 1 } }, '{\n  "a": 1\n}');
  checkText(
    'takes an image out of a resource',
    {
      content: [{ type: 'resource', resource: { uri: 'a://b', mimeType: 'image/png', blob: PNG } }],
    },
    '[the resource a://b: image 1]',
    1,
  );
  checkText(
    'takes so many images',
    { content: Array<JsonObject>(IMAGES_MAX + 1).fill(image(PNG)) },
    [
      ...Array.from({ length: IMAGES_MAX }, (_, i) => `[image ${i + 1}]`),
      `[image, image/png, 72 bytes: left out, since there are more than ${IMAGES_MAX} images]`,
    ].join('\n'),
    IMAGES_MAX,
  );
  checkText(
    'takes no image that is too large',
    { content: [image(PNG.padEnd(IMAGE_MAX_CHARS + 4, 'A'))] },
    '[image, image/png, 3932163 bytes: left out, since it is too large]',
  );
  checkText(
    'knows WebP by its bytes',
    { content: [image(Buffer.from('RIFF\xff\xff\xff\x00WEBPVP8L..', 'latin1').toString('base64'))] },
    '[image 1]',
    1,
  );
});
