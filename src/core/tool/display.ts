// Keeps a display within its bound, whatever a tool puts into it: lists lose their end, texts the part that matters less, and what is gone is counted.
import {
  DISPLAY_MAX_CHARS,
  type Display,
  type FileDiff,
  type Hunk,
  type MatchGroup,
  type Question,
  type QuestionAnswer,
} from '../../common/display';

/** Left for what every display carries besides its long part. */
const FRAME_CHARS = 512;
const BODY_CHARS = DISPLAY_MAX_CHARS - FRAME_CHARS;
/** Of a text; its end gets the rest. */
const HEAD_CHARS = Math.floor(BODY_CHARS * 0.6);
/** One path, command or line of text among others. */
const PART_MAX_CHARS = 2_000;
const COMMAND_MAX_CHARS = 8_000;

/** The same display when it fits: at most DISPLAY_MAX_CHARS as JSON. */
export function fitDisplay(display: Display): Display {
  return sizeOf(display) <= DISPLAY_MAX_CHARS ? display : cutDisplay(display);
}

function cutDisplay(display: Display): Display {
  switch (display.kind) {
    case 'text':
      return cutText(display);
    case 'file':
      return { ...display, path: clip(display.path) };
    case 'files': {
      const paths = fitItems(display.paths.map(clip), BODY_CHARS);
      return { ...display, paths, more: display.more + display.paths.length - paths.length };
    }
    case 'matches':
      return cutMatches(display);
    case 'diff':
      return cutDiff(display);
    case 'shell': {
      const command = fitCommand(display.command);
      const cwd = clip(display.cwd);
      const mayTakeEffect = display.mayTakeEffect && fitItems(display.mayTakeEffect.map(clip), PART_MAX_CHARS);
      const tail = fitTail(
        display.tail,
        BODY_CHARS - sizeOf(command) - sizeOf(cwd) - (mayTakeEffect ? sizeOf(mayTakeEffect) : 0),
      );
      const moreChars = display.moreChars + display.tail.length - tail.length;
      return { ...display, command, cwd, ...(mayTakeEffect && { mayTakeEffect }), tail, moreChars };
    }
    case 'todos': {
      const todos = display.todos.map((todo) => ({ ...todo, id: clip(todo.id), content: clip(todo.content) }));
      return { ...display, todos: fitItems(todos, BODY_CHARS) };
    }
    case 'questions': {
      const questions = fitItems(display.questions.map(clipQuestion), BODY_CHARS / 2);
      return { ...display, questions, answers: fitItems(display.answers.map(clipAnswer), BODY_CHARS / 2) };
    }
  }
}

type DisplayOf<K extends Display['kind']> = Extract<Display, { readonly kind: K }>;

/** Its two ends; of one whose end is not known, the head. */
function cutText({ kind, text: whole, moreChars = 0, tail: end }: DisplayOf<'text'>): Display {
  const isEndKnown = end !== undefined || moreChars === 0;
  const text = fitHead(whole, isEndKnown ? HEAD_CHARS : BODY_CHARS);
  if (!isEndKnown) return { kind, text, moreChars: moreChars + whole.length - text.length };
  const tail = fitTail(end ?? whole.slice(text.length), BODY_CHARS - sizeOf(text));
  return { kind, text, moreChars: moreChars + whole.length + (end?.length ?? 0) - text.length - tail.length, tail };
}

function cutMatches(display: DisplayOf<'matches'>): Display {
  const groups: MatchGroup[] = [];
  let room = BODY_CHARS;
  let shownLines = 0;
  for (const { path, count, lines } of display.groups) {
    const group: MatchGroup = { path: clip(path), count, lines: [] };
    room -= sizeOf(group) + 1;
    if (room < 0) break;
    const fitting = fitItems(
      lines.map((line) => ({ ...line, text: clip(line.text) })),
      room,
    );
    room -= sizeOf(fitting);
    shownLines += fitting.filter(isMatch).length;
    groups.push({ ...group, lines: fitting });
  }
  const allLines = display.groups.flatMap(({ lines }) => lines).filter(isMatch).length;
  return { ...display, groups, more: display.more + allLines - shownLines };
}

