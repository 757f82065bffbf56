// Server-sent events come out the same, wherever the bytes are split and however lines end.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EventDecoder, type SentEvent } from '../../../../src/core/provider/sse';

function decode(pieces: readonly Uint8Array[]): SentEvent[] {
  const decoder = new EventDecoder();
  return pieces.flatMap((piece) => decoder.push(piece));
}

describe('server-sent events', () => {
  const check = (name: string, stream: string, expected: readonly SentEvent[]): void => {
    it(name, () => {
      for (const lineEnd of ['\n', '\r\n', '\r']) {
        const bytes = Buffer.from(stream.replaceAll('\n', lineEnd));
        assert.deepEqual(decode([bytes]), expected);
        fc.assert(
          fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
            const ends = [...cuts.sort((a, b) => a - b), bytes.length];
            assert.deepEqual(decode(ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))), expected);
          }),
        );
      }
    });
  };
  check('an event', 'event: a\ndata: {"b":"ü→😀"}\n\n', [{ event: 'a', data: '{"b":"ü→😀"}' }]);
  check('several', 'event: a\ndata: 1\n\nevent: b\ndata: 2\n\n', [
    { event: 'a', data: '1' },
    { event: 'b', data: '2' },
  ]);
  check('data of several lines', 'event: a\ndata: 1\ndata: 2\n\n', [{ event: 'a', data: '1\n2' }]);
  check('no blank after the colon', 'event:a\ndata:1\n\n', [{ event: 'a', data: '1' }]);
  check('comments and other fields', ': ping\nid: 7\nevent: a\nretry: 1\ndata: 1\n\n', [{ event: 'a', data: '1' }]);
  check('a byte-order mark', '\ufeffevent: a\ndata: 1\n\n', [{ event: 'a', data: '1' }]);
  check('no name', 'data: 1\n\n', [{ event: '', data: '1' }]);
  check('no data', 'event: a\n\nevent: b\ndata: 1\n\n', [{ event: 'b', data: '1' }]);
  check('empty lines', '\n\n\nevent: a\ndata: 1\n\n\n', [{ event: 'a', data: '1' }]);
  check('one that does not end', 'event: a\ndata: 1\n', []);
});
