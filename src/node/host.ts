// The whole host over plain Node: with it the agent runs without an editor.
import { basename, resolve } from 'node:path';
import { tellingEdits } from '../core/checkpoint/telling';
import type { Clock, Host, Ids, Log, Path, Root } from '../core/host';
import { actingWhereTrusted } from '../core/trust';
import { systemClock } from './clock';
import { createEdits } from './edits';
import { createFiles } from './files';
import { createHistory } from './history';
import { createIds } from './ids';
import { readLines } from './lines';
import { createLog } from './log';
import { createMedia } from './media';
import { currentPlatform } from './platform';
import { createConfinement } from './sandbox/confine';
import { createSearch } from './search';
import { createSettings, type SettingValues } from './settings';
import { createShell } from './shell';
import { createSnapshots } from './snapshots';
import { createStore } from './store';

export interface NodeHostOptions {
  /** The folders of the workspace, as absolute or relative paths. */
  readonly roots: readonly Path[];
  /** While it is false nothing of the workspace is run or changed. True where absent. */
  readonly isTrusted?: () => boolean;
  /** Where Lathe keeps its own files; made when needed, never inside the workspace. */
  readonly storeDir: Path;
  readonly settings?: SettingValues;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
  /** What commands inherit, before it is scrubbed; the process's own where absent. */
  readonly env?: NodeJS.ProcessEnv;
}

export function createNodeHost(options: NodeHostOptions): Host {
  const clock = options.clock ?? systemClock;
  const settings = createSettings(options.settings);
  const roots = options.roots.map(rootOf);
  const rootPaths = () => roots.map(({ path }) => path);
  const snapshots = createSnapshots();
  const trust = { isTrusted: options.isTrusted ?? (() => true) };
  const acting = {
    edits: tellingEdits(createEdits({ maxBytes: () => settings.get('files.maxEditBytes') }), snapshots),
    shell: createShell({
      env: options.env ?? process.env,
      roots: rootPaths,
      confinement: createConfinement({ settings, roots: rootPaths }),
    }),
    snapshots,
    history: createHistory(),
  };
  return {
    ...trust,
    ...actingWhereTrusted(acting, trust),
    roots: () => roots,
    platform: currentPlatform(),
    settings,
    files: { ...createFiles(), lines: readLines },
    media: createMedia(),
    search: createSearch(),
    store: createStore(resolve(options.storeDir)),
    web: { fetch: globalThis.fetch },
    clock,
    ids: options.ids ?? createIds(clock),
    log: options.log ?? createLog(clock, (line) => process.stderr.write(`${line}\n`)),
  };
}

function rootOf(folder: Path): Root {
  const path = resolve(folder);
  return { name: basename(path) || path, path };
}
