// What may be fetched: public https addresses of hosts that somebody has allowed, judged by where they lead and not by how they are written.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isPublicAddress } from '../../../../src/core/net/address';
import { coversHost } from '../../../../src/core/net/domain';
import { followRedirect, judgeUrl, pin } from '../../../../src/core/net/url';

const NAMES: Record<string, readonly string[]> = {
  'docs.example': ['93.184.215.14'],
  'two.example': ['93.184.215.14', '2606:2800:220:1::1'],
  'half.example': ['93.184.215.14', '192.168.0.9'],
  'inside.example': ['fd00::1'],
  'nowhere.example': [],
};

function contextOf(rules: readonly string[]) {
  const asked: string[] = [];
  const lookup = (host: string) => {
    asked.push(host);
    const found = NAMES[host];
    return found ? Promise.resolve(found) : Promise.reject(new Error('ENOTFOUND'));
  };
  return { asked, context: { lookup, rules } };
}

describe('S70 judgeUrl', () => {
  function check(what: string, url: string, expected: string, rules: readonly string[] = ['domain:*']): void {
    it(`${what}: ${JSON.stringify(url)}`, async () => {
      const verdict = await judgeUrl(url, contextOf(rules).context);
      const told = { allow: 'url', ask: 'url', deny: 'because' }[verdict.effect] as keyof typeof verdict;
      assert.equal(`${verdict.effect} ${verdict[told]}`, expected);
    });
  }
  check('S73 a host that is allowed', 'https://docs.example/a?b#c', 'allow https://docs.example/a?b', [
    'domain:docs.example',
  ]);
  check('S73 written otherwise', 'HTTPS://Docs.EXAMPLE./a', 'allow https://docs.example/a', ['domain:docs.example']);
  check('S74 http is upgraded', 'http://docs.example/', 'allow https://docs.example/');
  check('S73 no rule', 'https://docs.example/', 'ask https://docs.example/', []);
  check('S73 a rule for its subdomains', 'https://docs.example/', 'ask https://docs.example/', [
    'domain:*.docs.example',
  ]);
  check('S73 a longer name', 'https://docs.example.evil.example/', 'ask https://docs.example.evil.example/', [
    'domain:docs.example',
  ]);
  check('an unusual port', 'https://docs.example:8443/', 'ask https://docs.example:8443/');
  const local = (host: string) => `deny ${host} is not on the public internet.`;
  for (const [url, host] of [
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://017700000001/', '127.0.0.1'],
    ['http://0x7f000001/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://0/', '0.0.0.0'],
    ['https://255.255.255.255/', '255.255.255.255'],
    ['https://224.0.0.1/', '224.0.0.1'],
    ['https://198.18.0.1/', '198.18.0.1'],
    ['https://[::ffff:10.0.0.1]/', '[::ffff:a00:1]'],
    ['https://[64:ff9b::a9fe:a9fe]/', '[64:ff9b::a9fe:a9fe]'],
    ['https://[2002:7f00:1::]/', '[2002:7f00:1::]'],
    ['https://[2001::1]/', '[2001::1]'],
    ['https://[::]/', '[::]'],
    ['https://[::7f00:1]/', '[::7f00:1]'],
    ['https://[fec0::1]/', '[fec0::1]'],
    ['https://[ff02::1]/', '[ff02::1]'],
    ['https://[4000::1]/', '[4000::1]'],
    ['https://①②⑦.0.0.1/', '127.0.0.1'],
  ] as const)
    check('not public', url, local(host));
  for (const host of ['localhost', 'a.localhost', 'printer.local', 'metadata.google.internal', 'wiki', 'nas.home.arpa'])
    check('a local name', `https://${host}/`, `deny ${host} is a name of a local network.`);
  check(
    'S72 leads inside',
    'https://inside.example/',
    'deny inside.example leads to fd00::1, which is not on the public internet.',
  );
  check(
    'S72 one of two leads inside',
    'https://half.example/',
    'deny half.example leads to 192.168.0.9, which is not on the public internet.',
  );
  check('leads nowhere', 'https://nowhere.example/', 'deny nowhere.example has no address.');
  check('is not found', 'https://gone.example/', 'deny gone.example could not be found: ENOTFOUND');
  for (const scheme of ['file', 'ftp', 'ws', 'vscode', 'blob', 'view-source'])
    check('S74 scheme', `${scheme}://docs.example/a`, `deny Only https addresses are fetched, not ${scheme}:.`);
  check('credentials', 'https://me@docs.example/', 'deny An address must not hold a user name or a password.');
  const hiding = 'deny The address holds characters that hide where it leads. Write it plainly.';
  check('S85 invisible characters', 'https://docs\u200b.example/', hiding);
  check('line breaks', 'https://docs.exa\nmple/', hiding);
  check('back-slashes', 'https://docs.example\\@127.0.0.1/', hiding);
  check('nothing', '', 'deny That is no address. Give a whole one, such as https://example.com/page.');

  it('looks nothing up before somebody has allowed the host, since a name can carry data', async () => {
    const { asked, context } = contextOf([]);
    await judgeUrl('https://secret.docs.example/', context);
    assert.deepEqual(asked, []);
  });

  it('S72 looks up once, and gives the address to connect to', async () => {
    const { asked, context } = contextOf(['domain:two.example']);
    const verdict = await judgeUrl('https://two.example/x', context);
    assert.deepEqual(
      { verdict, asked },
      { verdict: { effect: 'allow', url: 'https://two.example/x', address: '93.184.215.14' }, asked: ['two.example'] },
    );
    assert.deepEqual(await pin('https://two.example/x', context), verdict);
  });

  it('S70 no private IPv4 address passes in any spelling', () =>
    fc.assert(
      fc.property(fc.constantFrom(10, 127, 0, 240), fc.nat(255), fc.nat(255), fc.nat(255), (a, b, c, d) => {
        const plain = `${a}.${b}.${c}.${d}`;
        const hex = [a, b, c, d].map((byte) => byte.toString(16).padStart(2, '0')).join('');
        const inside = `${hex.slice(0, 4)}:${hex.slice(4)}`;
        const spellings = [plain, `::ffff:${plain}`, `64:ff9b::${inside}`, `2002:${inside}::`, `::${inside}`];
        assert.deepEqual(spellings.filter(isPublicAddress), []);
      }),
    ));
});

