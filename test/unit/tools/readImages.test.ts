// read with pictures: told by content, shown to models that see, kept from those that do not before a byte is read.
import assert from 'node:assert/strict';
import type { ImageBlock } from '../../../src/common/blocks';
import { withTools, type ToolTestOptions } from '../../support/toolTest';
import { gif, jpeg, png, webp } from '../../support/pictures';

interface Case {
  readonly file: string;
  readonly content: Uint8Array | string;
  readonly options?: ToolTestOptions;
  readonly text: string | RegExp;
  /** Absent: no image is given. */
  readonly image?: ImageBlock['mediaType'];
  readonly status?: 'done' | 'failed';
  /** Times that the content of the file is asked for. */
  readonly opened?: number;
}

describe('G9 T01 read with images', () => {
  function check(what: string, { file, content, options = {}, text, image, status = 'done', opened = 1 }: Case): void {
    it(what, () =>
      withTools(
        { [file]: content },
        async (test) => {
          const result = await test.call('read', { file_path: file });
          assert.deepEqual(
            {
              status: result.status,
              text: text instanceof RegExp && text.test(result.text) ? text : result.text,
              images: result.images.map(({ mediaType }) => mediaType),
              opened: test.opened,
            },
            { status, text, images: image ? [image] : [], opened: Array<string>(opened).fill(file) },
          );
          if (!image) return;
          assert.deepEqual(Buffer.from(result.images[0]?.data ?? '', 'base64'), Buffer.from(content));
          assert.deepEqual(result.display, { kind: 'text', text: result.text });
          assert.equal(result.wholeChars, result.text.length, 'the image is not in the stored text');
        },
        options,
      ),
    );
  }
  check('PNG', {
    file: 'a.png',
    content: png(640, 480),
    text: 'a.png: PNG, 640 × 480 pixels, 1 KB.',
    image: 'image/png',
  });
  check('JPEG', { file: 'a.JPG', content: jpeg(3, 4), text: /^a\.JPG: JPEG, 3 × 4 pixels/, image: 'image/jpeg' });
  check('GIF', { file: 'a.gif', content: gif(3, 4), text: /^a\.gif: GIF, 3 × 4 pixels/, image: 'image/gif' });
  check('WebP', { file: 'a.webp', content: webp(3, 4), text: /^a\.webp: WEBP, 3 × 4 pixels/, image: 'image/webp' });
  check('by content, not by name', {
    file: 'a.jpg',
    content: png(1, 1),
    text: /^a\.jpg: PNG/,
    image: 'image/png',
  });
  check('under a name that is none of an image', {
    file: 'blob',
    content: png(1, 1),
    text: /^blob: PNG/,
    image: 'image/png',
    opened: 2,
  });
  check('text under the name of an image is text', {
    file: 'a.png',
    content: 'hello\n',
    text: '     1\thello',
    opened: 2,
  });
  check('SVG is text', { file: 'a.svg', content: '<svg/>', text: '     1\t<svg/>' });
  check('what only begins like an image is told', {
    file: 'a.png',
    content: png(1, 1).subarray(0, 12),
    text: /damaged/,
    status: 'failed',
  });

  const isTextOnly = { isTextOnly: true };
  check('a model that sees none causes no read of the file', {
    file: 'a.png',
    content: png(1, 1),
    options: isTextOnly,
    text: 'a.png is an image, and the model in use sees none, so it was not read. Go by its name and by the code that uses it, or ask the person what it shows.',
    status: 'failed',
    opened: 0,
  });
  check('and gets no image under another name', {
    file: 'blob',
    content: png(1, 1),
    options: isTextOnly,
    text: /binary file/,
    status: 'failed',
  });

  check('more pixels than models take become a note', {
    file: 'a.png',
    content: png(8_001, 2),
    text: /^a\.png has 8001 × 2 pixels; models take at most 8000 a side\. Images are not scaled down here: make a smaller copy/,
    status: 'failed',
  });
  check('as many as they take do not', { file: 'a.png', content: png(8_000, 2), text: /8000 × 2/, image: 'image/png' });
  const heavy = Buffer.concat([png(9, 9), Buffer.alloc(3_932_161 - png(9, 9).length)]);
  check('more bytes become a note, before they are read', {
    file: 'a.png',
    content: heavy,
    text: /^a\.png is an image of more than 3\.75 MB, which no model takes\. Images are not scaled/,
    status: 'failed',
    opened: 0,
  });
  check('under any name', {
    file: 'blob',
    content: heavy,
    text: /^blob is an image of more than 3\.75 MB/,
    status: 'failed',
    opened: 2,
  });
  check('R07: the limit of files holds for images too', {
    file: 'a.png',
    content: heavy.subarray(0, 3_000_000),
    options: { settings: { 'files.maxReadBytes': 1_000_000 } },
    text: /larger than 1\.0 MB/,
    status: 'failed',
  });
});
