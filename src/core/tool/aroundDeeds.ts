// Around a run that commits, pushes or makes a pull request: what it did is found by looking at the repository before and after it.
import type { Deed, DeedKind } from '../../common/deeds';
import type { History, HistoryState } from '../history';
import type { Path } from '../host';
import type { Excerpt } from '../output/excerpt';
import type { Target } from '../permission/types';
import type { Ran, RunOf } from './run';
import type { TurnTools } from './turnTools';

const MAX_COMMITS = 5;
const MAX_REFS = 5;

/** Undefined where the run is not known to do any such thing. What it returns emits what was done, and never rejects. */
export async function watchDeeds(
  { call }: Pick<RunOf, 'call'>,
  targets: readonly Target[],
  { host, emit }: Pick<TurnTools, 'host' | 'emit'>,
  signal: AbortSignal,
): Promise<((ran: Pick<Ran, 'status' | 'body'>) => Promise<void>) | undefined> {
  const [execute] = targets.flatMap((target) => (target.op === 'execute' ? [target] : []));
  const kinds = execute?.line?.deeds ?? [];
  if (!execute || kinds.length === 0) return undefined;
  const { history } = host;
  const before = await history?.state(execute.cwd, signal);
  return async ({ status, body }) => {
    const done = new AbortController().signal; // Stop has ended the run, not what it did
    const after = before && (await history?.state(execute.cwd, done));
    const deeds: Deed[] = [
      ...(history && before && after ? await historyDeeds(kinds, { before, after, folder: execute.cwd }, history) : []),
      ...(kinds.includes('pullRequest') && status === 'done' ? pullRequestsIn(body) : []),
    ];
    if (deeds.length > 0) emit({ type: 'deeds/done', call: call.id, deeds });
  };
}

interface Moved {
  readonly before: HistoryState;
  readonly after: HistoryState;
  readonly folder: Path;
}

async function historyDeeds(
  kinds: readonly DeedKind[],
  { before, after, folder }: Moved,
  history: History,
): Promise<readonly Deed[]> {
  const { commit: from } = before;
  const { commit: to, branch } = after;
  const hasCommitted = kinds.includes('commit') && to !== undefined && to !== from;
  const range = hasCommitted ? { ...(from !== undefined && { from }), to, max: MAX_COMMITS } : undefined;
  const commits = range ? await history.commits(folder, range) : [];
  const moved = [...after.remotes].filter(([name, commit]) => before.remotes.get(name) !== commit);
  const refs = moved.slice(0, MAX_REFS).map(([name]) => name);
  const pushed = kinds.includes('push') ? await history.pushed(folder, refs) : [];
  return [
    ...commits.map((commit): Deed => ({ kind: 'commit', ...commit, ...(branch !== undefined && { branch }) })),
    ...pushed.map((ref): Deed => ({ kind: 'push', ref })),
  ];
}

/** As GitHub, GitLab, Bitbucket, Gitea and Azure write them. */
const PULL_REQUEST = /https:\/\/[^\s"'<>()[\]]+\/(?:pull|pulls|merge_requests|pull-requests|pullrequest)\/\d+/g;

function pullRequestsIn({ head, tail }: Excerpt): readonly Deed[] {
  const urls = new Set(`${head}\n${tail}`.match(PULL_REQUEST) ?? []);
  return [...urls].slice(0, MAX_REFS).map((url) => ({ kind: 'pullRequest', url }));
}
