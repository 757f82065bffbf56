// What a person makes of a call before they allow it: it is judged anew, it is what runs, and the model is told.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { AskAnswer } from '../../../../src/common/asks';
import type { JsonObject } from '../../../../src/common/json';
import type { Mode } from '../../../../src/common/modes';
import type { CommandLine } from '../../../../src/core/command/types';
import { Permissions } from '../../../../src/core/permission/permissions';
import { parseRule } from '../../../../src/core/permission/rules';
import { runToolCall } from '../../../../src/core/tool/orchestrator';
import type { Tool } from '../../../../src/core/tool/tool';
import type { ToolResult } from '../../../../src/core/tool/turnTools';
import { bash } from '../../../../src/tools/bash';
import { git } from '../../../support/repository';
import { withTools } from '../../../support/toolTest';
import { probe } from './probe';
import { callOf, withTurn } from './turn';

const allowing = (changed: string) => (): AskAnswer => ({ kind: 'permission', decision: 'once', changed });

/** As Jupyter writes it, of a format without ids. */
function notebook(source: string): string {
  return `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": null,
   "metadata": {},
   "outputs": [],
   "source": [
    "${source}"
   ]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 4
}
`;
}

interface Case {
  readonly files?: Readonly<Record<string, string>>;
  readonly mode?: Mode;
  readonly read?: string;
  readonly call: readonly [name: string, input: JsonObject];
  readonly changed: string;
  readonly expected: Pick<ToolResult, 'status' | 'text'>;
  /** Files as they are afterwards. */
  readonly left?: Readonly<Record<string, string>>;
}

function check(title: string, { files = {}, mode = 'ask', read, call, changed, expected, left = {} }: Case): void {
  it(title, () =>
    withTools(
      files,
      async (test) => {
        if (read !== undefined) await test.call('read', { file_path: read });
        const { status, text } = await test.call(...call);
        const asked = test.asks.length;
        assert.deepEqual({ status, text, asked, left: await test.tree() }, { ...expected, asked: 1, left });
      },
      { mode, answer: allowing(changed) },
    ),
  );
}

