// The Media port: each piece of work in a thread of its own, ended when it takes too long or too much memory, or when it is no longer wanted.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isProblem, type FileProblem } from '../core/host';
import type { ImageBounds, Media, PdfText, SmallerImage } from '../core/media';
import { versionOf } from './files';
import type { ImageTask } from './workers/image';
import type { PdfMessage } from './workers/pdf';

export interface MediaLimits {
  readonly timeoutMs: number;
  /** That the process may grow by meanwhile: a small file can unpack to very much. */
  readonly growthBytes: number;
  /** Of a PDF's text. */
  readonly maxChars: number;
}

const LIMITS: MediaLimits = { timeoutMs: 20_000, growthBytes: 1024 ** 3, maxChars: 10 * 1024 * 1024 };

export function createMedia(limits: MediaLimits = LIMITS): Media {
  const texts = createTexts();
  return {
    pdfText: (bytes, signal) => texts.of(versionOf(bytes), () => pdfText(bytes, signal, limits)),
    shrinkImage: (bytes, bounds, signal) => shrinkImage(bytes, bounds, signal, limits),
  };
}

/** Of PDF texts that are kept, so that who reads one window after another does not wait for all of it each time. */
const KEPT_CHARS = 20 * 1024 * 1024;

/** Held state: the texts asked for last, the latest at the end. */
function createTexts() {
  const kept = new Map<string, PdfText>();
  const keep = (version: string, text: PdfText) => {
    kept.delete(version);
    kept.set(version, text);
    let chars = 0;
    for (const [each, { pages }] of [...kept].reverse()) {
      for (const { length } of pages) chars += length;
      if (chars > KEPT_CHARS) kept.delete(each);
    }
  };
  return {
    async of(version: string, unpack: () => Promise<PdfText | FileProblem>): Promise<PdfText | FileProblem> {
      const text = kept.get(version) ?? (await unpack());
      if (!isProblem(text)) keep(version, text);
      return text;
    },
  };
}

async function pdfText(bytes: Uint8Array, signal: AbortSignal, limits: MediaLimits): Promise<PdfText | FileProblem> {
  const pages: string[] = [];
  let pageCount = 0;
  let chars = 0;
  const onMessage = (message: PdfMessage): FileProblem | 'more' | 'enough' => {
    if (message.kind === 'failed') return pdfProblem(message);
    if (message.kind === 'done') return 'enough';
    if (message.kind === 'count') pageCount = message.pages;
    else {
      pages.push(message.text);
      chars += message.text.length;
    }
    return chars > limits.maxChars ? 'enough' : 'more';
  };
  const problem = await runWorker({ name: 'pdf', data: bytes, signal, onMessage }, limits);
  // What was reached before time ran out is of use.
  return problem && (pages.length === 0 || problem.problem !== 'too-large') ? problem : { pages, pageCount };
}

function pdfProblem({ reason, message }: PdfMessage & { readonly kind: 'failed' }): FileProblem {
  if (reason === 'damaged') return { problem: 'failed', message: `is no PDF that can be read (${message}).` };
  return {
    problem: 'denied',
    message: 'is a PDF that opens with a password only. Ask the person for a copy without one.',
  };
}

async function shrinkImage(
  bytes: Uint8Array,
  bounds: ImageBounds,
  signal: AbortSignal,
  limits: MediaLimits,
): Promise<SmallerImage | FileProblem> {
  const task: ImageTask = { bytes, bounds };
  let image: SmallerImage | undefined;
  const onMessage = (message: SmallerImage): 'enough' => {
    image = message;
    return 'enough';
  };
  const problem = await runWorker({ name: 'image', data: task, signal, onMessage }, limits);
  return image ?? problem ?? damaged(new Error('nothing came out'));
}

interface WorkerRun<Message> {
  readonly name: 'pdf' | 'image';
  readonly data: unknown;
  readonly signal: AbortSignal;
  /** Anything but `more` ends the thread. */
  onMessage(message: Message): FileProblem | 'more' | 'enough';
}

const LOOK_MS = 50;
const HEAP_MB = 512;

/** Undefined when the work came to its end. A fault of the thread is a problem of the file that it worked on. */
function runWorker<Message>(run: WorkerRun<Message>, limits: MediaLimits): Promise<FileProblem | undefined> {
  const { name, data, signal } = run;
  if (signal.aborted) return Promise.resolve(STOPPED);
  return new Promise((resolve) => {
    const worker = new Worker(workerPath(name), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      stdout: true,
      stderr: true,
      env: {},
      execArgv: [],
    });
    const startRss = process.memoryUsage.rss();
    const end = (problem?: FileProblem) => {
      clearTimeout(timer);
      clearInterval(look);
      signal.removeEventListener('abort', stop);
      worker.removeAllListeners('message');
      void worker.terminate();
      resolve(problem);
    };
    const stop = () => end(STOPPED);
    const timer = setTimeout(() => end(tooMuch(`${limits.timeoutMs / 1000} s`)), limits.timeoutMs);
    const look = setInterval(() => {
      if (process.memoryUsage.rss() - startRss > limits.growthBytes) end(tooMuch('the memory there is for it'));
    }, LOOK_MS);
    signal.addEventListener('abort', stop);
    worker.on('message', (message: Message) => {
      const answer = run.onMessage(message);
      if (answer !== 'more') end(answer === 'enough' ? undefined : answer);
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch('the memory there is for it') : damaged(error));
    });
    worker.on('exit', () => end(damaged(new Error('the thread ended'))));
  });
}

const STOPPED: FileProblem = { problem: 'failed', message: 'was not read to its end: the call was stopped.' };

function tooMuch(what: string): FileProblem {
  return { problem: 'too-large', message: `takes more than ${what} to read. Take a part of it out with the shell.` };
}

function damaged(error: Error): FileProblem {
  return { problem: 'failed', message: `is damaged: it cannot be decoded (${error.message}).` };
}

/** This code runs from `dist/`, `dist/chunks/` or, in tests, from `out/test/…`. */
const MAX_LEVELS_UP = 6;

function workerPath(name: string): string {
  let folder = import.meta.dirname;
  for (let level = 0; level < MAX_LEVELS_UP; level++, folder = dirname(folder)) {
    for (const path of [join(folder, 'workers', `${name}.js`), join(folder, 'dist/workers', `${name}.js`)])
      if (existsSync(path)) return path;
  }
  throw new Error(`dist/workers/${name}.js is missing: the installation is broken`);
}
