// What lasts as long as a session, put together when it is opened.
import { keepChanges, type Changes } from '../checkpoint/session';
import type { Mode } from '../../common/modes';
import { ReadState } from '../files/readState';
import { Hooks } from '../hooks/hooks';
import type { Asker, Host, Path } from '../host';
import { OutputMemory } from '../output/memory';
import { Outputs } from '../output/outputs';
import { Permissions } from '../permission/permissions';
import { Background } from '../tool/background';
import { Gate } from '../tool/gate';
import { Inputs } from '../tool/inputs';
import { startWhereTrusted } from '../trust';
import type { SessionRecord } from './record';
import type { SessionOptions } from './types';

/** What the session knows at the moment of asking. */
export interface LiveState {
  readonly mode: () => Mode;
  readonly seesImages: () => boolean;
  /** Where commands run: kept between calls. */
  readonly cwd: () => Path;
  readonly setCwd: (path: Path) => void;
  /** Files cannot be put back now. */
  readonly isBusy: () => boolean;
}

export interface SessionParts extends LiveState {
  readonly host: Host;
  readonly record: SessionRecord;
  readonly inputs: Inputs;
  readonly gate: Gate;
  readonly permissions: Permissions;
  readonly hooks: Hooks;
  readonly outputs: Outputs;
  readonly changes: Changes;
  readonly background: Background;
  readonly reads: ReadState;
  readonly asker: Asker;
}

export function assembleParts(options: SessionOptions, record: SessionRecord, live: LiveState): SessionParts {
  const { host, asker } = options;
  const memory = options.outputMemory ?? new OutputMemory(host.settings);
  return {
    ...{ host, record, asker, ...live },
    inputs: new Inputs(host.log),
    gate: new Gate(() => host.settings.get('tools.concurrency')),
    permissions: new Permissions(host, {
      ...(options.keepRule ? { keepRule: options.keepRule } : {}),
      changedHere: (path) => record.ledger.hasChanged(path),
      isTainted: record.known.isTainted ?? false,
    }),
    hooks: new Hooks({
      ...{ host, start: startWhereTrusted(options.start, host), session: record.id },
      source: options.resume === undefined ? 'startup' : 'resume',
      mode: live.mode,
      cwd: live.cwd,
      emit: (event) => record.emit(event),
    }),
    outputs: new Outputs({ host, session: record.id, memory }),
    changes: keepChanges({
      ...{ host, record, isBusy: live.isBusy },
      isOpen: (session) => memory.isOpen(session),
      onNoted: options.onCommandChanges,
    }),
    background: new Background(() => record.emit({ type: 'tasks/changed', transient: true })),
    reads: new ReadState(),
  };
}
