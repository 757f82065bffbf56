// Sessions as files, of any number and length: written as the product writes them, with words that are the same in each run.
import type { EventBody } from '../../src/common/events';
import { MAIN_AGENT } from '../../src/common/events';
import type { Host } from '../../src/core/host';
import { entryLine, sessionFile } from '../../src/core/session/journal';

export interface MadeSession {
  readonly id: string;
  /** Each makes nine events or so. */
  readonly turns: number;
  readonly startedMs: number;
  /** Stands in the answer of its last turn. */
  readonly word?: string;
  readonly resultChars?: number;
}

const WORDS =
  'the module reads every file of a folder and counts lines where tests fail because session state was not restored after reload while parser keeps tokens for later use in cache'.split(
    ' ',
  );
const TURN_MS = 60_000;

/** Numbers that look random and are the same each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31);
}

export async function writeSession({ store, ids }: Pick<Host, 'store' | 'ids'>, made: MadeSession): Promise<void> {
  const { id, turns, startedMs, word, resultChars = 4_000 } = made;
  const next = numbers(turns + startedMs);
  const prose = (chars: number): string => {
    const words: string[] = [];
    for (let length = 0; length < chars;) {
      const one = WORDS[next() % WORDS.length] ?? '';
      words.push(one);
      length += one.length + 1;
    }
    return words.join(' ');
  };
  const lines: string[] = [];
  let seq = 0;
  const add = (turn: string, time: number, body: EventBody): void => {
    lines.push(entryLine(ids, { ...body, seq: ++seq, time, session: id, turn, agent: MAIN_AGENT }));
  };
  add('none', startedMs, { type: 'session/started', roots: ['/work/project'], mode: 'ask' });
  for (let at = 0; at < turns; at++) {
    const turn = `turn_${at}`;
    const time = startedMs + at * TURN_MS;
    const call = `toolu_${id}_${at}`;
    const path = `/work/project/src/${WORDS[at % WORDS.length]}${at}.ts`;
    const usage = { inputTokens: 900, outputTokens: 120, cacheReadTokens: 4_000, cacheWriteTokens: 300 };
    add(turn, time, { type: 'turn/started', text: prose(200) });
    add(turn, time, {
      ...{ type: 'block/finished', block: `b${at}/0` },
      content: { type: 'tool_use', id: call, name: 'read', input: { file_path: path } },
    });
    add(turn, time, { type: 'message/finished', stopReason: 'tool_use', usage, model: 'model-1' });
    add(turn, time, { type: 'tool/queued', call, tool: 'read', kind: 'read', title: `Read ${path}` });
    add(turn, time, { type: 'tool/started', call });
    const text = prose(resultChars);
    add(turn, time, { type: 'tool/finished', call, status: 'done', text, wholeChars: text.length, durationMs: 3 });
    const said = word !== undefined && at === turns - 1 ? `${prose(300)} ${word} ${prose(300)}` : prose(600);
    add(turn, time, { type: 'block/finished', block: `b${at}/1`, content: { type: 'text', text: said } });
    add(turn, time, { type: 'message/finished', stopReason: 'end_turn', usage, model: 'model-1' });
    add(turn, time, { type: 'turn/finished', end: 'done', usage, durationMs: 900 });
  }
  await store.append(sessionFile(id), lines.join(''));
}
