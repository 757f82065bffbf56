// A recorded session for the panel: every kind of row and display, in the order a real one has them.
import type { PermissionAsk, QuestionAsk } from '../../../src/common/asks';
import type { Display, FileDiff, Todo } from '../../../src/common/display';
import type { EventBody, ToolKind } from '../../../src/common/events';
import type { ReviewState } from '../../../src/common/protocol';

const CART_DIFF: FileDiff = {
  path: 'src/cart.ts',
  change: 'edited',
  added: 3,
  removed: 2,
  hunks: [
    {
      oldStart: 10,
      newStart: 10,
      lines: [
        { sign: ' ', text: 'export function total(items: readonly Item[]): number {' },
        { sign: '-', text: '  return items.reduce((sum, item) => sum + item.price, 0);' },
        { sign: '-', text: '}' },
        { sign: '+', text: '  return items.reduce((sum, item) => sum + item.price * item.count, 0);' },
        { sign: '+', text: '}' },
        { sign: '+', text: '' },
        { sign: ' ', text: 'export function isEmpty(items: readonly Item[]): boolean {' },
      ],
    },
  ],
};

export const EDIT_ASK: PermissionAsk = {
  kind: 'permission',
  id: 'ask-edit',
  call: 'edit-1',
  tool: 'edit',
  title: 'Edit src/cart.ts',
  preview: { kind: 'diff', files: [CART_DIFF] },
  reasons: ['Changes a file'],
  grants: [{ label: 'edits in src/', rule: 'edit(src/**)', mayLast: false }],
};

/** A command that waits for approval. */
export function shellAsk(command: string): PermissionAsk {
  const preview: Display = { kind: 'shell', command, cwd: '/w', tail: '', moreChars: 0 };
  return {
    kind: 'permission',
    id: 'ask-shell',
    call: 'bash-1',
    tool: 'bash',
    title: 'Run a script',
    preview,
    reasons: ['Runs a command'],
  };
}

const PUBLISHING = 'npm test && git commit -am "Round once" && git push origin main';

/** One with everything that a card can say of a command. */
export const COMMAND_ASK: PermissionAsk = {
  ...shellAsk(PUBLISHING),
  reasons: ['Publishes'],
  deeds: ['commit', 'push'],
  proposal: { kind: 'command', text: PUBLISHING },
  grants: [
    { label: 'this exact command', rule: `bash(${PUBLISHING})`, mayLast: true },
    { label: 'git commit with any arguments', rule: 'bash(git commit:*)', mayLast: true },
  ],
  parts: [
    { text: 'npm test', verdict: 'allowed', notes: ['bash(npm test:*)'] },
    { text: 'git commit -am "Round once"', verdict: 'asks', notes: [] },
    { text: 'git push origin main', verdict: 'asks', notes: ['Reaches the network'] },
  ],
};

export const QUESTION_ASK: QuestionAsk = {
  kind: 'question',
  id: 'ask-question',
  call: 'question-1',
  questions: [
    {
      header: 'Rounding',
      question: 'How should totals be rounded?',
      multiple: false,
      options: [
        { label: 'Half up', description: 'As shops do' },
        { label: 'Half even', description: 'As banks do' },
      ],
    },
    {
      header: 'Tests',
      question: 'What should be tested?',
      multiple: true,
      options: [
        { label: 'Empty carts', description: '' },
        { label: 'Large numbers', description: 'Beyond 2^53' },
      ],
    },
  ],
};

export const TODOS: readonly Todo[] = [
  { id: '1', content: 'Find the failing test', status: 'completed' },
  { id: '2', content: 'Count each item as often as it was bought', status: 'in_progress' },
  { id: '3', content: 'Run the tests again', status: 'pending' },
];

export function prompt(text: string): EventBody {
  return { type: 'turn/started', text };
}

export function reply(block: string, text: string): EventBody {
  return { type: 'block/finished', block, content: { type: 'text', text } };
}

export function delta(block: string, text: string): EventBody {
  return { type: 'text/delta', block, text, transient: true };
}

export function queued(call: string, tool: string, kind: ToolKind, title: string): EventBody {
  return { type: 'tool/queued', call, tool, kind, title };
}

export function started(call: string): EventBody {
  return { type: 'tool/started', call };
}

export function done(call: string, display?: Display, wholeChars = 0): EventBody {
  const shown = display ? { display } : {};
  return { type: 'tool/finished', call, status: 'done', text: 'ok', ...shown, wholeChars, durationMs: 1_400 };
}

export function asks(ask: PermissionAsk | QuestionAsk): EventBody {
  return { type: 'ask/opened', call: ask.call, ask };
}

export const END: EventBody = {
  type: 'turn/finished',
  end: 'done',
  usage: { inputTokens: 1_204, outputTokens: 812, cacheReadTokens: 9_800, cacheWriteTokens: 400 },
  durationMs: 34_000,
};

const REPLY = `The test **adds up prices** but forgets how often each item was bought:

1. \`total\` in [src/cart.ts](src/cart.ts#L11) ignores \`count\`
2. the test expects \`2 × 3.50\`

\`\`\`ts
items.reduce((sum, item) => sum + item.price * item.count, 0);
\`\`\`

| item | price | count |
|---|---:|---:|
| tea | 3.50 | 2 |

> See [the docs](https://nodejs.org/api/test.html) for the runner.`;

