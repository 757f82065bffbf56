// How a row looks once its turn is over, whatever happened to the events in between.
import { isSettled, type Row } from './rows';

/** Undefined for a row that does not look alive anyway. */
export function closedRow(row: Row): Row | undefined {
  if (row.type === 'tool' && !isSettled(row.state)) {
    const { ask: _, ...rest } = row;
    return { ...rest, state: 'stopped' };
  }
  if ((row.type === 'text' || row.type === 'thinking') && row.streaming) return { ...row, streaming: false };
  if (row.type === 'retry' && row.until !== undefined) {
    const { until: _, ...rest } = row;
    return rest;
  }
  return undefined;
}
