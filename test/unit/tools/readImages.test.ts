// read with pictures: told by content, shown to models that see, kept from those that do not before a byte is read.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { PhotonImage as Image } from '@silvia-odwyer/photon-node';
import type { ImageBlock } from '../../../src/common/blocks';
import { imageType } from '../../../src/core/files/image';
import { withTools, type ToolTestOptions } from '../../support/toolTest';
import { animatedGif, gif, jpeg, png, pngBomb, pngOfPixels, webp } from '../../support/pictures';

/** It finds its WebAssembly beside its own file, which a bundle does not have. */
const fromHere = createRequire(import.meta.url);
const { PhotonImage } = fromHere('@silvia-odwyer/photon-node') as { readonly PhotonImage: typeof Image };

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
    text: /damaged: its size cannot be read/,
    status: 'failed',
  });
  const asJpeg = (content: Uint8Array) => PhotonImage.new_from_byteslice(content).get_bytes_jpeg(90);
  const photo = withThumbnail(asJpeg(png(60, 40)), asJpeg(png(8, 8)));
  check('a JPEG with a small picture in its head', {
    file: 'a.jpg',
    content: photo,
    text: /^a\.jpg: JPEG, 60 × 40 pixels/,
    image: 'image/jpeg',
  });
  check('and one that is cut off after it', {
    file: 'a.jpg',
    content: photo.subarray(0, -40),
    text: 'a.jpg begins like an image but is damaged: its end is missing.',
    status: 'failed',
  });
  check('half an image is told, since the endpoint would refuse the request', {
    file: 'a.png',
    content: png(10, 10).subarray(0, -12),
    text: 'a.png begins like an image but is damaged: its end is missing.',
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
    opened: 2,
  });

  check('as many pixels as are of use are shown as they are', {
    file: 'a.png',
    content: png(1_568, 2),
    text: 'a.png: PNG, 1568 × 2 pixels, 1 KB.',
    image: 'image/png',
  });
  check('R07: the limit of files holds for images too', {
    file: 'a.png',
    content: Buffer.concat([png(9, 9), Buffer.alloc(2_000_000)]),
    options: { settings: { 'files.maxReadBytes': 1_000_000 } },
    text: /larger than 1\.0 MB/,
    status: 'failed',
  });
});

const COLOURS: Readonly<Record<string, readonly number[]>> = {
  red: [255, 0, 0, 255],
  green: [0, 255, 0, 255],
  blue: [0, 0, 255, 255],
  white: [255, 255, 255, 255],
};

interface ScaledCase {
  readonly file: string;
  readonly content: Uint8Array;
  readonly text: RegExp;
  readonly size: readonly [width: number, height: number];
  /** The middles of the four quarters, in reading order: red, green, blue or white. */
  readonly colours?: string;
}

