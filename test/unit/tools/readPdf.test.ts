// read with PDFs: their text by page, and what cannot be had of one.
import assert from 'node:assert/strict';
import { isProblem } from '../../../src/core/host';
import { createMedia, type MediaLimits } from '../../../src/node/media';
import { endlessPdf, lockedPdf, pdf, swollenPdf } from '../../support/pdf';
import { checkTool, withTools } from '../../support/toolTest';

const FILES = {
  'two.pdf': pdf(['First line\nsecond (line)', 'Next page']),
  'blob.bin': Buffer.concat([pdf(['By content']), Buffer.of(0)]),
  'scan.pdf': pdf(['', '']),
  'half.pdf': pdf(['some text', '']),
  'locked.pdf': lockedPdf(),
  'broken.pdf': Buffer.from('%PDF-1.4\nnothing of one\n'),
  'text.pdf': 'no PDF at all\n',
};

const WHAT = '(The text of a PDF, without its layout and pictures.)';

checkTool('read', FILES, [
  {
    what: 'T01: shows the text of a PDF by page',
    input: { file_path: 'two.pdf' },
    text: `     1\t[Page 1 of 2]\n     2\tFirst line\n     3\tsecond (line)\n     4\t[Page 2 of 2]\n     5\tNext page\n${WHAT}`,
    display: { kind: 'file', path: 'two.pdf', startLine: 1, endLine: 5, totalLines: 5 },
  },
  {
    what: 'T01: a window of it',
    input: { file_path: 'two.pdf', offset: 4, limit: 1 },
    text: `     4\t[Page 2 of 2]\n(Lines 4–4 of 5. Go on with offset 5.)\n${WHAT}`,
  },
  {
    what: 'T01: a PDF by another name, for a model that sees nothing too',
    input: { file_path: 'blob.bin' },
    options: { isTextOnly: true },
    text: `     1\t[Page 1 of 1]\n     2\tBy content\n${WHAT}`,
  },
  {
    what: 'R01: the same read of a PDF is answered with a pointer',
    before: [['read', { file_path: 'two.pdf' }]],
    input: { file_path: 'two.pdf' },
    text: 'two.pdf has not changed since call c1 read these lines; their text is in that result.',
  },
  {
    what: 'T01: tells scans from text',
    input: { file_path: 'scan.pdf' },
    text: '     1\t[Page 1 of 2: no text]\n     2\t[Page 2 of 2: no text]\n(No page has text: these are pictures, such as scans. Turn pages into images or text with the shell.)',
  },
  {
    what: 'T01: tells single pages without text',
    input: { file_path: 'half.pdf' },
    text: /\[Page 2 of 2: no text\]\n/,
  },
  {
    what: 'T01: tells a PDF with a password',
    input: { file_path: 'locked.pdf' },
    status: 'failed',
    text: 'locked.pdf is a PDF that opens with a password only. Ask the person for a copy without one.',
  },
  {
    what: 'R34: tells a damaged PDF',
    input: { file_path: 'broken.pdf' },
    status: 'failed',
    text: /^broken\.pdf is no PDF that can be read \(.+\)\.$/,
  },
  { what: 'text under the name of a PDF is text', input: { file_path: 'text.pdf' }, text: '     1\tno PDF at all' },
]);

describe('R34 PDFs from strangers', () => {
  const NEVER = new AbortController().signal;
  const LIMITS: MediaLimits = { timeoutMs: 20_000, growthBytes: 1024 ** 3, maxChars: 1_000_000 };

  function check(what: string, bytes: () => Buffer, limits: Partial<MediaLimits>, expected: RegExp): void {
    it(what, async () => {
      const found = await createMedia({ ...LIMITS, ...limits }).pdfText(bytes(), NEVER);
      assert.ok(isProblem(found), JSON.stringify(found));
      assert.match(found.message, expected);
    });
  }
  check('one that never ends is given up', endlessPdf, { timeoutMs: 500 }, /^takes more than 0\.5 s to read\./);
  check(
    'one that unpacks to very much is given up',
    () => swollenPdf(400),
    { growthBytes: 150 * 1024 * 1024 },
    /^takes more than the memory there is for it to read\./,
  );

  it('what was reached in time is shown', async () => {
    const text = 'x'.repeat(50);
    const found = await createMedia({ ...LIMITS, maxChars: 60 }).pdfText(pdf([text, text, text]), NEVER);
    assert.deepEqual(found, { pages: [text, text], pageCount: 3 });
  });

  it('a text that is known is not taken out again; another or an unreached one is', async () => {
    const media = createMedia({ ...LIMITS, timeoutMs: 20_000 });
    const [one, two] = [pdf(['one']), pdf(['two'])];
    const first = await media.pdfText(one, NEVER);
    assert.equal(await media.pdfText(Buffer.from(one), NEVER), first);
    assert.deepEqual(await media.pdfText(two, NEVER), { pages: ['two'], pageCount: 1 });
    const stopped = AbortSignal.abort();
    const three = pdf(['three']);
    assert.ok(isProblem(await media.pdfText(three, stopped)));
    assert.deepEqual(await media.pdfText(three, NEVER), { pages: ['three'], pageCount: 1 });
  });

  it('the host goes on meanwhile, and a stopped call ends the work', () =>
    withTools({ 'a.pdf': endlessPdf() }, async ({ call, stop, host }) => {
      const reading = call('read', { file_path: 'a.pdf' });
      let beats = 0;
      for (; beats < 20; beats++) await host.clock.sleep(10);
      stop.abort();
      const { status } = await reading;
      assert.deepEqual([status, beats], ['stopped', 20]);
    }));
});

describe('R05 a PDF', () => {
  it('that was read is no ground to write over it', () =>
    withTools({ 'a.pdf': pdf(['text']) }, async ({ call, bytes }) => {
      const before = await bytes('a.pdf');
      await call('read', { file_path: 'a.pdf' });
      const { status } = await call('write', { file_path: 'a.pdf', content: 'new' });
      assert.equal(status, 'failed');
      assert.deepEqual(await bytes('a.pdf'), before);
    }));
});
