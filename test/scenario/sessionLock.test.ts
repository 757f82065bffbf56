// One session, two windows: the second one shows it and writes nothing; what a crash or a newer version has left is told for what it is.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../../src/core/session/types';
import { openSession } from '../../src/core/session/session';
import { unattended } from '../../src/node/asker';
import { createNodeHost } from '../../src/node/host';
import { programStarter } from '../../src/node/program';
import { reply, text } from '../support/model-server/scenario';
import { withSession, type SessionTest } from '../support/sessionTest';

const storeOf = ({ workspace }: SessionTest) => join(workspace.outside, 'store');
const fileOf = (test: SessionTest) => join(storeOf(test), 'sessions', `${test.session.id}.jsonl`);
const lockOf = (test: SessionTest) => join(storeOf(test), 'locks', test.session.id);

/** Another window on the same storage. */
async function openElsewhere(test: SessionTest): Promise<Session> {
  const { root } = test.workspace;
  const host = createNodeHost({ roots: [root], storeDir: storeOf(test), log: { info() {}, warn() {}, error() {} } });
  const provider = () => Promise.reject(new Error('Nothing is asked from here.'));
  return openSession({
    ...{ host, tools: [], asker: unattended, start: programStarter(), provider, mode: 'ask' },
    resume: test.session.id,
  });
}

function noticesOf(session: Session): string[] {
  return session.transcript.page(100).rows.flatMap((row) => (row.type === 'notice' ? [row.text] : []));
}

async function afterTurn(use: (test: SessionTest) => Promise<void>): Promise<void> {
  await withSession({ replies: [{ ...reply(text('Hi')), times: 'always' }] }, async (test) => {
    await test.session.prompt('One');
    await test.session.flush();
    await use(test);
  });
}

describe('a session in two windows', () => {
  it('is shown by the second one, which says so and writes nothing, whatever is tried', async () => {
    await afterTurn(async (test) => {
      const before = await readFile(fileOf(test), 'utf8');
      const second = await openElsewhere(test);
      assert.match(noticesOf(second).join(), /open in another window.*reload this window/);
      assert.deepEqual(
        [
          await second.prompt('Mine'),
          second.rename('Mine', 'person'),
          second.archive(true),
          second.rewind(second.prompts()[0]?.turn ?? ''),
        ],
        ['readonly', false, false, false],
      );
      second.setMode('plan');
      await second.close();
      assert.equal(await readFile(fileOf(test), 'utf8'), before);
      assert.equal(await test.session.prompt('Two'), 'done', 'the first one is still in charge');
    });
  });

  it('does not close a line that the first one is writing', async () => {
    await afterTurn(async (test) => {
      const torn = `${await readFile(fileOf(test), 'utf8')}{"v":1,`;
      await writeFile(fileOf(test), torn);
      const second = await openElsewhere(test);
      await second.close();
      assert.equal(await readFile(fileOf(test), 'utf8'), torn);
    });
  });

  it('goes on in the second one once the first has closed it', async () => {
    await afterTurn(async (test) => {
      await test.session.close();
      const second = await openElsewhere(test);
      assert.deepEqual([second.readOnlyBecause, noticesOf(second)], [undefined, []]);
      await second.close();
    });
  });

  it('that was taken over refuses the next prompt, and says why', async () => {
    await afterTurn(async (test) => {
      await rm(lockOf(test));
      const second = await openElsewhere(test);
      assert.equal(second.readOnlyBecause, undefined);
      assert.equal(await test.session.prompt('Two'), 'readonly');
      assert.match(test.session.readOnlyBecause ?? '', /taken this session over/);
      await second.close();
    });
  });

  it('is free again when the process that held it is gone', async () => {
    await afterTurn(async (test) => {
      await test.session.close();
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      const { pid } = child;
      const own = await holderOf(test);
      await writeFile(lockOf(test), JSON.stringify({ ...own, token: 'x', pid, started: await startOf(pid) }));
      const shut = await openElsewhere(test);
      assert.match(shut.readOnlyBecause ?? '', /another window/);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const free = await openElsewhere(test);
      assert.equal(free.readOnlyBecause, undefined);
      await free.close();
    });
  });

  const checkLeft = (name: string, change: (own: object) => object | string): void => {
    it(`is free where its lock ${name}`, async () => {
      await afterTurn(async (test) => {
        const own = await holderOf(test);
        await test.session.close();
        const left = change(own);
        await writeFile(lockOf(test), typeof left === 'string' ? left : JSON.stringify({ ...left, token: 'x' }));
        const second = await openElsewhere(test);
        assert.equal(second.readOnlyBecause, undefined);
        await second.close();
      });
    });
  };
  checkLeft('is of an earlier process with the same id', (own) => ({ ...own, started: '1' }));
  checkLeft('is from before the machine was started', (own) => ({ ...own, boot: 'earlier' }));
});

describe('a session that a newer version has written in', () => {
  it('is shown, told of, and left as it is', async () => {
    await afterTurn(async (test) => {
      await test.session.close();
      const bytes = `${await readFile(fileOf(test), 'utf8')}{"v":2,"id":"e_9","type":"thought/shared"}\n`;
      await writeFile(fileOf(test), bytes);
      const session = await openElsewhere(test);
      assert.match(noticesOf(session).join(), /newer version.*Update Lathe/);
      assert.equal(await session.prompt('Go on'), 'readonly');
      await session.close();
      assert.equal(await readFile(fileOf(test), 'utf8'), bytes);
    });
  });
});

async function holderOf(test: SessionTest): Promise<object> {
  const lock = await test.workspace.host.store.lock('locks/other');
  const holder: object = JSON.parse(await readFile(join(storeOf(test), 'locks', 'other'), 'utf8'));
  await lock?.release();
  return holder;
}

async function startOf(pid: number | undefined): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
