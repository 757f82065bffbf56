// What a command is made of: the parts, what they touch, and that nothing is taken for understood that is not.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { coversCommand, suggestPrefixes } from '../../../../src/core/command/covers';
import { onlyReads, type CommandLine } from '../../../../src/core/command/types';
import { loadGrammar, notUnderstood, understand } from '../../../../src/core/command/understand';

before(loadGrammar);

function check<K extends keyof CommandLine>(command: string, expected: Pick<CommandLine, K>): void {
  it(JSON.stringify(command), () => {
    const line = understand(command);
    const keys = Object.keys(expected) as K[];
    assert.deepEqual(Object.fromEntries(keys.map((key) => [key, line[key]])), expected);
  });
}

/** Whether a rule that denies `pattern` catches some part of the command. */
const catches = (command: string, pattern: string): boolean =>
  understand(command).commands.some((part) => coversCommand(pattern, part, 'deny'));
/** Whether rules that allow `pattern` let the whole command pass. */
const allows = (command: string, pattern: string): boolean => {
  const line = understand(command);
  const covered = line.commands.every((part) => part.readsOnly || coversCommand(pattern, part, 'allow'));
  return line.doubts.length === 0 && line.critical === undefined && covered;
};

describe('what a command touches', () => {
  check('cat a.txt b/c.txt', {
    touches: [
      { op: 'read', path: 'a.txt' },
      { op: 'read', path: 'b/c.txt' },
    ],
  });
  check('grep -e x a.txt', { touches: [{ op: 'read', path: 'a.txt' }] });
  check('grep -rn x src', { touches: [{ op: 'read', path: 'src', isDeep: true }] });
  check('cat src/*.ts', { touches: [{ op: 'read', path: 'src/*.ts', isGlob: true }] });
  check("cat '~/a' ~/b", {
    touches: [
      { op: 'read', path: './~/a' },
      { op: 'read', path: '~/b' },
    ],
  });
  check('sort a.txt > b.txt 2>/dev/null', {
    touches: [
      { op: 'read', path: 'a.txt' },
      { op: 'write', path: 'b.txt' },
    ],
  });
  check('ls 2>&1 | tee out.txt', {
    touches: [
      { op: 'read', path: '.', onlyNamed: true },
      { op: 'write', path: 'out.txt', isImplied: true },
    ],
  });
  check('rm -r a && mv b c', {
    touches: [
      { op: 'delete', path: 'a', isImplied: true },
      { op: 'delete', path: 'b', isImplied: true },
      { op: 'write', path: 'c', isImplied: true },
      { op: 'write', path: 'c/b', isImplied: true },
    ],
  });
  check('git show HEAD:src/a.ts', {
    touches: [
      { op: 'read', path: './HEAD:src/a.ts' },
      { op: 'read', path: 'src/a.ts' },
    ],
  });
  check('git log -L1,5:.env', { touches: [{ op: 'read', path: '.env' }] });
  describe('after cd', () => {
    check('cd src && cat a.ts', {
      touches: [
        { op: 'read', path: 'src' },
        { op: 'read', path: 'src/a.ts' },
      ],
    });
    // Where cd fails, what follows reads where it stood.
    check('cd src; cat a.ts', {
      touches: [
        { op: 'read', path: 'src' },
        { op: 'read', path: 'a.ts' },
        { op: 'read', path: 'src/a.ts' },
      ],
    });
    check('cd /etc && cat hosts', {
      touches: [
        { op: 'read', path: '/etc' },
        { op: 'read', path: '/etc/hosts' },
      ],
    });
  });
});

describe('what a command does besides', () => {
  check('git add . && git commit -m x', { deeds: ['commit'] });
  check('timeout 60 git push origin main', { deeds: ['push'] });
  check('git -C other push', { deeds: ['push'] });
  check('sudo git push', { deeds: ['push'] });
  check('gh pr create --fill', { deeds: ['pullRequest'] });
  check('git log --grep push', { deeds: [] });
  check('node tools/a.js --x', { scripts: ['tools/a.js'] });
  check('cd tools && ./run.sh', { scripts: ['tools/run.sh'] });
  check('bash -e x.sh', { scripts: ['x.sh'] });
  check('node -e 1', { scripts: [] });
  check('npm run dev &', { leavesRunning: true });
  check('nohup npm run dev', { leavesRunning: true });
  check('npm run dev', { leavesRunning: false });
});

