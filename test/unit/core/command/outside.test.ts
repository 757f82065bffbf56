// Programs that read, where they write, and programs that let others in.
import assert from 'node:assert/strict';
import { loadGrammar, understand } from '../../../../src/core/command/understand';
import { onlyReads } from '../../../../src/core/command/types';

/** Programs that only read in most forms: a form that does, and forms that write or run something. */
const WRITING: Readonly<Record<string, { readonly reads: string; readonly writes: readonly string[] }>> = {
  uniq: { reads: 'uniq a', writes: ['uniq a b', 'uniq -c a b', 'uniq -- a b', 'uniq *'] },
  xxd: { reads: 'xxd a', writes: ['xxd a b', 'xxd -r a b', 'xxd -r -p a', 'xxd -ps -r a'] },
  sort: {
    reads: 'sort -u a',
    writes: [
      'sort -o b a',
      'sort -uo b a',
      'sort --output=b a',
      'sort --out=b a',
      'sort -T . a',
      'sort --compress-program=./e a',
    ],
  },
  tree: { reads: 'tree -L 2', writes: ['tree -o b', 'tree -L2o b', 'tree -R -o b', 'tree --output b'] },
  file: { reads: 'file a', writes: ['file -C', 'file -C -m a', 'file --compile', 'file -z a'] },
  diff: { reads: 'diff a b', writes: ['diff --to-file=x a', 'diff -l a b', 'diff --paginate a b'] },
  date: { reads: 'date +%F', writes: ['date 010100002030', 'date -s now', 'date --set=now'] },
  hostname: { reads: 'hostname -f', writes: ['hostname other', 'hostname -F a'] },
  sed: {
    reads: "sed -n '1p' a",
    writes: ['sed -i s/a/b/ a', "sed 'w b' a", "sed -n '1e ls' a", "sed 's/a/b/w c' a", 'sed -f s.sed a'],
  },
  find: {
    reads: 'find . -name a',
    writes: ['find . -delete', 'find . -fprint b', 'find . -fls b', 'find . -exec touch b +', 'find . -okdir ls'],
  },
  fd: { reads: 'fd a', writes: ['fd -x rm', 'fd -X rm', 'fd --exec rm', 'fd -Xrm'] },
  rg: { reads: 'rg x a', writes: ['rg --pre ./e x', 'rg --hostname-bin ./e x', 'rg -z x', 'rg --pre=./e x'] },
  git: {
    reads: 'git diff --stat',
    writes: [
      'git diff --output=b',
      'git diff -o b',
      'git log --output b',
      'git grep -O x',
      'git diff --ext-diff',
      'git branch b',
      'git tag v1',
      'git stash',
      'git config a.b c',
      'git reflog delete HEAD',
      'git symbolic-ref HEAD refs/heads/b',
      'git remote add o x',
    ],
  },
  jq: { reads: 'jq . a', writes: ['jq -f b a', 'jq -L . a', 'jq --slurpfile a b .'] },
  base64: { reads: 'base64 a', writes: ['base64 a b', 'base64 -o b a'] },
  tail: { reads: 'tail -n 3 a', writes: ['tail --follow=x --unheard a'] },
  ps: { reads: 'ps aux', writes: ['ps e', 'ps auxe'] },
  column: { reads: 'column -t a', writes: ['column --unheard a'] },
  printf: { reads: 'printf %s a', writes: ['printf -v PATH .', 'printf %n PATH'] },
  cmp: { reads: 'cmp a b', writes: ['cmp --unheard a b'] },
  od: { reads: 'od -c a', writes: ['od --unheard a'] },
  npm: { reads: 'npm ls', writes: ['npm install', 'npm test', 'npm ls --script-shell=./e', 'npm version 2'] },
};

describe('S08 programs that read, and where they write', () => {
  before(loadGrammar);
  for (const [program, { reads, writes }] of Object.entries(WRITING)) {
    it(program, () => {
      const passes = [reads, ...writes].filter((command) => onlyReads(understand(command)));
      assert.deepEqual(passes, [reads]);
    });
  }
});

describe('S97 what opens this machine to the network', () => {
  before(loadGrammar);
  const OPENS = 'Opens this machine to the network';
  const isTold = (command: string) => understand(command).commands.some(({ risks }) => risks.includes(OPENS));

  const opening = [
    ...[
      'code tunnel',
      'code --verbose tunnel',
      'code-insiders tunnel',
      'code serve-web',
      './code tunnel',
      'code-server',
    ],
    ...[
      'ngrok http 80',
      'nohup ngrok http 80',
      'npx ngrok http 80',
      'npx localtunnel --port 80',
      'cloudflared tunnel run',
    ],
    ...[
      'ssh -R 80:localhost:80 serveo.net',
      'ssh -fNR 80:localhost:80 x',
      'ssh -o X=y -D 1080 x',
      'sudo ssh -R 1:a:1 x',
    ],
    ...['tailscale funnel 80', 'tailscale serve 80', 'devtunnel host -p 80', 'gh codespace ports visibility 80:public'],
    ...['nc -l 80', 'socat TCP-LISTEN:80 EXEC:sh', 'python3 -m http.server', 'php -S 0.0.0.0:80', 'npx http-server'],
    ...['sshd -p 22', 'bash -c "ngrok http 80"'],
  ];
  for (const command of opening)
    it(command, () =>
      assert.deepEqual(
        { told: isTold(command), passes: onlyReads(understand(command)) },
        { told: true, passes: false },
      ),
    );

  for (const command of [
    'code --version',
    'ssh x ls',
    'python3 -m pytest',
    'php s.php',
    'gh codespace list',
    'tailscale status',
  ])
    it(`not ${command}`, () => assert.equal(isTold(command), false));
});
