// The smallest files that are pictures of a given size: a PNG of one colour, of the others what a reader of headers needs.
import { crc32, deflateSync } from 'node:zlib';

/** Grey, a bit a pixel: small even where it is large. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.from('00000000000000000100000000', 'hex');
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return pngOf(header, deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height)));
}

/** Says that it has as many pixels, and has none. */
export function pngBomb(width: number, height: number): Buffer {
  const header = Buffer.from('00000000000000000806000000', 'hex');
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return pngOf(header, deflateSync(Buffer.alloc(1)));
}

/** Red, green, blue and alpha of each pixel, as they come from `pixel`; hardly compressed. */
export function pngOfPixels(width: number, height: number, pixel: (x: number, y: number) => readonly number[]): Buffer {
  const header = Buffer.from('00000000000000000806000000', 'hex');
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const rows = Buffer.alloc((width * 4 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(pixel(x, y), y * (width * 4 + 1) + 1 + x * 4);
  }
  return pngOf(header, deflateSync(rows, { level: 1 }));
}

function pngOf(header: Buffer, pixels: Buffer): Buffer {
  const start = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

export function gif(width: number, height: number): Buffer {
  const header = Buffer.from('GIF89a\0\0\0\0\0\0\0;', 'latin1');
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  return header;
}

/** A GIF of frames that are each of one colour, which is the number of its frame: 0 red, 1 green. */
export function animatedGif(width: number, height: number): Buffer {
  const screen = Buffer.from('GIF89a\0\0\0\0\x80\0\0', 'latin1');
  screen.writeUInt16LE(width, 6);
  screen.writeUInt16LE(height, 8);
  const colours = Buffer.from('ff000000ff00', 'hex');
  return Buffer.concat([screen, colours, frame(width, height, 0), frame(width, height, 1), Buffer.from(';')]);
}

/** A clear code before every second pixel keeps all codes at three bits. */
function frame(width: number, height: number, colour: number): Buffer {
  const [CLEAR, END] = [4, 5];
  const codes: number[] = [];
  for (let at = 0; at < width * height; at++) codes.push(...(at % 2 === 0 ? [CLEAR, colour] : [colour]));
  codes.push(END);
  const bits = Buffer.alloc(Math.ceil((codes.length * 3) / 8));
  for (const [at, code] of codes.entries()) {
    for (let bit = 0; bit < 3; bit++) {
      const place = at * 3 + bit;
      bits[place >> 3] = (bits[place >> 3] ?? 0) | (((code >> bit) & 1) << (place & 7));
    }
  }
  const head = Buffer.from('21f904000a000000' + '2c00000000' + '00000000' + '00' + '02', 'hex');
  head.writeUInt16LE(width, 13);
  head.writeUInt16LE(height, 15);
  const blocks: Buffer[] = [];
  for (let start = 0; start < bits.length; start += 255) {
    const block = bits.subarray(start, start + 255);
    blocks.push(Buffer.of(block.length), block);
  }
  return Buffer.concat([head, ...blocks, Buffer.of(0)]);
}

export function jpeg(width: number, height: number): Buffer {
  const header = Buffer.from(
    'ffd8ffe000104a46494600010100000100010000ffc0001108000000000301220002110103110100ffd9',
    'hex',
  );
  header.writeUInt16BE(height, 25);
  header.writeUInt16BE(width, 27);
  return header;
}

export function webp(width: number, height: number): Buffer {
  const header = Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1');
  header.writeUIntLE(width - 1, 24, 3);
  header.writeUIntLE(height - 1, 27, 3);
  return header;
}
