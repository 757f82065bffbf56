// How the cells of a notebook are shown to a model: each with its id and source, its outputs shortened.
import type { ImageBlock } from '../../common/blocks';
import type { CellOutput, NotebookCell } from './notebook';
import type { Item } from './window';

/** Longer sources are shown in part; the rest takes the shell. */
const SOURCE_MAX_CHARS = 20_000;
/** Of each output: what it begins with, of an error what it ends with, since the cause stands there. */
const OUTPUT_MAX_CHARS = 2_000;
const OUTPUTS_MAX = 20;

/** Makes a block of what a cell drew; undefined when the model sees no images or has had enough of them. */
export type DrawImage = (output: CellOutput) => Promise<ImageBlock | undefined>;

export async function cellItem(cell: NotebookCell, draw: DrawImage): Promise<Item> {
  const { name, type, language, source, executionCount, outputs } = cell;
  const run = executionCount === undefined ? '' : ` run="${executionCount}"`;
  const images: ImageBlock[] = [];
  const shown: string[] = [];
  for (const output of outputs.slice(0, OUTPUTS_MAX)) {
    const image = output.kind === 'image' ? await draw(output) : undefined;
    if (image) images.push(image);
    shown.push(outputText(output, image !== undefined));
  }
  const isCut = source.length > SOURCE_MAX_CHARS;
  const text = [
    `<cell id="${name}" type="${type}" language="${language}"${run}>`,
    ...(source === '' ? [] : [isCut ? head(source, SOURCE_MAX_CHARS) : source.replace(/\n$/, '')]),
    '</cell>',
    ...shown,
    ...(outputs.length > OUTPUTS_MAX ? [`(${outputs.length - OUTPUTS_MAX} more outputs)`] : []),
  ].join('\n');
  return { text, isCut, images };
}

function outputText({ kind, text, data = '' }: CellOutput, isDrawn: boolean): string {
  if (kind === 'image') {
    const bytes = `${Math.ceil((data.length * 3) / 4 / 1024)} KB`;
    return `<output>(${text}, ${bytes}${isDrawn ? ', shown below' : ''})</output>`;
  }
  const plain = text.replace(COLOURS, '').trimEnd();
  if (kind === 'error') return `<error>\n${tail(plain, OUTPUT_MAX_CHARS)}\n</error>`;
  return `<output>\n${head(plain, OUTPUT_MAX_CHARS)}\n</output>`;
}

/** Tracebacks come coloured. */
const COLOURS = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*m`, 'g');

function head(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const kept = text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… (${text.length - kept.length} more characters)`;
}

function tail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const kept = text.slice(-maxChars).replace(/^[\udc00-\udfff]/, '');
  return `(${text.length - kept.length} characters before) …${kept}`;
}
