// Says of a line of the agent's which prompt and which call wrote it, and when.
import * as vscode from 'vscode';
import type { EditOrigin } from '../../core/host';
import type { Reviews } from '../../core/review/types';
import { toPath } from '../uris';
import { hunkAt } from './targets';
import { oneLine } from '../../common/oneLine';
import type { ChangeArguments, OriginArguments } from './window';

const TEXT_MAX_CHARS = 300;
const COMMANDS = ['lathe.review.keepChange', 'lathe.review.undoChange', 'lathe.review.showOrigin'] as const;

export function registerHovers(reviews: Reviews): vscode.Disposable {
  return vscode.languages.registerHoverProvider('*', {
    provideHover({ uri, lineCount }, { line }) {
      const path = toPath(uri);
      const hunk = hunkAt(reviews.hunks(path), line, lineCount);
      const origin = reviews.originOf(path, line) ?? hunk?.origins.at(-1);
      if (!hunk || !origin) return undefined;
      return new vscode.Hover(describeOrigin(origin, [uri.toString(), hunk.id]));
    },
  });
}

/** What the model or the person wrote is text in it, never markup: links are ours alone. */
function describeOrigin(origin: EditOrigin, change: ChangeArguments): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  text.isTrusted = { enabledCommands: COMMANDS };
  const show: OriginArguments = [origin.session, origin.call];
  const when = new Date(origin.time).toLocaleString();
  text.appendMarkdown('**Lathe** · ').appendText(oneLine(origin.title, TEXT_MAX_CHARS));
  text.appendMarkdown(' · ').appendText(when);
  text.appendMarkdown('\n\n“').appendText(oneLine(origin.prompt, TEXT_MAX_CHARS)).appendMarkdown('”\n\n');
  text.appendMarkdown(
    [
      link('$(check)', vscode.l10n.t('Keep'), 'lathe.review.keepChange', change),
      link('$(discard)', vscode.l10n.t('Undo'), 'lathe.review.undoChange', change),
      link('$(comment-discussion)', vscode.l10n.t('Show in the panel'), 'lathe.review.showOrigin', show),
    ].join(' &nbsp; '),
  );
  return text;
}

function link(icon: string, title: string, command: (typeof COMMANDS)[number], args: readonly unknown[]): string {
  // A `)` would end the link.
  const query = encodeURIComponent(JSON.stringify(args)).replace(
    /[()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `[${icon} ${title}](command:${command}?${query})`;
}
