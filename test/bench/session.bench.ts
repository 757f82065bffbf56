// Stored sessions: opening a long one, listing many, and finding words in all of them.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openRecord } from '../../src/core/session/reopen';
import type { SessionOptions } from '../../src/core/session/types';
import { createLibrary } from '../../src/core/sessions/library';
import { SessionIndex } from '../../src/core/sessions/sessionIndex';
import { ripgrepPath } from '../../src/node/ripgrep';
import { writeSession } from '../support/storedSessions';
import { createWorkspace, type Workspace } from '../support/workspace';
import { fastest, figure, type Figure } from './measure';

const EVENTS = 10_000;
const EVENTS_PER_TURN = 9;
const SESSIONS = 1_000;
const TURNS = 20;
const TRIES = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
const START_MS = Date.UTC(2026, 0, 1);

export async function run(): Promise<readonly Figure[]> {
  const workspace = await createWorkspace();
  try {
    return [...(await measureOpening(workspace)), ...(await measureMany(workspace))];
  } finally {
    await workspace.remove();
  }
}

async function measureOpening({ host, outside }: Workspace): Promise<readonly Figure[]> {
  await writeSession(host, { id: 'long', turns: Math.ceil(EVENTS / EVENTS_PER_TURN), startedMs: START_MS });
  const path = join(outside, 'store/sessions/long.jsonl');
  const options = { host, resume: 'long' } as SessionOptions;
  const open = await fastest(TRIES, async () => {
    const { ownership } = await openRecord(options, 'ask');
    await ownership.release();
  });
  const reading = await fastest(TRIES, async () => parsed(await readFile(path, 'utf8')));
  const bytes = await fastest(TRIES, () => readFile(path, 'utf8'));
  await host.store.remove('sessions/long.jsonl');
  return [
    figure(`opening a session of ${EVENTS} events`, 'ms', open, {
      name: 'reading its file, entry by entry',
      value: reading,
    }),
    figure('the same', 'ms', open, { name: 'its bytes alone, as text', value: bytes }),
  ];
}

function parsed(text: string): unknown[] {
  return text.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]));
}

async function measureMany({ host, outside }: Workspace): Promise<readonly Figure[]> {
  for (let at = 0; at < SESSIONS; at++) {
    const word = at % 50 === 7 ? 'zeppelin' : 'ordinary';
    await writeSession(host, { id: `s${at}`, turns: TURNS, startedMs: START_MS + at * DAY_MS, word });
  }
  const index = () => new SessionIndex(host.store, host.log);
  const listing = await fastest(1, () => index().list());
  const listed = await fastest(TRIES, () => index().list());
  const library = createLibrary({ host, index: index(), opened: () => undefined });
  await library.list();
  const find = (query: string) => async () => {
    let found = 0;
    for await (const _ of library.search(query, new AbortController().signal)) found++;
    return found;
  };
  const folder = join(outside, 'store/sessions');
  const grep =
    (...args: string[]) =>
    () =>
      spawnSync(ripgrepPath(), ['--no-config', '-i', ...args, folder], { maxBuffer: 2 ** 30 });
  const rareRg = { name: 'rg', value: await fastest(TRIES, grep('-F', 'zeppelin')) };
  const commonRg = { name: 'rg', value: await fastest(TRIES, grep('-F', 'parser')) };
  return [
    figure(`a list of ${SESSIONS} sessions, with the index`, 'ms', listed, {
      name: 'the first, without one',
      value: listing,
    }),
    figure(`a rare word in ${SESSIONS} sessions`, 'ms', await fastest(TRIES, find('Zeppelin')), rareRg),
    figure('a word of all sessions', 'ms', await fastest(TRIES, find('parser')), commonRg),
    figure('a rare word and a common one', 'ms', await fastest(TRIES, find('zeppelin parser')), rareRg),
  ];
}