describe('rules and parts', () => {
  function covers(
    command: string,
    pattern: string,
    expected: { readonly allow: boolean; readonly deny: boolean },
  ): void {
    it(`${JSON.stringify(command)} by ${pattern}`, () => {
      assert.deepEqual({ allow: allows(command, pattern), deny: catches(command, pattern) }, expected);
    });
  }
  describe('S01 S02: each part by whole words', () => {
    covers('npm test', 'npm test:*', { allow: true, deny: true });
    covers('npm test -- --grep x', 'npm test:*', { allow: true, deny: true });
    covers('npm testing', 'npm test:*', { allow: false, deny: false });
    for (const joint of [';', '&&', '||', '|', '\n', '|&', '&'])
      covers(`npm test ${joint} rm -r src`, 'npm test:*', { allow: false, deny: true });
    covers('npm test | tail -3', 'npm test:*', { allow: true, deny: true });
  });
  describe('S05 S06: by the words that the program gets', () => {
    covers('r"m" -r src', 'rm:*', { allow: true, deny: true });
    covers('\\rm src', 'rm:*', { allow: true, deny: true });
    covers("'rm' src", 'rm:*', { allow: true, deny: true });
    covers('echo "rm src"', 'rm:*', { allow: true, deny: false });
    covers('echo "\\"; rm src; echo \\""', 'rm:*', { allow: true, deny: false });
  });
  describe('S10: what hides the program', () => {
    covers('timeout 5 rm a', 'rm:*', { allow: true, deny: true });
    covers('nice -n 5 rm a', 'rm:*', { allow: true, deny: true });
    for (const command of [
      ...['sudo rm a', 'sudo -u bob rm a', 'env X=1 rm a', 'xargs rm', 'xargs -n 1 rm', 'setsid rm a', 'flock f rm a'],
      ...['bash -c "rm a"', "sh -ec 'ls; rm a'", 'eval "rm a"', 'find . -exec rm {} +', 'stdbuf -oL rm a', '/bin/rm a'],
      ...['echo $(rm a)', 'cat <(rm a)', 'if true; then rm a; fi', 'f() { rm a; }; f', '(rm a)', 'X=1 rm a', 'rm $X'],
      ...[
        "echo 'rm a' | sh",
        "bash <<< 'rm a'",
        'bash <<E\nrm a\nE',
        '. <(echo rm a)',
        "printf 'ls\\nrm a' | bash",
        "$'\\x72m' a",
      ],
      ...[
        "env -S 'rm a'",
        'fd x --exec=rm',
        'docker exec c rm a',
        'npm exec -- rm a',
        "tmux new -d 'rm a'",
        'fakeroot rm a',
      ],
      ...[
        "git rebase -x 'rm a' main",
        "git -c alias.x='!rm a' x",
        "trap 'rm a' EXIT",
        'uv run rm a',
        "ssh h 'ls; rm a'",
      ],
      ...['sudo env X=1 timeout 5 rm a', 'bash -c "bash -c \'rm a\'"', 'strace -f rm a', 'busybox rm a'],
    ])
      covers(command, 'rm:*', { allow: false, deny: true });
  });
  describe('S07 S14: what no rule by first words covers', () => {
    for (const [command, pattern] of [
      ['git -c core.pager=x log -p', 'git:*'],
      ['git rebase -x "touch P" main', 'git:*'],
      ['git config alias.x y', 'git:*'],
      ['npm test --script-shell=./x', 'npm test:*'],
      ['npm test --prefix ../x', 'npm test:*'],
      ['make -f other.mk', 'make:*'],
      ['make SHELL=./x', 'make:*'],
      ['find . -delete', 'find:*'],
      ['sort -o a b', 'sort:*'],
      ['rg --pre ./x y', 'rg:*'],
      ['sed -n "w P" a', 'sed:*'],
      ['node a.js', 'node:*'],
      ['npx prettier', 'npx:*'],
      ['npm test --script-she ./x', 'npm test:*'],
      ['make X!=touch', 'make:*'],
      ['git rebase -ix ./x main', 'git rebase:*'],
      ['git fetch ext::x', 'git fetch:*'],
      ['git mine', 'git:*'],
      ['mocha --reporter ./x.js', 'mocha:*'],
      ['go test --exec ./x', 'go test:*'],
    ] as const)
      it(`${command} by ${pattern}`, () => assert.equal(allows(command, pattern), false));
  });
  describe('S22: a star in a rule', () => {
    for (const [command, pattern, expected] of [
      ['rm -r a', 'rm *', { allow: true, deny: true }],
      ['sudo /bin/rm a', 'rm *', { allow: false, deny: true }],
      ['npm run lint -- --fix', 'npm run *', { allow: true, deny: true }],
      ['npm run', 'npm run *', { allow: true, deny: true }],
      ['npm runx', 'npm run *', { allow: false, deny: false }],
      ['npm run a --prefix /x', 'npm run *', { allow: false, deny: true }],
      ['git push origin main --force', 'git push * --force', { allow: true, deny: true }],
      ['git -C x push a --force', 'git push * --force', { allow: false, deny: true }],
      ['git push origin --force-with-lease', 'git push * --force', { allow: false, deny: false }],
      ['git config a b', 'git * b', { allow: false, deny: true }],
      ['make test-unit', 'make test-*', { allow: true, deny: true }],
      ['make test-unit lint', 'make test-*', { allow: false, deny: false }],
      ['make a-b-c', 'make a*c*c', { allow: false, deny: false }],
      ['tool --version', '* --version', { allow: false, deny: true }],
      ['git add *', 'git add \\*', { allow: true, deny: true }],
      ['git add a', 'git add \\*', { allow: false, deny: false }],
    ] as const)
      covers(command, pattern, expected);
  });
  describe('S22: what is offered', () => {
    for (const [command, expected] of [
      ['git commit -m a', ['git commit:*']],
      ['npm run build -- --x', ['npm run build:*']],
      ['cargo test && ls', ['cargo test:*']],
      ['npm test && npm run build', []],
      ['bash x.sh', []],
      ['npx prettier .', []],
      ['sudo make', []],
      ['curl https://example.org', []],
      ['git -c a=b commit', []],
      ['npm test $X', []],
    ] as const)
      it(command, () => assert.deepEqual(suggestPrefixes(understand(command)), expected));
  });
});

