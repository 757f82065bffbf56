// What a session needs so that the changes of its calls can be taken back: who records them, and who puts them back.
import type { EventBody } from '../../common/events';
import type { Host } from '../host';
import { trimStored } from '../quota';
import { CONTENTS, Contents } from './contents';
import type { Ledger } from './ledger';
import { Recorder, type RecorderParts } from './recorder';
import { createCheckpoints } from './restore';
import type { Checkpoints } from './types';

export interface ChangesParts {
  readonly host: Host;
  readonly record: { readonly id: string; readonly ledger: Ledger; emit(event: EventBody): void };
  /** A turn runs. */
  readonly isBusy: () => boolean;
  /** Sessions of this window that may still need what is kept for them. */
  readonly isOpen: (session: string) => boolean;
  readonly onNoted?: RecorderParts['onNoted'];
}

export interface Changes {
  readonly recorder: Recorder;
  readonly checkpoints: Checkpoints;
  /** Makes room on the disk, once however often it is called. Never rejects. */
  trim(): Promise<void>;
}

export function keepChanges({ host, record, isBusy, isOpen, onNoted }: ChangesParts): Changes {
  const { store, settings, clock, log } = host;
  const { ledger, id: session } = record;
  const contents = new Contents(store, session);
  const emit = (event: EventBody) => record.emit(event);
  const recorder = new Recorder({ host, session, contents, ledger, emit, onNoted });
  let trimming: Promise<void> | undefined;
  const trim = () => {
    const maxBytes = settings.get('checkpoints.diskBytes');
    return trimStored(store, { prefix: CONTENTS, maxBytes, nowMs: clock.now(), isOpen }).catch((error: unknown) =>
      log.warn(`Old checkpoints could not be removed: ${String(error)}`),
    );
  };
  return {
    recorder,
    checkpoints: createCheckpoints({ host, ledger, contents, recorder, isBusy, emit }),
    trim: () => (trimming ??= trim()),
  };
}
