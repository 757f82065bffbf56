// What the person's profile puts on PATH, and that no profile can hold a command up for long or do harm.
import assert from 'node:assert/strict';
import { joinPaths, withLoginPath } from '../../../src/node/loginPath';
import { createWorkspace } from '../../support/workspace';

describe('withLoginPath', () => {
  const CASES: readonly { what: string; profile: string; found: string }[] = [
    {
      what: 'adds what the profile adds, after what is there',
      profile: 'PATH=/opt/tool/bin:$PATH',
      found: '/opt/tool/bin',
    },
    {
      what: 'does not mind what a profile prints',
      profile: 'echo hello; PATH=/opt/loud:$PATH; printf x',
      found: '/opt/loud',
    },
    { what: 'does without a profile that ends the shell', profile: 'PATH=/opt/no; exit 3', found: '' },
    { what: 'S12: leaves relative folders out', profile: 'PATH=./bin:node_modules/.bin:/opt/fine', found: '/opt/fine' },
    { what: 'R42: gives a profile no input to wait for', profile: 'read x; PATH=/opt/read:$PATH', found: '/opt/read' },
    { what: 'S09: shows a profile no keys', profile: 'PATH=/opt/$MY_API_KEY/none:$PATH', found: '/opt//none' },
  ];
  for (const { what, profile, found } of CASES) {
    it(what, async () => {
      const home = await createWorkspace({ '.bash_profile': `${profile}\n` });
      try {
        const env = { HOME: home.root, PATH: '/usr/bin:/bin', MY_API_KEY: 'secret' };
        const { PATH = '', ...rest } = await withLoginPath(env, '/bin/bash');
        assert.deepEqual(rest, { HOME: home.root, MY_API_KEY: 'secret' });
        assert.equal(PATH.startsWith('/usr/bin:/bin'), true);
        assert.equal(found === '' || PATH.split(':').includes(found), true, PATH);
        assert.deepEqual(
          PATH.split(':').filter((folder) => !folder.startsWith('/')),
          [],
        );
      } finally {
        await home.remove();
      }
    });
  }

  it('R41: does without a profile that hangs, and leaves nothing of it', async function () {
    this.timeout(20_000);
    const home = await createWorkspace({ '.bash_profile': 'while :; do sleep 1; done\n' });
    try {
      const env = { HOME: home.root, PATH: '/usr/bin:/bin' };
      assert.deepEqual(await withLoginPath(env, '/bin/bash'), { ...env, PATH: '/usr/bin:/bin' });
    } finally {
      await home.remove();
    }
  });
});

describe('joinPaths', () => {
  it('names each folder once', () => {
    assert.equal(joinPaths('/a:/b::/a', '/b:/c:.:'), '/a:/b:/c');
  });
});
