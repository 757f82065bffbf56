// The library of stored sessions over sessions that really ran: listed, found, named, forked, handed out, taken in, deleted.
import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '../../src/core/store';
import { createLibrary } from '../../src/core/sessions/library';
import { SessionIndex } from '../../src/core/sessions/sessionIndex';
import type { FoundSession, Library } from '../../src/core/sessions/types';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { countedTools, withSession, type SessionTest } from '../support/sessionTest';
import { writeSession } from '../support/storedSessions';
import { inWorkspace } from '../support/workspace';

const KEY = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';

/** Two turns, the second with a key in it; then the session is closed. */
async function withLibrary(use: (test: SessionTest, library: Library) => Promise<void>): Promise<void> {
  const { tools } = countedTools();
  const replies = [
    reply(text('A café by the Zürich lake'), toolUse('poke', { id: 'first' })),
    reply(text('Poked.')),
    reply(text('Second answer'), toolUse('poke', { id: `key ${KEY}` })),
    reply(text('All done.')),
    { ...reply(text('Going on.')), times: 'always' as const },
  ];
  await withSession({ replies, tools }, async (test) => {
    await test.session.prompt('Paint the\nshed "today"');
    await test.session.prompt(`Use ${KEY} for it`);
    await test.session.close();
    const { host } = test.workspace;
    await use(test, createLibrary({ host, index: new SessionIndex(host.store, host.log), opened: () => undefined }));
  });
}

async function found(library: Library, query: string): Promise<FoundSession[]> {
  const all: FoundSession[] = [];
  for await (const one of library.search(query, new AbortController().signal)) all.push(one);
  return all;
}

async function exported(library: Library, id: string, format: 'markdown' | 'json'): Promise<string> {
  const outcome = await library.export(id, { format, redact: true });
  assert.ok(outcome.ok);
  let whole = '';
  for await (const piece of outcome.text) whole += piece;
  return whole;
}

