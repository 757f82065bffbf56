// The built-in demo model: no network, no key. It drives the real loop and the real tools through the demo project's bug, and anywhere else it only reads.
import type { AssistantBlock, Message } from '../../common/blocks';
import { NO_USAGE } from '../../common/blocks';
import type { JsonObject } from '../../common/json';
import type { Clock, Ids } from '../host';
import { ProviderFault, type ModelEvent, type ModelRequest, type Provider } from './types';

/** What the demo model says next: words, then calls. Without calls the turn ends. */
interface Step {
  readonly text: string;
  readonly calls?: readonly { readonly name: string; readonly input: JsonObject }[];
}

/** A call of this turn with what came back. */
interface DoneCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly text: string;
  readonly isError: boolean;
}

const PIECE_CHARS = 12;
const PIECE_MS = 12;

export function demoProvider({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): Provider {
  return {
    label: 'Demo model',
    isDemo: true,
    models: () => Promise.resolve([DEMO_MODEL]),
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
      const { text, calls = [] } = nextStep(callsOfTurn(request.messages));
      for (let at = 0; at < text.length; at += PIECE_CHARS) {
        yield { type: 'text', index: 0, text: text.slice(at, at + PIECE_CHARS) };
        await clock.sleep(PIECE_MS, signal);
        if (signal.aborted) throw new ProviderFault('aborted', 'Stopped.');
      }
      yield { type: 'block', index: 0, block: { type: 'text', text } };
      for (const [at, { name, input }] of calls.entries()) {
        const block: AssistantBlock = { type: 'tool_use', id: ids.next('toolu'), name, input };
        yield { type: 'block', index: at + 1, block };
      }
      yield { type: 'stop', reason: calls.length > 0 ? 'tool_use' : 'end_turn', usage: NO_USAGE };
    },
  };
}

const DEMO_MODEL = {
  id: 'demo',
  label: 'Demo model',
  contextWindow: 0,
  maxOutputTokens: 4096,
  readsImages: false,
  thinks: false,
} as const;

const CONNECT =
  'To work with a real model, run **Lathe: Set API Key** from the command palette, or set `lathe.baseUrl` to an endpoint that speaks the Anthropic Messages API (Ollama, LM Studio, llama.cpp and others do).';

const TEST_COMMAND = 'node --test';
const BUG = 'sum + item.price, 0)';
const FIX = 'sum + item.price * item.quantity, 0)';

/** Pure: what comes next after these calls. */
export function nextStep(done: readonly DoneCall[]): Step {
  const last = done.at(-1);
  if (!last) {
    return {
      text: 'This is Lathe’s built-in **demo model**: it follows a fixed path and does not understand prompts, but the tools it calls are the real ones. First I look at what is here.',
      calls: [{ name: 'ls', input: { path: '.' } }],
    };
  }
  const listing = done.find(({ name }) => name === 'ls');
  if (!listing || listing.isError)
    return { text: `The folder could not be listed, so the demo ends here.\n\n${CONNECT}` };
  return isDemoProject(listing.text) ? fixTheBug(done) : explain(done, listing.text);
}

function isDemoProject(listing: string): boolean {
  return listing.includes('cart.js') && listing.includes('cart.test.js');
}