describe('S71 followRedirect', () => {
  const from = { url: 'https://docs.example/a/b', address: '93.184.215.14' };
  function check(what: string, location: string, expected: object, count = 0): void {
    it(what, () => assert.deepEqual(followRedirect(from, location, { count }), expected));
  }
  const onward = (url: string) => ({ effect: 'allow', url, address: from.address });
  check('follows a path, to the address that is known', '../c', onward('https://docs.example/c'));
  check('follows the same host, upgraded', 'http://DOCS.example./c', onward('https://docs.example/c'));
  check('tells another host', 'https://x.docs.example/', {
    effect: 'ask',
    url: 'https://x.docs.example/',
    reasons: ['It redirects to https://x.docs.example/, which was not followed'],
  });
  check('tells another port', '//docs.example:8080/', {
    effect: 'ask',
    url: 'https://docs.example:8080/',
    reasons: ['It redirects to the unusual port 8080 of docs.example'],
  });
  check('refuses what is not public', 'http://[::1]/', {
    effect: 'deny',
    because: 'It redirects elsewhere. [::1] is not on the public internet.',
  });
  check('refuses another scheme', 'file:///etc/hosts', {
    effect: 'deny',
    because: 'It redirects elsewhere. Only https addresses are fetched, not file:.',
  });
  check('ends', '/again', { effect: 'deny', because: 'It redirects more than 5 times.' }, 5);
});

describe('S73 coversHost', () => {
  function check(pattern: string, host: string, expected: boolean): void {
    it(`${pattern} ${expected ? 'covers' : 'does not cover'} ${host}`, () =>
      assert.equal(coversHost(pattern, host), expected));
  }
  check('domain:*.a.example', 'b.c.a.example', true);
  check('domain:*.a.example', 'a.example', false);
  check('domain:*.a.example', 'ba.example', false);
  check('domain:A.example', 'a.example', true);
  check('domain:a.*', 'a.example', false);
  check('a.example', 'a.example', false);
  check('domain:*', 'anything.example', true);
});