describe('the library of sessions', () => {
  it('lists what the events say, and follows names and archiving', async () => {
    await withLibrary(async ({ session, workspace }, library) => {
      const [one] = await library.list();
      assert.deepEqual(
        { ...one, startedMs: 0, lastMs: 0, sizeBytes: 0, usage: 0, model: 0 },
        {
          ...{ id: session.id, title: 'Paint the shed "today"', startedMs: 0, lastMs: 0, turns: 2, sizeBytes: 0 },
          ...{ model: 0, usage: 0, isArchived: false, roots: [workspace.root] },
        },
      );
      assert.deepEqual(await library.rename(session.id, ' My\u202e\nshed '), { ok: true });
      assert.deepEqual(await library.archive(session.id, true), { ok: true });
      const [named] = await library.list();
      assert.deepEqual(
        [named?.title, named?.titledBy, named?.isArchived, named?.lastMs],
        ['My shed', 'person', true, one?.lastMs],
      );
      assert.equal((await library.rename(session.id, ' \u200b ')).ok, false);
      assert.equal((await library.rename('../x', 'y')).ok, false);
    });
  });

  const checkFound = (query: string, of: readonly string[] | undefined): void => {
    it(`${of ? 'finds' : 'does not find'} ${query}`, async () => {
      await withLibrary(async ({ session }, library) => {
        const sessions = await found(library, query);
        assert.deepEqual(
          sessions.map((one) => [one.session.id, one.excerpts.map((excerpt) => excerpt.of)]),
          of ? [[session.id, of]] : [],
        );
        for (const { excerpts } of sessions) for (const { marks } of excerpts) assert.ok(marks.length > 0);
      });
    });
  };
  checkFound('SHED', ['prompt']);
  checkFound('"the shed"', ['prompt']);
  checkFound('"shed the"', undefined);
  checkFound('"shed "today', ['prompt']);
  checkFound('cafe\u0301 zürich', ['answer']);
  checkFound('paint café', ['prompt', 'answer']);
  checkFound('paint elephant', undefined);
  checkFound('poke first', ['tool', 'answer', 'tool']);
  checkFound('turn/started', undefined);
  checkFound('stopReason', undefined);
  checkFound('  ', undefined);

  it('forks before a turn: the conversation goes on from there, with outputs, and the first session is as it was', async () => {
    await withLibrary(async (test, library) => {
      const { session, server } = test;
      const turn = session.prompts()[1]?.turn;
      const forked = await library.fork(session.id, turn);
      assert.ok(forked.ok);
      const copy = await test.reopen(forked.id);
      assert.deepEqual(
        copy.prompts().map((prompt) => prompt.text),
        ['Paint the\nshed "today"'],
      );
      const call = test.of('tool/finished')[0]?.call ?? '';
      assert.equal((await copy.outputs.read(call, 0)).text, 'poke first');
      assert.equal(await copy.prompt('Now blue'), 'done');
      assert.equal(JSON.stringify(server.requests.at(-1)).includes(KEY), false);
      await copy.close();
      const [entry] = await library.list();
      assert.deepEqual([entry?.id, entry?.forkedFrom], [forked.id, { session: session.id, turn }]);
      assert.equal((await library.fork(session.id, 'turn_unknown')).ok, false);
    });
  });

  it('exports without secrets, and takes its JSON back as a session of its own', async () => {
    await withLibrary(async (test, library) => {
      const markdown = await exported(library, test.session.id, 'markdown');
      assert.match(markdown, /## You\n\nPaint the\nshed[^]*<summary>Poke first \(done\)<\/summary>[^]*All done\./);
      const json = await exported(library, test.session.id, 'json');
      assert.deepEqual([markdown.includes(KEY), json.includes(KEY)], [false, false]);
      const taken = await library.import(Buffer.from(json));
      assert.ok(taken.ok);
      const copy = await test.reopen(taken.id);
      assert.equal(copy.prompts().length, 2);
      assert.equal(await copy.prompt('Go on'), 'done');
      await copy.close();
      assert.equal((await library.list()).find(({ id }) => id === taken.id)?.isImported, true);
    });
  });

  const checkRefused = (name: string, file: string | Uint8Array, reason: RegExp): void => {
    it(`refuses to import ${name}`, () =>
      inWorkspace({}, async ({ host }) => {
        const library = createLibrary({ host, index: new SessionIndex(host.store, host.log), opened: () => undefined });
        const outcome = await library.import(typeof file === 'string' ? Buffer.from(file) : file);
        assert.match(outcome.ok ? '' : outcome.reason, reason);
        assert.deepEqual(await library.list(), []);
      }));
  };
  checkRefused('what is no JSON', 'hello', /no session that Lathe exported/);
  checkRefused('bytes that are no text', Uint8Array.of(0xff, 0xfe), /no session that Lathe exported/);
  checkRefused('a newer version', '{"format":"lathe-session","version":9,"events":[{}]}', /Update Lathe/);
  checkRefused('what holds nothing', '{"format":"lathe-session","version":1,"events":[]}', /no entries/);
  checkRefused('an unknown entry', '{"format":"lathe-session","version":1,"events":[{"type":"x"}]}', /Entry 1 /);

  it('deletes a session with all that is kept for it, unless somebody has it open', async () => {
    await withLibrary(async (test, library) => {
      const store = join(test.workspace.outside, 'store');
      const lock = await test.workspace.host.store.lock(`locks/${test.session.id}`);
      assert.match(JSON.stringify(await library.remove(test.session.id)), /another window/);
      await lock?.release();
      assert.deepEqual(await library.remove(test.session.id), { ok: true });
      const left = (await readdir(store, { recursive: true })).filter((name) => name.includes(test.session.id));
      assert.deepEqual([left, await library.list()], [[], []]);
    });
  });
});

describe('the index of sessions', () => {
  /** Notes which files are read. */
  function watched(store: Store): { readonly store: Store; readonly reads: string[] } {
    const reads: string[] = [];
    return {
      reads,
      store: { ...store, read: (name, ...range) => (reads.push(name), store.read(name, ...range)) },
    };
  }

  it('reads no session file when it is good, and only what is new otherwise', () =>
    inWorkspace({}, async ({ host, outside }) => {
      for (const id of ['a', 'b', 'c']) await writeSession(host, { id, turns: 2, startedMs: 1_000 });
      const first = await new SessionIndex(host.store, host.log).list();
      const good = watched(host.store);
      assert.deepEqual(await new SessionIndex(good.store, host.log).list(), first);
      assert.deepEqual(
        good.reads.filter((name) => name.startsWith('sessions/')),
        [],
      );
      await writeSession(host, { id: 'b', turns: 1, startedMs: 9_000_000 });
      const grown = watched(host.store);
      const after = await new SessionIndex(grown.store, host.log).list();
      assert.deepEqual(
        after.map(({ id, turns }) => `${id} ${turns}`),
        ['b 3', 'c 2', 'a 2'],
      );
      assert.deepEqual(
        new Set(grown.reads.filter((name) => name.startsWith('sessions/'))),
        new Set(['sessions/b.jsonl']),
      );
      for (const damage of ['', 'nonsense\n{"v":1}\n\0\0', '{"v":1,"id":"a","summary":{"id":"a"}}\n']) {
        await writeFile(join(outside, 'store/index/sessions.jsonl'), damage);
        assert.deepEqual(await new SessionIndex(host.store, host.log).list(), after);
      }
      await rm(join(outside, 'store/index'), { recursive: true });
      assert.deepEqual(await new SessionIndex(host.store, host.log).list(), after);
    }));

  it('two windows write it, and each sees what the other has added', () =>
    inWorkspace({}, async ({ host }) => {
      const [one, other] = [new SessionIndex(host.store, host.log), new SessionIndex(host.store, host.log)];
      await writeSession(host, { id: 'a', turns: 1, startedMs: 1_000 });
      assert.deepEqual(await one.list(), await other.list());
      await writeSession(host, { id: 'b', turns: 1, startedMs: 2_000 });
      await one.note('b');
      assert.deepEqual(
        (await other.list()).map(({ id }) => id),
        ['b', 'a'],
      );
    }));

  it('shows what stands before a torn line, and what a newer version has written', () =>
    inWorkspace({}, async ({ host, outside }) => {
      const path = join(outside, 'store/sessions/a.jsonl');
      await writeSession(host, { id: 'a', turns: 1, startedMs: 1_000 });
      const whole = await readFile(path, 'utf8');
      await appendFile(path, whole.split('\n')[1]?.slice(0, 80) ?? '');
      const index = new SessionIndex(host.store, host.log);
      assert.deepEqual(
        (await index.list()).map(({ turns }) => turns),
        [1],
      );
      await appendFile(path, '\n{"v":2,"id":"e_1","type":"new"}\n');
      assert.deepEqual(
        (await index.list()).map(({ turns, isNewer }) => [turns, isNewer]),
        [[1, true]],
      );
    }));
});
