// The git program as what is asked of it: an answer or none, never an exception.
import assert from 'node:assert/strict';
import { createGit } from '../../../src/node/git';

describe('git', () => {
  it('asks no Git that is not there', async () => {
    const run = { args: ['version'], cwd: '/', signal: new AbortController().signal };
    assert.equal(await createGit('/no/such/git')(run), undefined);
    assert.match((await createGit()(run))?.toString() ?? '', /^git version/);
    assert.equal(await createGit()({ ...run, args: ['no-such-command'] }), undefined);
    assert.equal(await createGit()({ ...run, args: ['no\0such'] }), undefined);
  });
});
