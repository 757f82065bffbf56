// Which turns of a stored session stand, found without keeping what was said in them.
import type { EventType } from '../../common/events';
import type { Store } from '../store';
import { History } from '../session/history';
import { sessionFile } from '../session/journal';
import { scanEvents } from './scan';

const TURNING: ReadonlySet<string> = new Set<EventType>([
  'turn/started',
  'conversation/rewound',
  'conversation/restored',
]);

export async function standingTurns(store: Store, id: string): Promise<ReadonlySet<string>> {
  const history = new History();
  const isWanted = ({ type }: { readonly type: string }) => TURNING.has(type);
  for await (const event of scanEvents(store, { name: sessionFile(id), isWanted })) {
    history.apply(event.type === 'turn/started' ? { ...event, text: '', images: [] } : event);
  }
  return new Set(history.prompts().map(({ turn }) => turn));
}