describe('a call that the person changed', () => {
  check('a command: theirs runs, once, and the model is told', {
    call: ['bash', { command: 'echo mine > a.txt', description: 'Write a file' }],
    changed: 'echo theirs > a.txt; cat a.txt',
    expected: {
      status: 'done',
      text: 'theirs\nThe person changed the command before they allowed it, to:\necho theirs > a.txt; cat a.txt',
    },
    left: { 'a.txt': 'theirs\n' },
  });
  check('a command that cannot be', {
    call: ['bash', { command: 'make' }],
    changed: ' ',
    expected: {
      status: 'failed',
      text: 'The person changed this call before they allowed it, and as they want it it cannot be done: The command is empty. Send the command to run.',
    },
  });
  check('a new file', {
    call: ['write', { file_path: 'a.txt', content: 'one\ntwo\n' }],
    changed: 'one\n2\n',
    expected: {
      status: 'done',
      text: [
        'Created a.txt (2 lines).',
        'The person changed your text of a.txt before they allowed it. The difference (- yours, + theirs):',
        '@@ -1,2 +1,2 @@',
        ' one',
        '-two',
        '+2',
      ].join('\n'),
    },
    left: { 'a.txt': 'one\n2\n' },
  });
  check('an overwritten file', {
    files: { 'a.txt': 'one\ntwo\n' },
    read: 'a.txt',
    call: ['write', { file_path: 'a.txt', content: 'one\nTWO\n' }],
    changed: 'ONE\nTWO\n',
    expected: {
      status: 'done',
      text: [
        'Edited a.txt (+2 −2, at line 1–2).',
        'The person changed your text of a.txt before they allowed it. The difference (- yours, + theirs):',
        '@@ -1,2 +1,2 @@',
        '-one',
        '+ONE',
        ' TWO',
      ].join('\n'),
    },
    left: { 'a.txt': 'ONE\nTWO\n' },
  });
  check('an edit', {
    files: { 'a.txt': 'one\ntwo\n' },
    read: 'a.txt',
    call: ['edit', { file_path: 'a.txt', old_string: 'two', new_string: '2' }],
    changed: 'one\nzwei\n',
    expected: {
      status: 'done',
      text: [
        'Edited a.txt (+1 −1, at line 2).',
        'The person changed your text of a.txt before they allowed it. The difference (- yours, + theirs):',
        '@@ -1,2 +1,2 @@',
        ' one',
        '-2',
        '+zwei',
      ].join('\n'),
    },
    left: { 'a.txt': 'one\nzwei\n' },
  });
  check('an edit that they take back', {
    files: { 'a.txt': 'one\n' },
    read: 'a.txt',
    call: ['edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' }],
    changed: 'one\n',
    expected: {
      status: 'failed',
      text: 'The person changed this call before they allowed it, and as they want it it cannot be done: They left a.txt as it is.',
    },
    left: { 'a.txt': 'one\n' },
  });

  check('a cell of a notebook: what is around it stays', {
    files: { 'n.ipynb': notebook('print(1)') },
    read: 'n.ipynb',
    call: ['notebookedit', { file_path: 'n.ipynb', cell_id: '#1', new_source: 'print(2)\nx' }],
    changed: 'print(3)\nx',
    expected: {
      status: 'done',
      text: [
        'Replaced cell 1 (#1) of n.ipynb (+2 −1).',
        'The person changed your text of cell 1 of n.ipynb before they allowed it. The difference (- yours, + theirs):',
        '@@ -1,2 +1,2 @@',
        '-print(2)',
        '+print(3)',
        ' x',
      ].join('\n'),
    },
    left: { 'n.ipynb': notebook('print(3)\\n",\n    "x') },
  });
  check('a new cell of a notebook', {
    files: { 'n.ipynb': notebook('print(1)') },
    read: 'n.ipynb',
    call: ['notebookedit', { file_path: 'n.ipynb', edit_mode: 'insert', new_source: 'a', cell_id: '#1' }],
    changed: 'print(1)',
    expected: {
      status: 'done',
      text: [
        'Inserted cell 2 (#2) of n.ipynb (+1 −0).',
        'The person changed your text of cell 2 of n.ipynb before they allowed it. The difference (- yours, + theirs):',
        '@@ -1,1 +1,1 @@',
        '-a',
        '+print(1)',
      ].join('\n'),
    },
    left: {
      'n.ipynb': notebook('print(1)').replace(
        '   ]\n  }\n',
        '   ]\n  },\n  {\n   "cell_type": "code",\n   "execution_count": null,\n   "metadata": {},\n   "outputs": [],\n   "source": [\n    "print(1)"\n   ]\n  }\n',
      ),
    },
  });
  check('a cell that they leave as it is', {
    files: { 'n.ipynb': notebook('print(1)') },
    read: 'n.ipynb',
    call: ['notebookedit', { file_path: 'n.ipynb', cell_id: '#1', new_source: 'print(2)' }],
    changed: 'print(1)',
    expected: {
      status: 'failed',
      text: 'The person changed this call before they allowed it, and as they want it it cannot be done: They left n.ipynb as it is.',
    },
    left: { 'n.ipynb': notebook('print(1)') },
  });

  it('of a cell the person sees the cell, and not the JSON around it', () =>
    withTools(
      { 'n.ipynb': notebook('print(1)') },
      async (test) => {
        await test.call('read', { file_path: 'n.ipynb' });
        await test.call('notebookedit', { file_path: 'n.ipynb', cell_id: '#1', new_source: 'print(2)' });
        await test.call('notebookedit', { file_path: 'n.ipynb', cell_id: '#1', edit_mode: 'delete' });
        assert.deepEqual(
          test.asks.map((ask) => (ask.kind === 'permission' ? ask.proposal : undefined)),
          [{ kind: 'file', path: 'n.ipynb/cell-1.py', text: 'print(2)', before: 'print(1)' }, undefined],
        );
      },
      { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'deny' }) },
    ));

  it('a file that changed while they were at it is not overwritten', () => {
    let path = '';
    const answer = (): AskAnswer => {
      writeFileSync(path, 'somebody else\n');
      return { kind: 'permission', decision: 'once', changed: 'theirs\n' };
    };
    return withTools(
      { 'a.txt': 'one\n' },
      async (test) => {
        path = test.path('a.txt');
        await test.call('read', { file_path: 'a.txt' });
        const { status } = await test.call('edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' });
        assert.deepEqual(
          { status, left: await test.tree() },
          { status: 'failed', left: { 'a.txt': 'somebody else\n' } },
        );
      },
      { mode: 'ask', answer },
    );
  });

  it('what a rule denies stays denied, whoever typed it', () =>
    withTurn([bash], { mode: 'ask' }, async (test) => {
      const rules = [parseRule('bash(touch:*)', 'deny', 'user')].flatMap((rule) => rule ?? []);
      const turn = {
        ...test.turn,
        permissions: new Permissions(test.host, { rules: () => ({ rules, problems: [] }) }),
      };
      const running = runToolCall(callOf('bash', { command: 'make' }), turn);
      const { ask } = await test.seen('ask/opened');
      test.asks.answer(ask.id, { kind: 'permission', decision: 'once', changed: 'touch a' });
      const { status, text } = await running;
      assert.deepEqual(
        { status, text },
        {
          status: 'denied',
          text: 'The person changed the command before they allowed it, to:\ntouch a\nThe rule bash(touch:*) forbids this. Do not try it another way.',
        },
      );
    }));

  it('a rule that was offered for the call as it was is not kept with theirs', () =>
    withTools(
      {},
      async (test) => {
        for (const _ of [1, 2]) await test.call('bash', { command: 'touch a' });
        assert.equal(test.asks.length, 2);
      },
      { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'session', changed: 'touch b' }) },
    ));
});

