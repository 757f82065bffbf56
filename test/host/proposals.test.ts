// What a call proposes, changed by the person in an editor: what they see there is what is allowed, and nothing else is written.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PermissionAsk, Proposal } from '../../src/common/asks';
import { createAskQueue } from '../../src/core/permission/askQueue';
import { applyProposal, openProposal } from '../../src/vscode/permission/proposals';
import { closeAll, eventually, makeFile, onDisk, testApi } from './support';

function askOf(proposal: Proposal): PermissionAsk {
  const id = `ask-${proposal.kind}-${proposal.text?.length ?? 0}`;
  return { kind: 'permission', id, call: 'c1', tool: 'edit', title: 'Edit', reasons: [], proposal, digest: 'd1' };
}

const proposalTabs = () =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => {
      if (input instanceof vscode.TabInputTextDiff) return [input.modified];
      return input instanceof vscode.TabInputText ? [input.uri] : [];
    })
    .filter(({ scheme }) => scheme === 'lathe-proposal');

describe('a proposal in an editor', () => {
  afterEach(closeAll);

  function check(
    title: string,
    proposalOf: (path: string) => Proposal,
    typed: string | undefined,
    digest: string,
    expected: { readonly isTaken: boolean; readonly changed?: string; readonly tabs: number },
  ): void {
    it(title, async () => {
      const { app } = await testApi();
      const path = await makeFile('a.txt', 'one\ntwo\n');
      const asks = createAskQueue();
      const ask = askOf(proposalOf(path));
      const stop = new AbortController();
      const answered = asks.ask(ask, stop.signal);
      assert.deepEqual(await openProposal(app, { asks }, ask.id), { opened: true });
      const document = await eventually('the proposal is open', () =>
        vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'lathe-proposal'),
      );
      if (typed !== undefined) {
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(0, 0), typed);
        assert.ok(await vscode.workspace.applyEdit(edit));
      }
      const isTaken = await applyProposal({ asks }, ask.id, digest);
      stop.abort();
      const answer = await answered;
      const changed = answer.kind === 'permission' ? answer.changed : undefined;
      const tabs = proposalTabs().length;
      assert.deepEqual({ isTaken, tabs, ...(changed !== undefined && { changed }) }, expected);
      assert.equal(await onDisk(path), 'one\ntwo\n');
    });
  }

  const file = (path: string): Proposal => ({ kind: 'file', path, text: 'one\n2\n' });
  check('a file’s text, changed and not saved', file, 'zero\n', 'd1', {
    ...{ isTaken: true, tabs: 0 },
    changed: 'zero\none\n2\n',
  });
  check('one that was only looked at', file, undefined, 'd1', { isTaken: true, tabs: 0 });
  const mixed = (path: string): Proposal => ({ kind: 'file', path, text: 'one\r\n2\n' });
  check('line endings that the editor made one of are no change', mixed, undefined, 'd1', { isTaken: true, tabs: 0 });
  check('a command', () => ({ kind: 'command', text: 'make all' }), 'CC=gcc ', 'd1', {
    ...{ isTaken: true, tabs: 0 },
    changed: 'CC=gcc make all',
  });
  check('S21: not for what was not shown', file, 'x', 'another', { isTaken: false, tabs: 1 });
});
