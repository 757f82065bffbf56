// Secrets are taken out of texts, and nothing else is.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { holdsSecret, redact } from '../../../../src/core/secrets/redact';

/** No real one: put together, so that no scanner takes them for keys that somebody has lost. */
const key = (...parts: readonly string[]): string => parts.join('');
const ANTHROPIC = key('sk-', 'ant-api03-', 'AbCd0123456789_-xyzAbCd');
const GITHUB = key('gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8');
const AWS = key('AK', 'IA', 'ABCDEFGHIJKLMNOP');
const AWS_SECRET = 'wJalrXUt/K7MDENG+bPxRfiCYzzzzzzzzKEYabcd';
const JWT = key('ey', 'JhbGciOiJIUzI1NiJ9', '.ey', 'JzdWIiOiIxMjM0In0', '.dBjftJeZ4CVP-mB92K27uhbU');
const PEM_BODY = 'MIIEowIBAAKCAQEAx1y2z3MIIEowIBAAKCAQEAx1y2z3\nAb+/cdEFGHijklMNOPqrstUVWXyz0123456789AbCdEf==';
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${PEM_BODY}\n-----END RSA PRIVATE KEY-----`;

/** Each secret once, in the places where it is met. */
const PLANTED: readonly { readonly secret: string; readonly in: readonly string[] }[] = [
  { secret: ANTHROPIC, in: [`key ${ANTHROPIC}.`, `x${ANTHROPIC}`, `{"apiKey":"${ANTHROPIC}"}`, `\\n${ANTHROPIC}`] },
  { secret: GITHUB, in: [`https://${GITHUB}@github.com/a/b`, `GH=${GITHUB}`, `'${GITHUB}',`] },
  { secret: AWS, in: [`aws_access_key_id = ${AWS}`, AWS] },
  { secret: AWS_SECRET, in: [`AWS_SECRET_ACCESS_KEY=${AWS_SECRET}`, `aws_secret_access_key = ${AWS_SECRET}`] },
  { secret: JWT, in: [`Bearer ${JWT}`, `token: ${JWT}`, JWT] },
  { secret: PEM_BODY, in: [PEM, `key: |\n${PEM}\n`, `-----BEGIN PRIVATE KEY-----\n${PEM_BODY}`] },
  { secret: PEM_BODY.replace('\n', '\\n'), in: [JSON.stringify({ key: PEM })] },
  {
    secret: 'hunter2',
    in: [
      ...['PGPASSWORD=hunter2 psql -h db', 'export DB_PASS=hunter2', 'MYSQL_PWD=hunter2 mysql', "MY_SECRET='hunter2'"],
      ...['postgres://me:hunter2@db/x', 'https://:hunter2@host', 'redis://me:a@hunter2@host/0'],
      ...['--password hunter2', '--db-password=hunter2', 'sshpass -p hunter2 ssh x', 'mysql -u me -phunter2 db'],
      ...['curl -u me:hunter2 https://x', 'curl --user "me:hunter2" https://x', 'https://x/?token=hunter2&a=b'],
      ...['{"password":"hunter2"}', "{'api_key': 'hunter2'}", JSON.stringify(JSON.stringify({ password: 'hunter2' }))],
      ...['password: hunter2', '  client_secret: hunter2\n', 'password = hunter2', 'Server=x;Password=hunter2;Port=1'],
      ...['const token = "hunter2";', 'os.environ["API_KEY"] = "hunter2"', 'config.secret := `hunter2`'],
      ...['x-api-key: hunter2', '"X-Api-Key": "hunter2"', 'Authorization: Basic hunter2', 'cookie: a=hunter2; b=c'],
      ...['-H "Authorization: Bearer hunter2"', "headers: { authorization: 'Bearer hunter2' }"],
      ...['{"password": "hunter2', 'PASSWORD="a\\"hunter2\\""'],
    ],
  },
  {
    secret: 'swordfish',
    in: ['password: swordfish', 'Password=swordfish;', 'password = swordfish', '--token swordfish'],
  },
  { secret: 'correct horse battery staple', in: ['password = "correct horse battery staple"'] },
];