function fixTheBug(done: readonly DoneCall[]): Step {
  const refused = done.find(({ name, isError }) => isError && name !== 'bash');
  if (refused) {
    return {
      text: `\`${refused.name}\` did not go through, so the demo stops here and changes nothing more.\n\n${CONNECT}`,
    };
  }
  const read = done.find(({ name, input }) => name === 'read' && input.file_path === 'src/cart.js');
  const runs = done.filter(({ name }) => name === 'bash');
  const edit = done.find(({ name }) => name === 'edit');
  const [before, after] = runs;

  if (!read) {
    return {
      text: 'A small shop with tests. I note down the steps and read the code and its tests.',
      calls: [
        { name: 'todowrite', input: { todos: todos('in_progress', 'pending', 'pending') } },
        { name: 'read', input: { file_path: 'src/cart.js' } },
        { name: 'read', input: { file_path: 'test/cart.test.js' } },
      ],
    };
  }
  if (!read.text.includes(BUG)) {
    return { text: `The demo’s bug is not in \`src/cart.js\` any more, so there is nothing to fix.\n\n${CONNECT}` };
  }
  if (!before) {
    return {
      text: 'Now I run the tests, to see the failure before I change anything.',
      calls: [{ name: 'bash', input: { command: TEST_COMMAND, description: 'Run the tests' } }],
    };
  }
  if (!ranTests(before)) return { text: `The tests could not be run, so the demo ends here.\n\n${CONNECT}` };
  if (!edit) {
    return {
      text: '`total` adds each price once and forgets `quantity`: two chisels cost as much as one. One line puts it right.',
      calls: [
        { name: 'todowrite', input: { todos: todos('completed', 'in_progress', 'pending') } },
        { name: 'edit', input: { file_path: 'src/cart.js', old_string: BUG, new_string: FIX } },
      ],
    };
  }
  if (!after) {
    return {
      text: 'The same command again, to see that it helped.',
      calls: [
        { name: 'todowrite', input: { todos: todos('completed', 'completed', 'in_progress') } },
        { name: 'bash', input: { command: TEST_COMMAND, description: 'Run the tests again' } },
      ],
    };
  }
  if (after.isError) return { text: `The tests still do not pass; the output above says why.\n\n${CONNECT}` };
  if (!done.some(({ name, input }) => name === 'todowrite' && isAllDone(input))) {
    return {
      text: 'All tests pass.',
      calls: [{ name: 'todowrite', input: { todos: todos('completed', 'completed', 'completed') } }],
    };
  }
  return {
    text: `**Fixed.** \`total\` in \`src/cart.js\` now multiplies each price by its quantity.\n\n- Before: \`${TEST_COMMAND}\` failed.\n- After: all tests pass.\n\nThat was the demo. ${CONNECT}`,
  };
}

/** A denied or broken run says nothing about the tests; a failing one names how many failed. */
function ranTests({ text }: DoneCall): boolean {
  return /\bfail\s+\d+/.test(text);
}

function explain(done: readonly DoneCall[], listing: string): Step {
  const name = /\bREADME(\.\w+)?/i.exec(listing)?.[0];
  const read = done.find((call) => call.name === 'read');
  if (name !== undefined && !read) {
    return {
      text: 'I read what the project says about itself.',
      calls: [{ name: 'read', input: { file_path: name } }],
    };
  }
  const about = read && !read.isError ? `Its \`${name ?? 'README'}\` is shown above. ` : '';
  return {
    text: `I have listed this folder. ${about}As a demo I do not change anything here; **Lathe: Open Demo Project** shows a whole fix from failing test to passing one.\n\n${CONNECT}`,
  };
}

type Status = 'pending' | 'in_progress' | 'completed';

function todos(find: Status, fix: Status, verify: Status): JsonObject[] {
  return [
    { content: 'Find out why the test fails', status: find },
    { content: 'Fix the bug in src/cart.js', status: fix },
    { content: 'Run the tests again', status: verify },
  ];
}

function isAllDone(input: JsonObject): boolean {
  return Array.isArray(input.todos) && input.todos.every((todo: JsonObject) => todo.status === 'completed');
}

/** The calls since the person's last words, each with its result. */
export function callsOfTurn(messages: readonly Message[]): DoneCall[] {
  const start = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !content.some(({ type }) => type === 'tool_result'),
  );
  const turn = messages.slice(start + 1);
  const results = new Map(
    turn.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_result' ? [[block.toolUseId, block] as const] : [])),
    ),
  );
  return turn.flatMap(({ content }) =>
    content.flatMap((block) => {
      if (block.type !== 'tool_use') return [];
      const { name, input } = block;
      const result = results.get(block.id);
      return [{ name, input, text: result?.text ?? '', isError: result?.isError ?? true }];
    }),
  );
}
