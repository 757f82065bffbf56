// What holds a key or a password is known by its form, so that no rule with one in it is kept.
import assert from 'node:assert/strict';
import { holdsSecret } from '../../../../src/core/secrets/redact';

function check(expected: boolean, ...texts: readonly string[]): void {
  for (const text of texts) it(`${JSON.stringify(text)}: ${expected}`, () => assert.equal(holdsSecret(text), expected));
}

describe('S95: a text that holds a secret', () => {
  check(true, 'PASS=hunter2 ./deploy', 'PGPASS=x psql', 'PGPASSWORD=x psql', 'MYSQL_PWD=x mysql', 'DB_PASS=x make');
  check(true, 'curl -H "Authorization: x"', 'mysql --password x', 'git clone https://me:x@example.com/a.git');
  check(true, `echo gh${'p'}_${'a'.repeat(20)}`, `AWS=AKIA${'A'.repeat(16)}`);
  check(false, 'npm test', 'git commit -m "pass the key"', 'make CFLAGS=-O2', 'cd $PWD', 'rg --passthru token src');
});
