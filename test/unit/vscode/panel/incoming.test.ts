// Only requests of the protocol get through; everything else a page may send is dropped.
import assert from 'node:assert/strict';
import { parseRequest } from '../../../../src/vscode/panel/incoming';

describe('a request from a panel', () => {
  const sessionId = 's1';

  function check(title: string, message: unknown, isRequest: boolean): void {
    it(`${isRequest ? 'takes' : 'drops'} ${title}`, () => {
      assert.deepEqual(parseRequest(message), isRequest ? message : undefined);
    });
  }
  const takes = (title: string, name: string, payload: object) => check(title, { id: 1, name, payload }, true);
  const drops = (title: string, name: string, payload: unknown) => check(title, { id: 1, name, payload }, false);

  takes('the first word of a page', 'panel/ready', {});
  takes('the focus of a page', 'panel/focused', {});
  takes('a prompt', 'prompt/send', { sessionId, text: 'hi' });
  takes('a file with a line', 'file/open', { sessionId, path: '/a', line: 3 });
  const decides = (answer: object) => ({ sessionId, ask: 'a', answer: { kind: 'permission', ...answer } });
  takes('a decision', 'ask/answer', decides({ decision: 'once', digest: 'd' }));
  takes('a rule that is kept', 'ask/answer', decides({ decision: 'always', grant: 1, digest: 'd' }));
  takes('a changed command', 'ask/answer', decides({ decision: 'once', changed: 'ls', digest: 'd' }));
  takes('a text changed in an editor', 'proposal/apply', { sessionId, ask: 'a', digest: 'd' });
  drops('S83: a decision that does not say what was shown', 'ask/answer', decides({ decision: 'once' }));
  drops('a rule that is none', 'ask/answer', decides({ decision: 'always', grant: -1, digest: 'd' }));
  drops('a change that is no text', 'ask/answer', decides({ decision: 'once', changed: 1, digest: 'd' }));
  takes('an answer', 'ask/answer', {
    sessionId,
    ask: 'a',
    answer: { kind: 'question', answers: [{ question: 'q', chosen: ['x'], text: 'y' }] },
  });
  check('no object', 'prompt/send', false);
  check('a request without an id', { name: 'turn/stop', payload: { sessionId } }, false);
  drops('an unknown request', 'file/delete', { sessionId });
  drops('a name from the prototype', 'constructor', { sessionId });
  drops('a prompt without a session', 'prompt/send', { text: 'hi' });
  drops('a text that is none', 'prompt/send', { sessionId, text: 1 });
  drops('a mode that is none', 'mode/set', { sessionId, mode: 'root' });
  drops('a decision that is none', 'ask/answer', {
    sessionId,
    ask: 'a',
    answer: { kind: 'permission', decision: 'forever', digest: 'd' },
  });
  drops('a dismissal, which is not a page’s to give', 'ask/answer', {
    sessionId,
    ask: 'a',
    answer: { kind: 'dismissed', reason: 'no' },
  });
  drops('a negative offset', 'row/text', { sessionId, row: 'r', offset: -1 });
  drops('a payload that is a list', 'turn/stop', [sessionId]);
});
