// What a session needs so that the changes of its calls can be taken back: who records them, and who puts them back.
import type { EventBody } from '../../common/events';
import type { Host } from '../host';
import { Contents } from './contents';
import type { Ledger } from './ledger';
import { Recorder } from './recorder';
import { createCheckpoints } from './restore';
import type { Checkpoints } from './types';

export interface ChangeKeeping {
  readonly host: Host;
  readonly record: { readonly id: string; readonly ledger: Ledger; emit(event: EventBody): void };
  /** A turn runs. */
  readonly isBusy: () => boolean;
}

export function keepChanges({ host, record, isBusy }: ChangeKeeping): {
  readonly recorder: Recorder;
  readonly checkpoints: Checkpoints;
} {
  const { ledger, id: session } = record;
  const contents = new Contents(host.store, session);
  const emit = (event: EventBody) => record.emit(event);
  const recorder = new Recorder({ host, session, contents, ledger, emit });
  return { recorder, checkpoints: createCheckpoints({ host, ledger, contents, recorder, isBusy, emit }) };
}
