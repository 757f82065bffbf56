// What a session's file says of files is not trusted: no path of it is relative, no name of a content leads anywhere.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Contents } from '../../../../src/core/checkpoint/contents';
import { readChanges } from '../../../../src/core/checkpoint/entries';
import { currentPlatform } from '../../../../src/node/platform';
import { inWorkspace } from '../../../support/workspace';

const NAME = 'ab'.repeat(32);
const DAMAGED = 'The record of what it was is damaged.';

function check(what: string, file: unknown, read: ReturnType<typeof readChanges>): void {
  it(what, () => assert.deepEqual(readChanges([file], currentPlatform()), read));
}

describe('checkpoints: what a session’s file says', () => {
  check(
    'a whole entry',
    { path: '/w/a', change: 'edited', before: { bytes: NAME, mode: 0o644 }, after: { unsaved: NAME } },
    [{ path: '/w/a', before: { bytes: NAME, mode: 0o644 }, after: { unsaved: NAME } }],
  );
  check('S32 a relative path', { path: '../../a', change: 'created' }, []);
  check('S32 a relative path where links lead', { path: '/w/a', real: 'a', change: 'created' }, []);
  check('S32 a path that is not written plainly', { path: '/w/a/../../b', change: 'created' }, []);
  check('S32 nor where links lead', { path: '/w/a', real: '/w/../b', change: 'created' }, []);
  check('S32 a name that is to be a folder', { path: '/w/a/', change: 'created' }, []);
  check('a path that is no text', { path: 7, change: 'created' }, []);
  check('no object', 'a', []);
  check('S32 a name that leads elsewhere', { path: '/w/a', before: { bytes: `../../../${NAME}` } }, [
    { path: '/w/a', before: {}, lost: DAMAGED },
  ]);
  check('a name that is no text', { path: '/w/a', before: { bytes: [NAME] } }, [
    { path: '/w/a', before: {}, lost: DAMAGED },
  ]);
  check('permissions that are none', { path: '/w/a', before: { bytes: NAME, mode: 0o107777 } }, [
    { path: '/w/a', before: { bytes: NAME } },
  ]);

  it('anything at all', () =>
    fc.assert(
      fc.property(fc.anything(), (files) => {
        readChanges(files, currentPlatform());
      }),
    ));

  it('a name that is none is never looked for', () =>
    inWorkspace({}, async ({ host }) => {
      const contents = new Contents(host.store, 's1');
      for (const name of ['../../secret', '', NAME.toUpperCase(), `${NAME}0`, NAME]) {
        assert.equal(await contents.read(name), undefined);
      }
    }));
});