/** Of which nothing may be lost. */
const KEPT: readonly string[] = [
  ...['The token is kept in memory.', 'Basic authentication is used.', 'A bearer token of HTTP/1.1 is sent.'],
  ...['Authorization: we use OAuth for this.', 'Pass: 12, fail: 3', 'the --password option, --token <token>'],
  ...[
    'password: string;',
    'token?: Token',
    'token: options.token,',
    'const token = getToken();',
    'this.token = token;',
  ],
  ...['login(password=password, token=self.token)', 'api_key=os.environ["KEY"]', 'secret = await secrets.get(key);'],
  ...['max_tokens: 4096', 'input_tokens: 15000, output_tokens: 33', 'token: 5', 'tokens=12', 'tokenizer=bert'],
  ...['curl -H "Authorization: Bearer $TOKEN"', 'PASSWORD=$DB_PASSWORD', 'token: ${{ secrets.GITHUB_TOKEN }}'],
  ...['`Bearer ${token}`', 'password: process.env.PASSWORD', 'API_KEY=<your key>', 'password = "your-password"'],
  ...['"forgotPassword": "Forgot your password?"', '"password": "Password"', "fail('Enter the token:', error)"],
  ...['git@github.com:a/b.git', 'https://example.com/a@b', 'docker run -u 1000:1000 x', 'chown -u root:root'],
  ...['if (token === undefined) return;', 'token => token.kind', 'type Token = { kind: string }', 'token == "x"'],
  ...["expected token: ')' but found '}'", "credentials: 'same-origin'", "{ 'x-api-key': apiKey };", 'a[/x-api-key/]'],
  ...[
    'npm_config_registry npm_package_version',
    '.sk-folding-cube .sk-cube1',
    'key=value&x=1',
    'const KEY = /token|pass/;',
  ],
  ...[
    '-----BEGIN PRIVATE KEY----- is how it begins',
    'PASSWORD_FILE=/run/x',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b',
  ],
  ...['integrity sha512-VPfBoaBsrwdJUCUD0d0Y6FzIgAzzRtfvT8SKA1IrgXOpYnVUHVQ1DaMq0Gwxa0jYGQKqLNbZLNFiH9UK36kREw=='],
];

describe('redact', () => {
  for (const { secret, in: texts } of PLANTED) {
    for (const text of texts) {
      it(`S95: takes the secret out of ${JSON.stringify(text).slice(0, 80)}`, () => {
        const left = redact(text);
        assert.deepEqual(
          { survives: left.includes(secret), isMarked: left.includes('[redacted]'), holds: holdsSecret(text) },
          { survives: false, isMarked: true, holds: true },
        );
      });
    }
  }

  for (const text of KEPT) {
    it(`keeps ${text}`, () => assert.deepEqual([redact(text), holdsSecret(text)], [text, false]));
  }

  it('leaves what stands around a secret as it is', () => {
    assert.equal(
      redact('curl -H "Authorization: Bearer abc123def" https://me:word@host/x?token=abc&page=2 # done'),
      'curl -H "Authorization: Bearer [redacted]" https://me:[redacted]@host/x?token=[redacted]&page=2 # done',
    );
    assert.equal(redact(`before\n${PEM}\nafter`), 'before\n[redacted]\nafter');
    assert.equal(redact('{"password":"a\\"b","user":"c"}'), '{"password":"[redacted]","user":"c"}');
  });

  const planted = fc.constantFrom(
    ...PLANTED.flatMap(({ secret, in: texts }) => texts.map((text) => ({ secret, text }))),
  );
  const prose = fc.array(
    fc.constantFrom(...KEPT, '\n', ' ', '"', "'", '{', '}', ': ', 'password', '=', '\\', '@', '://'),
    {
      maxLength: 12,
    },
  );

  it('S95: no planted secret survives between other lines', () => {
    fc.assert(
      fc.property(planted, prose, prose, ({ secret, text }, before, after) => {
        assert.equal(redact(`${before.join('')}\n${text}\n${after.join('')}`).includes(secret), false);
      }),
      { numRuns: 500 },
    );
  });

  it('S95: what is redacted stays as it is', () => {
    const piece = fc.oneof(
      fc.constantFrom(...PLANTED.flatMap(({ in: texts }) => texts)),
      fc.constantFrom(...KEPT, '[redacted]', 'password', '--token', ' ', '\n', ':', '=', '"', '\\"', '@', '//', '-u a'),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const once = redact(pieces.join(''));
        assert.equal(redact(once), once);
      }),
      { numRuns: 1_000 },
    );
  });

  // A form that looks back or ahead too far takes minutes for these; the suite's own limit is what fails then.
  const HOSTILE = [
    ...['a', ' ', '-', 'password', 'password=', 'password="', 'password="x\'', '\\"token\\":\\"', 'token:\n', '_pass'],
    ...[
      '-eyJaaaaaaaaaa',
      'sk-',
      'gsk_a-',
      '://',
      '://a:',
      '://a:b',
      'authorization: ',
      'cookie: a',
      'bearer ',
      '--a-a-',
    ],
    ...[
      '-----BEGIN PRIVATE KEY-----',
      `-----BEGIN PRIVATE KEY-----\n${'a'.repeat(30)}`,
      'mysql -u ',
      ' -u a:',
      '?key=',
    ],
  ];
  it('S89: takes 1 MB of anything in its stride', () => {
    for (const piece of HOSTILE) {
      const text = piece.repeat(1_000_000 / piece.length);
      assert.equal(typeof redact(text), 'string');
    }
  }).timeout(60_000);
});