function isMatch({ isContext }: { readonly isContext?: boolean }): boolean {
  return isContext !== true;
}

function cutDiff(display: DisplayOf<'diff'>): Display {
  const files: FileDiff[] = [];
  let room = BODY_CHARS;
  for (const file of display.files) {
    const from = file.from === undefined ? {} : { from: clip(file.from) };
    const frame: FileDiff = { ...file, ...from, path: clip(file.path), hunks: [], moreHunks: file.hunks.length };
    room -= sizeOf(frame) + 1;
    if (room < 0) break;
    const hunks = fitHunks(file.hunks, room);
    room -= sizeOf(hunks);
    const { moreHunks: _, ...rest } = frame;
    const moreHunks =
      (file.moreHunks ?? 0) + file.hunks.filter((hunk, i) => hunk.lines.length !== hunks[i]?.lines.length).length;
    files.push({ ...rest, hunks, ...(moreHunks === 0 ? {} : { moreHunks }) });
  }
  const moreFiles = (display.moreFiles ?? 0) + display.files.length - files.length;
  return { ...display, files, ...(moreFiles === 0 ? {} : { moreFiles }) };
}

/** Whole hunks while they fit, then the first lines of the next one, which counts as left out. */
function fitHunks(hunks: readonly Hunk[], maxChars: number): Hunk[] {
  const fitting = fitItems(hunks, maxChars);
  const next = hunks[fitting.length];
  if (!next) return fitting;
  const frame = { ...next, lines: [] };
  const lines = next.lines.map((line) => ({ ...line, text: clip(line.text) }));
  const some = fitItems(lines, maxChars - sizeOf(fitting) - sizeOf(frame));
  return some.length === 0 ? fitting : [...fitting, { ...frame, lines: some }];
}

function clipQuestion({ question, header, options, multiple }: Question): Question {
  const clipped = options.map(({ label, description }) => ({ label: clip(label), description: clip(description) }));
  return { question: clip(question), header: clip(header), options: fitItems(clipped, PART_MAX_CHARS), multiple };
}

function clipAnswer({ question, chosen, text }: QuestionAnswer): QuestionAnswer {
  const answer = { question: clip(question), chosen: fitItems(chosen.map(clip), PART_MAX_CHARS) };
  return text === undefined ? answer : { ...answer, text: clip(text) };
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}

/** The first items that fit as a JSON list. */
function fitItems<T>(items: readonly T[], maxChars: number): T[] {
  let room = maxChars - 2;
  const end = items.findIndex((item) => (room -= sizeOf(item) + 1) < 0);
  return items.slice(0, end === -1 ? items.length : end);
}

/** A person may be about to allow it: as much as there is room for, and never cut without a word. */
function fitCommand(command: string): string {
  const head = fitHead(command, COMMAND_MAX_CHARS);
  return head === command ? command : `${head}\n… (${command.length - head.length} more characters are not shown)`;
}

function clip(text: string): string {
  const head = fitHead(text, PART_MAX_CHARS);
  return head === text ? text : `${head}…`;
}

function fitHead(text: string, maxChars: number): string {
  return fitText(maxChars, text.length, (chars) => text.slice(0, chars));
}

function fitTail(text: string, maxChars: number): string {
  return fitText(maxChars, text.length, (chars) => text.slice(text.length - chars));
}

/** Control characters and lone surrogates take up to six characters in JSON, so the length is found by trying. */
function fitText(maxChars: number, wholeChars: number, cut: (chars: number) => string): string {
  let chars = Math.min(wholeChars, Math.max(0, maxChars));
  let size = sizeOf(cut(chars));
  while (chars > 0 && size > maxChars + 2) {
    chars = Math.floor(Math.min(chars - 1, (chars * maxChars) / size));
    size = sizeOf(cut(chars));
  }
  // Never half of a character: U+FFFD would be drawn for it.
  return cut(chars).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
