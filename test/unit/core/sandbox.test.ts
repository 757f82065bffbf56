// Where a command runs as the setting and the call say, and what is said where the sandbox that is wanted is missing.
import assert from 'node:assert/strict';
import { labelOf, placeIn, sandboxNotes, sandboxText, sandboxWarning, unsureOf } from '../../../src/core/sandbox';
import type { SandboxState } from '../../../src/core/shell';

const OFF: SandboxState = { kind: 'off' };
const ON: SandboxState = { kind: 'on', isRequired: false };
const MUST: SandboxState = { kind: 'on', isRequired: true };
const WITHOUT: SandboxState = { kind: 'missing', reason: 'none', isRequired: false };
const REFUSING: SandboxState = { kind: 'missing', reason: 'none', isRequired: true };

/** What comes of a call, and of one that wants outside; `refused` stands for an objection. */
function check(name: string, state: SandboxState | undefined, expected: readonly [string, string]): void {
  it(`S18: ${name}`, () => {
    const outcomes = [false, true].map((wantsOutside) => {
      const placed = placeIn(state, wantsOutside);
      return 'objection' in placed ? 'refused' : (placed.place ?? 'as usual');
    });
    assert.deepEqual(outcomes, expected);
  });
}

describe('S16: the sandbox of a call', () => {
  check('a host that knows none', undefined, ['as usual', 'as usual']);
  check('off', OFF, ['as usual', 'as usual']);
  check('on', ON, ['inside', 'outside']);
  check('required', MUST, ['inside', 'refused']);
  check('missing', WITHOUT, ['as usual', 'as usual']);
  check('required and missing', REFUSING, ['refused', 'refused']);

  it('the person is warned where it is missing, and the model told where one is wanted', () => {
    const states = [OFF, ON, MUST, WITHOUT, REFUSING];
    assert.deepEqual(
      states.map((state) => [sandboxText(state) !== undefined, sandboxWarning(state) !== undefined]),
      [
        [false, false],
        [true, false],
        [true, false],
        [true, true],
        [true, true],
      ],
    );
  });

  it('S35: what was set aside, and what could not be, is in the result', () => {
    const exit = { ok: true, code: 0, timedOut: false, wasStopped: false, cwd: '/w', wasSandboxed: true } as const;
    const show = (path: string) => path.slice('/w/'.length);
    assert.deepEqual(sandboxNotes(exit, show), []);
    const notes = sandboxNotes({ ...exit, setAside: ['/w/AGENTS.md'], mayTakeEffect: ['/w/x', '/w/y'] }, show);
    assert.equal(notes.length, 2);
    assert.match(notes[0] ?? '', /^Set aside, .*: AGENTS\.md\. Make such files with write or edit/);
    assert.match(notes[1] ?? '', /^What it made in x, y may take effect by itself, .* Tell the person\.$/);
  });

  it('S16: the card says where a command runs, where a sandbox is wanted', () => {
    const label = (place: 'inside' | 'outside' | undefined) => [labelOf(place, true), labelOf(place, false)];
    assert.deepEqual(
      { none: label(undefined), inside: label('inside'), outside: label('outside') },
      {
        none: [{ place: 'outside' }, {}],
        inside: [{ place: 'inside' }, { place: 'inside' }],
        outside: [{ place: 'outside' }, { place: 'outside' }],
      },
    );
  });

  it('S35: the card says what may take effect by itself', () => {
    const exit = { ok: true, code: 0, timedOut: false, wasStopped: false, cwd: '/w', wasSandboxed: true } as const;
    const show = (path: string) => path.slice('/w/'.length);
    assert.deepEqual(
      [
        unsureOf(undefined, show),
        unsureOf(exit, show),
        unsureOf({ ok: false, reason: 'x' }, show),
        unsureOf({ ...exit, mayTakeEffect: ['/w/x'] }, show),
      ],
      [{}, {}, {}, { mayTakeEffect: ['x'] }],
    );
  });
});