describe('S03 S04 S09 S15 S20: what is not understood passes by nothing', () => {
  for (const command of [
    ...[
      'echo "$\\\n(touch P)"',
      'echo ${x@P}',
      'test -v "a[1]"',
      '[[ a -eq 1 ]]',
      'cat <<E\nx\nE',
      'coproc ls',
      'A=1 ls',
    ],
    ...['ls $X', 'ls "$X"', 'ls `x`', '{ls,x}', "$'ls'", 'ls & ls', 'ls <(x)', 'ls )', 'ls "', 'ls \u200b', 'l\u00a0s'],
    ...['export A=1; ls', 'true; '.repeat(60), `ls ${'a'.repeat(10_000)}`, `ls${' '.repeat(60)}x`],
  ])
    it(JSON.stringify(command.slice(0, 40)), () => {
      const line = understand(command);
      assert.equal(onlyReads(line), false);
      assert.ok(line.doubts.length > 0 || line.commands.some(({ onlyExact }) => onlyExact), 'no reason is given');
    });
  it('PowerShell never is', () => assert.equal(onlyReads(notUnderstood('ls', 'powershell')), false));
});

describe('S13: git in another repository', () => {
  for (const [command, repositories, expected] of [
    ['git status', [''], true],
    ['git status -uno', [''], true],
    ['git status', [], false],
    ['cd src && git status', [''], false],
    ['cd /w && git status', ['', '/w'], true],
    ['cd /w; git status', ['/w'], false],
    ['cd /w/x && git status', ['', '/w'], false],
  ] as const)
    it(`${command} where git is at home in ${JSON.stringify(repositories)}`, () =>
      assert.equal(onlyReads(understand(command, repositories)), expected));
});

