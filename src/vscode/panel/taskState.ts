// What a panel shows of the runs in the background, and what it may do with them.
import * as vscode from 'vscode';
import { TAIL_MAX_CHARS, type Task } from '../../common/tasks';
import type { Session } from '../../core/session/types';
import { fitText, jsonChars } from './batch';

/** Ended ones that are shown beside those that go on. */
const ENDED_SHOWN = 4;
const TITLE_MAX_CHARS = 400;
/** Of a tail, as JSON, where escapes make it longer than it is. */
const TAIL_JSON_CHARS = TAIL_MAX_CHARS + 500;

export function taskState(tasks: readonly Task[]): readonly Task[] {
  const ended = tasks.filter(({ state }) => state === 'ended').slice(-ENDED_SHOWN);
  return [...ended, ...tasks.filter(({ state }) => state === 'running')].map(fitTask);
}

function fitTask(task: Task): Task {
  const isLong = jsonChars(task.tail) > TAIL_JSON_CHARS;
  // An escape takes six characters at most.
  const tail = isLong ? task.tail.slice(-Math.floor(TAIL_JSON_CHARS / 6)).replace(/^[\udc00-\udfff]/, '') : task.tail;
  const moreChars = task.moreChars + task.tail.length - tail.length;
  return { ...task, title: fitText(task.title, TITLE_MAX_CHARS), tail, moreChars };
}

/** The newest command that runs, where none is named. */
export function continueInBackground(session: Session, call?: string): void {
  const outcome = session.continueInBackground(call);
  if (outcome === 'none') tellNone();
  if (outcome !== 'full') return;
  const full = vscode.l10n.t('As many commands go on in the background as may. Stop one of them first.');
  void vscode.window.showInformationMessage(full);
}

export function stopRun(session: Session, call?: string): void {
  if (!session.stopRun(call)) tellNone();
}

function tellNone(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('No command of Lathe’s runs here now.'));
}