describe('what a run did to history', () => {
  const line: CommandLine = {
    ...{ commands: [], doubts: [], touches: [], scripts: [], leavesRunning: false },
    deeds: ['commit', 'push', 'pullRequest'],
  };
  const asks: Partial<Tool> = {
    prepare: async (_input, { cwd }) => ({
      targets: [{ op: 'execute', command: 'git commit', cwd: cwd(), line }],
      plan: undefined,
    }),
  };
  const url = 'https://github.com/o/r/pull/7';

  it('is read from the repository and told before the result', () =>
    withTurn(
      [
        probe(async ({ host, cwd }) => {
          await host.edits.apply({
            label: 'x',
            call: 'c',
            changes: [{ kind: 'create', path: `${cwd()}/b.txt`, text: 'b' }],
          });
          git(cwd(), 'add', '-A');
          git(cwd(), 'commit', '-qm', 'Second\n\nBody');
          git(cwd(), 'push', '-q', 'origin', 'HEAD:main');
          return { text: `Creating pull request\n${url}\n` };
        }, asks),
      ],
      {},
      async (test) => {
        git(test.root, 'init', '-q', '-b', 'main');
        git(test.root, 'commit', '-q', '--allow-empty', '-m', 'First');
        git(test.root, 'init', '-q', '--bare', 'remote.git');
        git(test.root, 'remote', 'add', 'origin', `${test.root}/remote.git`);
        await runToolCall(callOf('probe'), test.turn);
        const hash = git(test.root, 'rev-parse', '--short', 'HEAD').trim();
        const told = test.events.filter(({ type }) => type === 'deeds/done' || type === 'tool/finished');
        assert.deepEqual(
          told.map((event) => (event.type === 'deeds/done' ? event.deeds : event.type)),
          [
            [
              { kind: 'commit', hash, subject: 'Second', branch: 'main' },
              { kind: 'push', ref: 'origin/main' },
              { kind: 'pullRequest', url },
            ],
            'tool/finished',
          ],
        );
      },
    ));

  it('is no push where a remote branch was only fetched', () =>
    withTurn(
      [
        probe(async ({ cwd }) => {
          git(cwd(), 'fetch', '-q', 'origin');
          return { text: '' };
        }, asks),
      ],
      {},
      async (test) => {
        git(test.root, 'init', '-q', '-b', 'main');
        git(test.root, 'commit', '-q', '--allow-empty', '-m', 'First');
        git(test.root, 'init', '-q', '--bare', 'remote.git');
        git(test.root, 'push', '-q', './remote.git', 'HEAD:main');
        git(test.root, 'remote', 'add', 'origin', `${test.root}/remote.git`);
        await runToolCall(callOf('probe'), test.turn);
        assert.deepEqual(
          test.events.filter(({ type }) => type === 'deeds/done'),
          [],
        );
      },
    ));

  it('is nothing where nothing was done', () =>
    withTurn([probe(async () => ({ text: url, failed: true }), asks)], {}, async (test) => {
      await runToolCall(callOf('probe'), test.turn);
      assert.deepEqual(
        test.events.filter(({ type }) => type === 'deeds/done'),
        [],
      );
    }));
});
