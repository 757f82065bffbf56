// Which files a command runs: every one that an approval has to hold for, and a word where that cannot be told.
import assert from 'node:assert/strict';
import { scriptsOf } from '../../../../src/core/command/scripts';
import { loadGrammar, understand } from '../../../../src/core/command/understand';

describe('S21 what an interpreter runs', () => {
  before(loadGrammar);

  function check(command: string, scripts: readonly string[], unbound?: readonly string[]): void {
    it(`${command}`, () => {
      const line = understand(command);
      const found = { scripts: line.scripts.filter((path) => /^(\.\/)?[^/]*\.\w+$/.test(path)), unbound: line.unbound };
      assert.deepEqual(found, { scripts, unbound });
    });
  }

  check('node s.js', ['s.js']);
  check('node --require ./x.js s.js', ['./x.js', 's.js']);
  check('node --require x.js s.js a.js', ['x.js', 's.js']);
  check('node --require=x.js s.js', ['x.js', 's.js']);
  check('node -r x.js --import y.mjs s.js', ['x.js', 'y.mjs', 's.js']);
  check('node --max_old_space_size=4096 s.js', ['s.js']);
  check('node --conditions dev s.js', ['s.js']);
  check('node -C dev.js s.js', ['s.js']);
  check('node --env-file .env s.js', ['.env', 's.js']);
  check('node -r x.js -e "1" a.js', ['x.js']);
  check('node -- s.js', ['s.js']);
  check('node - s.js', []);
  check('node --unheard-of y.js s.js', ['y.js'], ['--unheard-of']);
  check('/usr/bin/node s.js', ['s.js']);
  check('python -W ignore s.py', ['s.py']);
  check('python3.12 -Wignore -X dev s.py x.py', ['s.py']);
  check('python -uW error s.py', ['s.py']);
  check('python -c "import x" a.py', []);
  check('python -m tool a.py', ['tool.py']);
  check('python -Im tool a.py', ['tool.py']);
  check('python --unheard a.py', ['a.py'], ['--unheard']);
  check('bash -o pipefail s.sh', ['s.sh']);
  check('bash -euo pipefail s.sh', ['s.sh']);
  check('bash +o posix -O extglob s.sh x.sh', ['s.sh']);
  check('bash --rcfile rc.sh s.sh', ['rc.sh', 's.sh']);
  check('bash -c "ls" s.sh', []);
  check('bash -ce "source in.sh" s.sh', ['in.sh']);
  check('bash -c -e "source in.sh"', ['in.sh']);
  check('sh -s a.sh', []);
  check('bash -Z s.sh', ['s.sh'], ['-Z']);
  check('perl -lne "print" a.pl', []);
  check('perl -w s.pl', ['s.pl']);
  check('perl -Ilib s.pl', ['s.pl'], ['-I']);
  check('ruby -r x.rb -W0 s.rb', ['x.rb', 's.rb']);
  check('php -d a=b s.php', [], ['-d']);
  check('php -f s.php', ['s.php']);
  check('deno run -A --import-map m.json s.ts', ['m.json', 's.ts']);
  check('bun run --preload p.ts s.ts', ['p.ts', 's.ts']);
  check('source env.sh', ['env.sh']);
  check('uv run python -X dev s.py', ['s.py']);
  check('bash *.sh', [], ['*.sh']);
  check('node a/../b.js', [], ['a/../b.js']);
  check('timeout 5 node -r x.js s.js', ['x.js', 's.js']);

  it('a name without an ending stands for several files', () =>
    assert.deepEqual(scriptsOf(['node', 'lib']).files.slice(0, 2), ['lib', 'lib.js']));
});

describe('S14 where a package manager looks', () => {
  before(loadGrammar);
  const foldersOf = (command: string) => understand(command).recipes?.map(({ folder }) => folder);
  const check = (command: string, folders: readonly string[] | undefined): void => {
    it(command, () => assert.deepEqual(foldersOf(command), folders));
  };
  check('npm test', ['']);
  check('cd web && npm test', ['web']);
  check('npm --prefix web test', ['', 'web']);
  check('npm run build --workspace=packages/a', ['', 'packages/a']);
  check('pnpm -C web test', ['', 'web']);
  check('ls', undefined);
});
