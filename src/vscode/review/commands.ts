// The commands of the review, as entries of the extension's table.
import type * as vscode from 'vscode';
import type { OpenReview } from './open';
import type { WindowReview } from './window';

type Command = (...args: unknown[]) => Promise<void>;

/** Loaded with the first of them, since the palette may have one run before anything was changed. */
const load = () => Promise.all([import('./actions'), import('./targets')]).then(([a, b]) => ({ ...a, ...b }));
type Parts = Awaited<ReturnType<typeof load>>;

export function reviewCommands(review: WindowReview): Readonly<Record<`lathe.review.${string}`, Command>> {
  const command = (run: (open: OpenReview, parts: Parts, args: readonly unknown[]) => Promise<void>): Command => {
    return async (...args) => {
      const [open, parts] = await Promise.all([review.load(), load()]);
      await run(open, parts, args);
    };
  };
  return {
    'lathe.review.keepChange': command(async (open, { changeTarget, keepChange }, args) => {
      const target = changeTarget(args);
      if (target) await keepChange(open, target);
    }),
    'lathe.review.undoChange': command(async (open, { changeTarget, undoChange }, args) => {
      const target = changeTarget(args);
      if (target) await undoChange(open, target);
    }),
    'lathe.review.keepFile': command((open, { fileTargets, keepFiles, pathsOf }, args) =>
      keepFiles(open, pathsOf(fileTargets(args))),
    ),
    'lathe.review.undoFile': command((open, { fileTargets, undoFiles, pathsOf }, args) =>
      undoFiles(open, pathsOf(fileTargets(args))),
    ),
    'lathe.review.keepAll': command((open, { keepFiles }) =>
      keepFiles(
        open,
        open.reviews.files().map(({ path }) => path),
      ),
    ),
    'lathe.review.undoAll': command((open, { undoAll }) => undoAll(open)),
    'lathe.review.openAll': command((open, { openAll }) => openAll(open.reviews.files())),
    'lathe.review.openDiff': command(async (open, { fileTargets, openDiff }, args) => {
      const uri: vscode.Uri | undefined = fileTargets(args)[0];
      if (uri) await openDiff(open, uri);
    }),
    'lathe.review.next': command((open, { goTo }) => goTo(open, 'next')),
    'lathe.review.previous': command((open, { goTo }) => goTo(open, 'previous')),
    'lathe.review.showOrigin': command(async (open, { originTarget }, args) => {
      const origin = originTarget(open.reviews, args);
      if (origin) await review.showCall(origin.session, origin.call);
    }),
  };
}