/** A whole turn with one of everything, up to an approval that waits. */
export const STORY: readonly EventBody[] = [
  prompt('Run the tests and fix what fails'),
  { type: 'thinking/delta', block: 'think-1', text: 'The tests first, then the code.', transient: true },
  {
    type: 'block/finished',
    block: 'think-1',
    content: { type: 'thinking', thinking: 'The tests first, then the code.', signature: 's' },
  },
  reply('text-1', 'I run the tests first.'),
  queued('bash-1', 'bash', 'shell', 'Run npm test'),
  started('bash-1'),
  done(
    'bash-1',
    {
      kind: 'shell',
      command: 'npm test',
      cwd: '/home/dev/shop',
      tail: '✔ an empty cart costs nothing\n✖ two teas cost twice as much\n  expected 7.00, got 3.50\n',
      moreChars: 3_200,
      exit: { code: 1, timedOut: false },
    },
    3_300,
  ),
  queued('read-1', 'read', 'read', 'Read src/cart.ts'),
  started('read-1'),
  done('read-1', { kind: 'file', path: 'src/cart.ts', startLine: 1, endLine: 40, totalLines: 120 }),
  queued('grep-1', 'grep', 'search', 'Search for "total("'),
  started('grep-1'),
  done('grep-1', {
    kind: 'matches',
    groups: [
      {
        path: 'src/cart.ts',
        count: 1,
        lines: [{ line: 10, text: 'export function total(items: readonly Item[]): number {' }],
      },
      { path: 'test/cart.test.ts', count: 2, lines: [{ line: 4, text: "import { total } from '../src/cart';" }] },
    ],
    total: 3,
    more: 0,
  }),
  queued('glob-1', 'glob', 'search', 'Find **/*.md'),
  started('glob-1'),
  done('glob-1', { kind: 'files', paths: ['README.md', 'docs/rounding.md'], more: 3 }),
  queued('todo-1', 'todowrite', 'plan', 'Update the plan'),
  done('todo-1', { kind: 'todos', todos: TODOS }),
  queued('web-1', 'webfetch', 'web', 'Fetch https://example.com/rounding'),
  started('web-1'),
  {
    type: 'tool/finished',
    call: 'web-1',
    status: 'failed',
    text: 'The server answered 404.',
    wholeChars: 0,
    durationMs: 320,
  },
  { type: 'notice', level: 'warning', text: 'The conversation is 80 % of what the model can hold.' },
  {
    type: 'retry/waiting',
    attempt: 2,
    attempts: 8,
    delayMs: 4_000,
    reason: 'The endpoint is overloaded (529).',
    transient: true,
  },
  { type: 'request/started', model: 'm', attempt: 2, transient: true },
  reply('text-2', REPLY),
  queued('edit-1', 'edit', 'edit', 'Edit src/cart.ts'),
  queued('bash-2', 'bash', 'shell', 'Run npm test'),
  asks(EDIT_ASK),
];

/** What follows when the approval was given. */
export const STORY_ENDING: readonly EventBody[] = [
  { type: 'ask/closed', call: 'edit-1', ask: EDIT_ASK.id, answer: { kind: 'permission', decision: 'once' } },
  started('edit-1'),
  done('edit-1', { kind: 'diff', files: [CART_DIFF] }),
  started('bash-2'),
  done('bash-2', {
    kind: 'shell',
    command: 'npm test',
    cwd: '/home/dev/shop',
    tail: '✔ 2 tests passed\n',
    moreChars: 0,
    exit: { code: 0, timedOut: false },
  }),
  reply('text-3', 'Fixed: **both tests pass** now.'),
  END,
];

/** A prompt whose command changed files, and one after it that was rewound. */
export const REWINDING: readonly EventBody[] = [
  prompt('Format everything'),
  queued('bash-3', 'bash', 'shell', 'Run npm run format'),
  started('bash-3'),
  {
    type: 'files/changed',
    call: 'bash-3',
    files: [
      { path: 'src/cart.ts', change: 'edited' },
      { path: 'src/a/deeply/nested/folder/with/a/long/name/of/a/file/totals.generated.ts', change: 'created' },
    ],
  },
  done('bash-3', {
    kind: 'shell',
    command: 'npm run format',
    cwd: '/home/dev/shop',
    tail: '2 files formatted\n',
    moreChars: 0,
    exit: { code: 0, timedOut: false },
  }),
  END,
  prompt('Now rename the cart'),
  END,
  {
    type: 'files/restored',
    to: 't3',
    files: [
      { path: '/home/dev/shop/src/cart.ts', change: 'edited' },
      { path: '/home/dev/shop/src/basket.ts', change: 'deleted' },
    ],
  },
  { type: 'conversation/rewound', to: 't3' },
];

export const REVIEW: ReviewState = {
  listed: [
    { path: '/home/dev/shop/src/cart.ts', name: 'src/cart.ts', change: 'edited', added: 12, removed: 4 },
    {
      path: '/home/dev/shop/src/a/deeply/nested/folder/with/a/long/name/of/a/file/totals.generated.ts',
      name: 'src/a/deeply/nested/folder/with/a/long/name/of/a/file/totals.generated.ts',
      change: 'created',
      added: 1_204,
      removed: 0,
    },
    { path: '/home/dev/shop/old.ts', name: 'old.ts', change: 'deleted', added: 0, removed: 80 },
  ],
  files: 3,
  added: 1_216,
  removed: 84,
};
