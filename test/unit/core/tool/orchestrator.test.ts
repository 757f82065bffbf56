// One call on its whole path to a run: what refuses it, what asks for it, and the views of its result.
import assert from 'node:assert/strict';
import type { EventBody } from '../../../../src/common/events';
import type { Tool } from '../../../../src/core/tool/tool';
import { check, clockOf, never, NOT_RUN, probe, shown } from './probe';
import { callOf } from './turn';

describe('O06 O07 O08 O10 runToolCall', () => {
  check('a text is stored, given and shown', {
    tool: probe(async () => ({ text: 'fine\n' })),
    call: callOf('Probe', { n: '3' }),
    expected: { ...shown('fine\n'), wholeChars: 5 },
    also: async ({ turn, events }, call) => {
      assert.deepEqual(events[0], {
        type: 'tool/queued',
        call: call.id,
        tool: 'probe',
        kind: 'shell',
        title: 'Probe 3',
      });
      assert.equal((await turn.outputs.read(call.id, 0)).text, 'fine\n');
    },
  });
  check('O43: what is written as it comes is the result, a summary follows it, and notes come with it', {
    tool: probe(async ({ out }) => {
      out.write('one\ntw');
      out.write(new TextEncoder().encode('o'));
      return { summary: 'Exit code: 0', display: { kind: 'todos', todos: [] }, context: ['a note'] };
    }),
    expected: {
      text: 'one\ntwo\nExit code: 0',
      display: { kind: 'todos', todos: [] },
      context: ['a note'],
      wholeChars: 7,
    },
  });
  check('a text beside what was written is stored and given too', {
    tool: probe(async ({ out }) => {
      out.write('one');
      return { text: 'two' };
    }),
    expected: { ...shown('one\ntwo'), wholeChars: 7 },
    also: async ({ turn }, call) => {
      assert.equal((await turn.outputs.read(call.id, 0)).text, 'one\ntwo');
    },
  });
  check('nothing at all is said so', { tool: probe(async () => ({})), expected: { text: '(no output)' } });
  check('a summary alone is enough', {
    tool: probe(async () => ({ text: '', summary: 'Done.' })),
    expected: { text: 'Done.' },
  });
  check('images go along', {
    tool: probe(async () => ({ text: 'see', images: [{ type: 'image', mediaType: 'image/png', data: 'AA==' }] })),
    expected: { ...shown('see'), images: [{ type: 'image', mediaType: 'image/png', data: 'AA==' }], wholeChars: 3 },
  });
  check('half characters do not get out', {
    tool: probe(async () => ({ text: 'a\ud800b' })),
    expected: { text: 'a\ufffdb', display: { kind: 'text', text: 'a\ud800b' }, wholeChars: 3 },
  });
  check('what a tool calls a failure is one', {
    tool: probe(async () => ({ failed: true, text: 'no such file' })),
    expected: { status: 'failed', text: 'no such file', wholeChars: 12 },
  });
  check('a long result is shortened for the model and whole in the store', {
    tool: probe(async () => ({ text: 'line\n'.repeat(1000) }), { limits: { maxResultChars: 600 }, shape: 'head' }),
    settings: { 'tools.digestChars': 500 },
    call: callOf('probe', {}, { id: 'big' }),
    expected: {
      text: `${'line\n'.repeat(73)}[... 927 lines, 4635 characters left out here. The whole output is stored: read or search it with the tool output, id "big" ...]\n`,
      display: { kind: 'text', text: 'line\n'.repeat(1000) },
      wholeChars: 5000,
    },
    also: async ({ turn }) => assert.deepEqual(await turn.outputs.info('big'), { bytes: 5000, isOpen: false }),
  });

  check('a reason that repeats a huge input is cut', {
    tool: probe(never, { prepare: async () => ({ objection: `${'x'.repeat(20_000)} is wrong.` }) }),
    expected: {
      status: 'failed',
      text: `${'x'.repeat(10_000)}… (8010 characters left out) …${'x'.repeat(1990)} is wrong.`,
    },
    events: NOT_RUN,
  });
  check('an unknown tool', {
    tool: probe(never),
    call: callOf('prob'),
    expected: { status: 'failed', text: 'There is no tool called "prob". The nearest are: probe.' },
    events: NOT_RUN,
  });
  check('an unknown tool with a name like a file', {
    tool: probe(never),
    call: callOf('x'.repeat(100_000)),
    expected: { status: 'failed', text: `There is no tool called "${'x'.repeat(199)}…. There are: probe.` },
    events: NOT_RUN,
    also: ({ events: [queued] }) => {
      const name = 'x'.repeat(200);
      assert.deepEqual(queued, { ...queued, type: 'tool/queued', tool: name, title: name });
    },
  });
  check('input that does not fit', {
    tool: probe(never),
    call: callOf('probe', { n: 'many' }),
    expected: {
      status: 'failed',
      text: 'The input does not fit the schema of probe, so nothing was run:\n- "n" must be a number, but the string "many" came.',
    },
    events: NOT_RUN,
  });
  check('input that was cut', {
    tool: probe(never),
    call: callOf('probe', {}, { malformed: { raw: '{"n', fault: 'truncated' } }),
    expected: {
      status: 'failed',
      text: 'The input of probe broke off after 3 characters, so nothing was run. It ended with "{\\"n". Send the call again with less in it: split long content into several smaller calls.',
    },
    events: NOT_RUN,
  });
  check('a tool that could not be loaded', {
    tool: probe(never, { load: () => Promise.reject(new Error('no wasm')) }),
    expected: { status: 'failed', text: 'probe cannot be used, because a part of it could not be loaded: no wasm' },
    events: NOT_RUN,
  });
  check('an objection of the tool', {
    tool: probe(never, { prepare: async () => ({ objection: 'Read it first.' }) }),
    expected: { status: 'failed', text: 'Read it first.' },
    events: NOT_RUN,
  });
  check('a mode that forbids it', {
    tool: probe(never, { modes: ['ask'] }),
    mode: 'plan',
    expected: {
      status: 'denied',
      text: 'The session is in Plan mode (reads only: nothing is changed, and only commands that read run), so probe cannot do this. Go on without it, or tell the person what you would do.',
    },
    events: NOT_RUN,
  });

  const asking: Partial<Tool> = {
    prepare: async (_input, { cwd }) => ({
      targets: [{ op: 'execute', command: 'make', cwd: cwd() }],
      preview: { kind: 'shell', command: 'make', cwd: '.', tail: '', moreChars: 0 },
      plan: undefined,
    }),
  };
  const ASKED: readonly EventBody['type'][] = ['tool/queued', 'ask/opened', 'ask/closed'];
  check('allowed by the person, whose time to think counts nowhere', {
    tool: probe(async () => ({ text: 'made' }), { ...asking, limits: { timeoutMs: 1_000 } }),
    mode: 'ask',
    meanwhile: async (test) => {
      const { ask } = await test.seen('ask/opened');
      assert.ok(ask.kind === 'permission');
      assert.deepEqual([ask.tool, ask.title, ask.preview?.kind], ['probe', 'Probe all', 'shell']);
      await clockOf(test).advance(60_000);
      test.asks.answer(ask.id, { kind: 'permission', decision: 'once' });
    },
    expected: { ...shown('made'), wholeChars: 4 },
    events: [...ASKED, 'tool/started', 'tool/finished'],
  });
  check('declined by the person', {
    tool: probe(never, asking),
    mode: 'ask',
    meanwhile: async (test) => {
      const { ask } = await test.seen('ask/opened');
      test.asks.answer(ask.id, { kind: 'permission', decision: 'deny', note: 'use npm' });
    },
    expected: {
      status: 'denied',
      text: 'The person declined this call. They say: “use npm”. Do not try the same thing another way.',
    },
    events: [...ASKED, 'tool/finished'],
  });
  check('stopped while it asks', {
    tool: probe(never, asking),
    mode: 'ask',
    meanwhile: async (test) => {
      await test.seen('ask/opened');
      test.stop.abort();
    },
    expected: { status: 'stopped', text: 'Stopped by the person before this call ran: it changed nothing.' },
    events: [...ASKED, 'tool/finished'],
  });
  check('stopped while it prepares', {
    tool: probe(never, { prepare: never }),
    meanwhile: async (test) => {
      await test.seen('tool/queued');
      test.stop.abort();
    },
    expected: { status: 'stopped', text: 'Stopped by the person before this call ran: it changed nothing.' },
    events: NOT_RUN,
  });
  check('stopped before it came to anything', {
    tool: probe(never),
    meanwhile: (test) => test.stop.abort(),
    expected: { status: 'stopped', text: 'Stopped by the person before this call ran: it changed nothing.' },
    events: NOT_RUN,
  });
});