describe('S23: what nobody wants is found wherever it stands', () => {
  const DEEDS = [
    'rm -rf /',
    'rm -r -f ~',
    'rm -rf "$HOME"',
    'dd if=a of=/dev/sda',
    'chmod -R 777 /',
    'mkfs.ext4 /dev/sda1',
  ];
  const AROUND: readonly ((deed: string) => string)[] = [
    (deed) => deed,
    (deed) => `ls && ${deed}`,
    (deed) => `echo $(${deed})`,
    (deed) => `if true; then ${deed}; fi`,
    (deed) => `sudo ${deed}`,
    (deed) => `timeout 5 ${deed} | cat`,
    (deed) => `bash -c '${deed}'`,
    (deed) => `f() { ${deed}; }`,
    (deed) => `X=1 ${deed} &`,
  ];
  for (const deed of DEEDS)
    it(deed, () => {
      const missed = AROUND.map((around) => around(deed)).filter(
        (command) => understand(command).critical === undefined,
      );
      assert.deepEqual(missed, []);
    });
  for (const command of [
    'rm -rf dist',
    'rm -rf ./node_modules',
    "echo 'rm -rf /'",
    'rm -rf /tmp/x',
    'rm notes',
    'chmod -R u+w src',
  ])
    it(`not ${command}`, () => assert.equal(understand(command).critical, undefined));
});

describe('whatever the text is', () => {
  const piece = fc.constantFrom(
    ...[
      'ls',
      'cat',
      'rm',
      'echo',
      'git',
      'find',
      'cd',
      'sed',
      'bash',
      '-c',
      '-rf',
      '--',
      'a.txt',
      '~',
      '/',
      '$',
      '$(',
      ')',
      '`',
    ],
    ...[
      '"',
      "'",
      '\\',
      '\n',
      ' ',
      ' ',
      ' ',
      ';',
      '&&',
      '||',
      '|',
      '&',
      '>',
      '<',
      '<<E',
      '{',
      '}',
      '(',
      '[',
      ']',
      '#',
      '*',
      '!',
      '\0',
    ],
    ...['if', 'then', 'fi', 'for', 'do', 'done', 'A=1', '${x', '((', '[[', 'é', '\u{1f600}', '\ud800'],
  );
  const commands = fc.oneof(
    { weight: 3, arbitrary: fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join('')) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
  );
  it('S15: nothing is thrown, and it comes out the same each time', () => {
    fc.assert(
      fc.property(commands, (command) => assert.deepEqual(understand(command), understand(command))),
      { numRuns: 3_000 },
    );
  }).timeout(60_000);

  it('S03: an expansion anywhere outside of single quotes is a doubt', () => {
    const around = fc.constantFrom(
      'ls X',
      'ls "X"',
      'ls aXb',
      'cat "a X b" c',
      'ls | grep X',
      'ls && echo "X"',
      'git log X',
    );
    const expansion = fc.constantFrom('$(touch P)', '`touch P`', '${x:-y}', '$x', '$((1))', '${x@P}', '$1', '$@');
    fc.assert(
      fc.property(
        around,
        expansion,
        (text, hidden) => onlyReads(understand(text.replace('X', () => hidden))) === false,
      ),
    );
  });

  it('S02: what follows a separator counts', () => {
    const separator = fc.constantFrom(';', '&&', '||', '|', '&', '\n', '|&', ' ;', '\n\n', ' && \n');
    const reading = fc.constantFrom('ls', 'cat a', 'git status', 'grep -n "a;b" c', "echo 'x'");
    fc.assert(
      fc.property(reading, separator, (first, joint) => onlyReads(understand(`${first}${joint} touch P`)) === false),
    );
  });
});