describe('G9 read with images that are larger than models take', () => {
  function check(what: string, { file, content, text, size, colours }: ScaledCase): void {
    it(what, () =>
      withTools({ [file]: content }, async ({ call, bytes }) => {
        const result = await call('read', { file_path: file });
        assert.match(result.text, text);
        const [image, ...others] = result.images;
        assert.deepEqual([result.status, others], ['done', []]);
        const data = Buffer.from(image?.data ?? '', 'base64');
        const pixels = PhotonImage.new_from_byteslice(data);
        assert.deepEqual([pixels.get_width(), pixels.get_height()], size);
        assert.ok((image?.data.length ?? 0) <= 5 * 1024 * 1024);
        assert.equal(imageType(data), image?.mediaType);
        if (colours !== undefined) assert.equal(quarters(pixels), colours);
        assert.deepEqual(await bytes(file), Buffer.from(content), 'the file is as it was');
      }),
    );
  }

  check('are scaled down, which the result tells', {
    file: 'a.png',
    content: png(4_000, 3_000),
    text: /^a\.png: PNG, scaled from 4000 × 3000 pixels to 1568 × 1176, shown as PNG of \d+ KB\.$/,
    size: [1_568, 1_176],
  });
  check('in height as well', {
    file: 'a.png',
    content: png(20, 9_000),
    text: /scaled from 20 × 9000 pixels to 3 × 1568/,
    size: [3, 1_568],
  });
  check('a WebP', {
    file: 'a.webp',
    content: painted(2_000, 1_000).get_bytes_webp(),
    text: /^a\.webp: WEBP, scaled from 2000 × 1000 pixels to 1568 × 784/,
    size: [1_568, 784],
    colours: 'red green blue white',
  });
  check('a JPEG stays one', {
    file: 'a.jpg',
    content: painted(2_000, 1_000).get_bytes_jpeg(90),
    text: /^a\.jpg: JPEG, scaled from 2000 × 1000 pixels to 1568 × 784/,
    size: [1_568, 784],
    colours: 'red green blue white',
  });
  check('of a GIF that moves the first frame', {
    file: 'a.gif',
    content: animatedGif(1_600, 20),
    text: /^a\.gif: the first frame of a GIF, scaled from 1600 × 20 pixels to 1568 × 20/,
    size: [1_568, 20],
    colours: 'red red red red',
  });
  check('a JPEG that lies on its side stands up', {
    file: 'a.jpg',
    content: withOrientation(painted(2_000, 1_000).get_bytes_jpeg(90), 6),
    text: /scaled from 2000 × 1000 pixels to 784 × 1568/,
    size: [784, 1_568],
    colours: 'blue red white green',
  });
  check('a JPEG that is upside down', {
    file: 'a.jpg',
    content: withOrientation(painted(2_000, 1_000).get_bytes_jpeg(90), 3),
    text: /to 1568 × 784/,
    size: [1_568, 784],
    colours: 'white blue green red',
  });
  check('too many bytes for few pixels become fewer bytes', {
    file: 'a.png',
    content: noise(1_200, 1_200),
    text: /^a\.png: PNG, 1200 × 1200 pixels, shown as JPEG of \d+ KB\.$/,
    size: [1_200, 1_200],
  });

  function refuses(what: string, content: Uint8Array, text: RegExp): void {
    it(what, () =>
      withTools({ 'a.png': content }, async ({ call }) => {
        const result = await call('read', { file_path: 'a.png' });
        assert.deepEqual([result.status, result.images], ['failed', []]);
        assert.match(result.text, text);
      }),
    );
  }
  refuses(
    'one that would unpack to very much is refused by its header',
    pngBomb(100_000, 100_000),
    /has 100000 × 100000 pixels, too many to be decoded\. Make a smaller copy/,
  );
  refuses('one without its pixels is told', pngBomb(3_000, 3_000), /^a\.png is damaged: it cannot be decoded/);
});

/** A quarter of it in each colour. */
function painted(width: number, height: number): Image {
  const { red = [], green = [], blue = [], white = [] } = COLOURS;
  const pixel = (x: number, y: number) =>
    y < height / 2 ? (x < width / 2 ? red : green) : x < width / 2 ? blue : white;
  return PhotonImage.new_from_byteslice(pngOfPixels(width, height, pixel));
}

function quarters(image: Image): string {
  const [width, height] = [image.get_width(), image.get_height()];
  const pixels = image.get_raw_pixels();
  const at = (x: number, y: number) => {
    const start = (Math.floor(y * height) * width + Math.floor(x * width)) * 4;
    const seen = [...pixels.subarray(start, start + 3)];
    const near = (colour: readonly number[]) => seen.every((value, part) => Math.abs(value - (colour[part] ?? 0)) < 40);
    return Object.keys(COLOURS).find((name) => near(COLOURS[name] ?? [])) ?? seen.join();
  };
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)].join(' ');
}

/** Pixels that no format makes small. */
function noise(width: number, height: number): Buffer {
  let state = 1;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state >> 16) & 0xff;
  };
  return pngOfPixels(width, height, () => [next(), next(), next(), 255]);
}

/** As a camera writes it: after the first mark of the file. */
function withThumbnail(jpeg: Uint8Array, small: Uint8Array): Buffer {
  const head = Buffer.from([0xff, 0xe2, 0, 0]);
  head.writeUInt16BE(small.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, small, jpeg.subarray(2)]);
}

function withOrientation(jpeg: Uint8Array, orientation: number): Buffer {
  const exif = Buffer.from('ffe100224578696600004d4d002a00000008000101120003000000010000000000000000', 'hex');
  exif.writeUInt16BE(orientation, 28);
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}
