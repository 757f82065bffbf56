// A thread of its own: makes a smaller copy of a picture. Whoever started it ends it when it takes too long.
import { parentPort, workerData } from 'node:worker_threads';
import { PhotonImage, resize, SamplingFilter } from '@silvia-odwyer/photon-node';
import type { ImageBounds, SmallerImage } from '../../core/media';

export interface ImageTask {
  readonly bytes: Uint8Array;
  readonly bounds: ImageBounds;
}

/** Tried one after the other until the picture is light enough; then it is made smaller still. */
const JPEG_QUALITIES = [88, 75, 60];
const SHRINK_STEP = 0.7;

function shrink({ bytes, bounds }: ImageTask): SmallerImage {
  const isJpeg = bytes[0] === 0xff;
  const whole = upright(PhotonImage.new_from_byteslice(bytes), bounds.orientation);
  for (let side = bounds.maxSidePixels; ; side = Math.floor(side * SHRINK_STEP)) {
    const image = fit(whole, side);
    const size = { width: image.get_width(), height: image.get_height() };
    const png = isJpeg ? undefined : image.get_bytes();
    if (png && png.length <= bounds.maxBytes) return { bytes: png, mediaType: 'image/png', ...size };
    for (const quality of JPEG_QUALITIES) {
      const jpeg = image.get_bytes_jpeg(quality);
      if (jpeg.length <= bounds.maxBytes) return { bytes: jpeg, mediaType: 'image/jpeg', ...size };
    }
  }
}

function fit(image: PhotonImage, maxSide: number): PhotonImage {
  const [width, height] = [image.get_width(), image.get_height()];
  const scale = maxSide / Math.max(width, height);
  if (scale >= 1) return image;
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return resize(image, scaled(width), scaled(height), SamplingFilter.Triangle);
}

/** Turned and mirrored by exchanging pixels, so that nothing is lost. */
function upright(image: PhotonImage, orientation: number): PhotonImage {
  if (orientation <= 1 || orientation > 8) return image;
  const [width, height] = [image.get_width(), image.get_height()];
  const from = new Uint32Array(image.get_raw_pixels().slice().buffer);
  const to = new Uint32Array(from.length);
  const isOnItsSide = orientation >= 5;
  const [newWidth, newHeight] = isOnItsSide ? [height, width] : [width, height];
  for (let y = 0; y < newHeight; y++) {
    for (let x = 0; x < newWidth; x++) {
      const [a, b] = isOnItsSide ? [y, x] : [x, y];
      const column = [2, 3, 7, 8].includes(orientation) ? width - 1 - a : a;
      const row = [3, 4, 6, 7].includes(orientation) ? height - 1 - b : b;
      to[y * newWidth + x] = from[row * width + column] ?? 0;
    }
  }
  image.free();
  return new PhotonImage(new Uint8Array(to.buffer), newWidth, newHeight);
}

parentPort?.postMessage(shrink(workerData as ImageTask));
