// Messages to the panel: what is of the protocol gets through, anything else is as if it had not come.
import assert from 'node:assert/strict';
import { Transcript } from '../../../src/common/transcript';
import { isAnswer, parseIncoming } from '../../../webview/incoming';
import { START_STATE } from '../../support/webview/recordedHost';
import { STORY, STORY_ENDING } from '../../support/webview/story';

const ROW = { type: 'notice', id: 'n', turn: 't', agent: 'main', level: 'info', text: 'x' };

function event(body: object): object {
  return { type: 'event', event: { seq: 1, ...body } };
}

describe('messages to the panel', () => {
  function check(name: string, message: unknown, isTaken: boolean): void {
    it(name, () => assert.deepEqual(parseIncoming(message), isTaken ? message : undefined));
  }

  check('rows', event({ type: 'rows', changes: [{ type: 'upsert', row: ROW }] }), true);
  check('text for a row', event({ type: 'rows', changes: [{ type: 'append', id: 'n', text: 'y' }] }), true);
  check('state', event({ type: 'state', state: START_STATE }), true);
  check('an answer without a value', { type: 'answer', id: 1 }, true);
  check('a problem', { type: 'problem', id: 1, message: 'no' }, true);
  check('nothing', undefined, false);
  check('words', 'hello', false);
  check('a type of another page', { type: 'webpackOk' }, false);
  check('a type from the prototype', { type: 'constructor' }, false);
  check('an event without a number', { type: 'event', event: { type: 'composer/focus' } }, false);
  check('an event of no known type', event({ type: 'navigate' }), false);
  check(
    'a row of no known type',
    event({ type: 'rows', changes: [{ type: 'upsert', row: { ...ROW, type: 'html' } }] }),
    false,
  );
  check('a row without an id', event({ type: 'rows', changes: [{ type: 'upsert', row: { ...ROW, id: 7 } }] }), false);
  check('a mode there is not', event({ type: 'state', state: { ...START_STATE, mode: 'god' } }), false);

  it('every row of a whole session gets through', () => {
    const transcript = new Transcript();
    const changes = [...STORY, ...STORY_ENDING].flatMap((body, seq) =>
      transcript.apply({ seq, time: 0, session: 's', turn: 't', agent: 'main', ...body }),
    );
    const message = event({ type: 'rows', changes });
    assert.deepEqual(parseIncoming(message), message);
  });

  it('an answer is checked against what was asked', () => {
    const page = { rows: [ROW], more: false };
    const answers = [
      isAnswer('rows/before', page),
      isAnswer('rows/before', { rows: [{}], more: false }),
      isAnswer('panel/ready', { state: START_STATE, page, seq: 1, draft: '' }),
      isAnswer('panel/ready', page),
      isAnswer('turn/stop', undefined),
    ];
    assert.deepEqual(answers, [true, false, true, false, true]);
  });
});
