// The open review of a window: the model, what keeps it in step with the files, and what the editor shows of it.
import * as vscode from 'vscode';
import type { Settings } from '../../common/settings';
import { createReviews, type ReviewModel } from '../../core/review/reviews';
import { resumeReviews, StoredReviews } from '../../core/review/stored';
import type { Path } from '../../core/host';
import type { Reviews } from '../../core/review/types';
import type { EditorHost } from '../host';
import { toPath, toUri, workspaceRoots } from '../uris';
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
/** So much may be lost when the editor is killed: then what the agent did since counts as the person's. */
const SAVE_PAUSE_MS = 500;
const HAS_REVIEW = 'lathe.hasReview';
const IN_EDITOR = 'lathe.reviewInEditor';

export async function openReview({ host, rejections, onChange }: OpenReviewParts): Promise<OpenReview> {
  const stored = new StoredReviews(
    host.store,
    workspaceRoots().map(({ path }) => path),
  );
  const reviews = await resume(stored, host);
  const follower = new Follower({ host, reviews });
  const baselines = new Baselines(reviews, host.files);
  let surfaces: Surfaces | undefined;
  let timer: NodeJS.Timeout | undefined;
  let saving: NodeJS.Timeout | undefined;
  const changed = new Set<Path>();

  const save = async () => {
    clearTimeout(saving);
    saving = undefined;
    const { inMemory, failed } = await stored.save(reviews.states());
    if (failed !== undefined) host.log.warn(`What is under review could not be stored. ${failed}`);
    if (inMemory.length > 0) host.log.info(`Too long to be under review after a reload: ${inMemory.join(', ')}`);
  };
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
    saving ??= setTimeout(() => void save(), SAVE_PAUSE_MS);
    onChange();
  };
  const showSoon = (paths: readonly Path[]) => {
    for (const path of paths) changed.add(path);
    timer ??= setTimeout(show, SHOW_PAUSE_MS);
  };
  const unsubscribe = reviews.subscribe(showSoon);
  showSoon(reviews.files().map(({ path }) => path));
  const editors = vscode.window.onDidChangeActiveTextEditor(() => tellContext(reviews));
  const dispose = () => {
    clearTimeout(timer);
    clearTimeout(saving);
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
    async close() {
      await follower.idle();
      await save();
    },
    dispose,
  };
}

async function resume(stored: StoredReviews, { files, log }: EditorHost): Promise<ReviewModel> {
  try {
    return await resumeReviews(stored, files);
  } catch (error) {
    log.error('What was under review could not be read', error);
    return createReviews();
  }
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
