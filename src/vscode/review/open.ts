// The open review of a window: the model, what keeps it in step with the files, and what the editor shows of it.
import * as vscode from 'vscode';
import type { Settings } from '../../common/settings';
import { createReviews } from '../../core/review/reviews';
import type { Path } from '../../core/host';
import type { Reviews } from '../../core/review/types';
import type { EditorHost } from '../host';
import { toPath, toUri } from '../uris';
import { ReviewBadges } from './badges';
import { Baselines } from './baselines';
import { Follower } from './follower';
import { registerHovers } from './hovers';
import { ReviewLenses } from './lenses';
import type { Rejections } from './rejections';
import { ReviewControl } from './sourceControl';
import type { ReviewParts } from './window';

export interface OpenReview extends vscode.Disposable {
  readonly host: EditorHost;
  readonly reviews: Reviews;
  readonly follower: Follower;
  readonly rejections: Rejections;
  /** A setting has changed. */
  refresh(): void;
  close(): Promise<void>;
}

export interface OpenReviewParts extends ReviewParts {
  readonly rejections: Rejections;
  readonly onChange: () => void;
}

/** Several changes in one go are shown once. */
const SHOW_PAUSE_MS = 30;
const HAS_REVIEW = 'lathe.hasReview';
const IN_EDITOR = 'lathe.reviewInEditor';

export async function openReview({ host, rejections, onChange }: OpenReviewParts): Promise<OpenReview> {
  const reviews = createReviews();
  const follower = new Follower({ host, reviews });
  const baselines = new Baselines(reviews, host.files);
  let surfaces: Surfaces | undefined;
  let timer: NodeJS.Timeout | undefined;
  const changed = new Set<Path>();

  const show = () => {
    timer = undefined;
    const paths = [...changed];
    changed.clear();
    const files = reviews.files();
    follower.watch(files.map(({ path }) => path));
    if (files.length > 0) surfaces ??= openSurfaces(reviews, host.settings);
    for (const path of paths) baselines.changed(toUri(path));
    surfaces?.show(paths);
    if (files.length === 0) {
      surfaces?.dispose();
      surfaces = undefined;
    }
    tellContext(reviews);
    onChange();
  };
  const showSoon = (paths: readonly Path[]) => {
    for (const path of paths) changed.add(path);
    timer ??= setTimeout(show, SHOW_PAUSE_MS);
  };
  const unsubscribe = reviews.subscribe(showSoon);
  const editors = vscode.window.onDidChangeActiveTextEditor(() => tellContext(reviews));
  const dispose = () => {
    clearTimeout(timer);
    unsubscribe();
    editors.dispose();
    follower.dispose();
    baselines.dispose();
    surfaces?.dispose();
  };
  return {
    host,
    reviews,
    follower,
    rejections,
    refresh: () => surfaces?.refresh(),
    close: () => follower.idle(),
    dispose,
  };
}

interface Surfaces extends vscode.Disposable {
  show(paths: readonly Path[]): void;
  refresh(): void;
}

function openSurfaces(reviews: Reviews, settings: Settings): Surfaces {
  const control = new ReviewControl(reviews);
  const badges = new ReviewBadges(reviews);
  const hovers = registerHovers(reviews);
  let lenses: ReviewLenses | undefined;
  const refresh = () => {
    if (!settings.get('review.codeLens')) {
      lenses?.dispose();
      lenses = undefined;
      return;
    }
    lenses ??= new ReviewLenses(reviews);
  };
  refresh();
  return {
    refresh,
    show(paths) {
      control.show(reviews.files());
      badges.changed(paths);
      lenses?.changed();
    },
    dispose() {
      vscode.Disposable.from(control, badges, hovers, ...(lenses ? [lenses] : [])).dispose();
    },
  };
}

/** What the `when` clauses of commands and keys ask for. */
function tellContext(reviews: Reviews): void {
  const active = vscode.window.activeTextEditor?.document.uri;
  const inEditor = active !== undefined && reviews.hunks(toPath(active)).length > 0;
  void vscode.commands.executeCommand('setContext', HAS_REVIEW, reviews.files().length > 0);
  void vscode.commands.executeCommand('setContext', IN_EDITOR, inEditor);
}
