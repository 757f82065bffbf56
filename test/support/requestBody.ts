// What a recorded request carries, for tests of its bytes, its cache marks and its tool results.

interface Block {
  readonly type?: string;
  readonly tool_use_id?: string;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly is_error?: boolean;
  readonly text?: string;
  readonly cache_control?: unknown;
}

interface Body {
  readonly system: readonly Block[];
  readonly tools: readonly (Block & { readonly name: string })[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
}

function bodyOf(bodyText: string): Body {
  return JSON.parse(bodyText) as Body;
}

/** The body's own bytes, but for the cache marks, which move on from request to request. */
export function withoutMarks(bodyText: string): string {
  return JSON.stringify(bodyOf(bodyText), withoutMark);
}

/** Tools, system and messages without marks, cut before the end of the messages: what a longer request has to begin with. */
export function prefixOf(bodyText: string): string {
  const { system, tools, messages } = bodyOf(bodyText);
  return JSON.stringify([tools, system, messages], withoutMark).slice(0, -']}]]'.length);
}

/** System and tools, marks included. */
export function headOf(bodyText: string): string {
  const { system, tools } = bodyOf(bodyText);
  return JSON.stringify({ system, tools });
}

/** Places of the marked blocks: `tools.NAME`, `system.INDEX`, and `MESSAGE.BLOCK` for those in messages. */
export function marksOf(bodyText: string): string[] {
  const { system, tools, messages } = bodyOf(bodyText);
  return [
    ...tools.filter(isMarked).map(({ name }) => `tools.${name}`),
    ...system.flatMap((block, at) => (isMarked(block) ? [`system.${at}`] : [])),
    ...messages.flatMap(({ content }, message) =>
      content.flatMap((block, at) => (isMarked(block) ? [`${message}.${at}`] : [])),
    ),
  ];
}

/** The texts of the tool results, by call. */
export function resultsOf(bodyText: string): Readonly<Record<string, string>> {
  const blocks = bodyOf(bodyText).messages.flatMap(({ content }) => content);
  const results = blocks.filter(({ type }) => type === 'tool_result');
  return Object.fromEntries(
    results.map(({ tool_use_id, content = [] }) => [tool_use_id, content.map(({ text = '' }) => text).join('')]),
  );
}

/** The texts of the last message, results not counted. */
export function lastTextsOf(bodyText: string): string[] {
  const last = bodyOf(bodyText).messages.at(-1);
  return last?.content.flatMap(({ type, text = '' }) => (type === 'text' ? [text] : [])) ?? [];
}

/** How many characters two texts begin with alike. */
export function commonChars(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

function isMarked({ cache_control }: Block): boolean {
  return cache_control !== undefined;
}

function withoutMark(key: string, value: unknown): unknown {
  return key === 'cache_control' ? undefined : value;
}
