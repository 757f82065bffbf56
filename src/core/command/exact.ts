// Commands that no rule by first words may cover: what comes after those words decides what they do (S14, S22).

const RUNNERS =
  /^(bash|sh|zsh|dash|ksh|fish|ash|csh|tcsh|eval|exec|source|\.|python[\d.]*|node|nodejs|perl|ruby|php|deno|bun|lua|Rscript|osascript|tclsh|awk|gawk|mawk|ed|ex|vi|vim|emacs|gdb|npx|bunx|pnpx|uvx|pipx|xargs|env|sudo|doas|su|runuser|watch|setsid|flock|stdbuf|ionice|unshare|nsenter|chroot|strace|ltrace|parallel|entr|script|busybox|ssh|scp|sftp|rsync|docker|podman|kubectl|nc|ncat|socat|telnet|curl|wget|at|batch|crontab|systemctl|launchctl|tmux|screen|alias|unalias|trap|export|declare|typeset|local|readonly|unset|set|shopt|enable|hash|bind|coproc|test|\[|let|read|printf|mapfile|readarray|getopts|compgen|complete|compopt|fc|history|pushd|popd|dd|man|less|more|pwsh|powershell|cmd|cmd\.exe|start|open|xdg-open)$/;

/** What they write, and where, stands in a file that nobody has looked into. */
const UNPACKERS = /^(tar|bsdtar|unzip|7z|7za|cpio|pax|patch)$/;

/** Options of programs that run something else, write elsewhere, or change where everything is read from. `=`-forms, glued values and abbreviations included. */
const OPTIONS: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [
    /^(npm|pnpm|yarn)$/,
    /^(--script-shell|--prefix|--node-options|--userconfig|--globalconfig|--registry|--cwd|--dir|--shell|--eval|-C$|-e$)/,
  ],
  [/^(g|c|ninja|n)?make$/, /^(-\w*[fCIE]|--fi|--mak|--dir|--ev|--inc|[A-Za-z_]\w*[:+?]?=)/],
  [/^(find|fd)$/, /^-+(exec|execdir|ok|okdir|delete|fprint|fls|files0-from|x|X|exec-batch|batch)/],
  [/^rg$/, /^(--pre|--hostname-bin|-z|--search-zip)/],
  [/^sort$/, /^(-o|--o|-T|--t|--compress|--c)/],
  [/^(tar|bsdtar)$/, /^(--checkpoint|--to-command|--use-compress|-I|--rsh|--info-script|--new-volume|-F|--rmt)/],
  [/^(zip|unzip)$/, /^(-T|-TT|--unzip-command)/],
  [/^(go)$/, /^(-exec|-toolexec|-overlay|-modfile|-C$|-C=)/],
  [/^(cargo)$/, /^(--config|-Z|--manifest-path|-C$)/],
  [
    /^(mvn|gradle|gradlew|\.\/gradlew|\.\/mvnw)$/,
    /^(-f|--file|-p$|--project-dir|-I|--init-script|-D|-b$|--build-file)/,
  ],
  [/^(pytest|tox|nox)$/, /^(-[a-zA-Z]*[pco]|--root|--conf|--over)/],
  [
    /^(eslint|prettier|jest|vitest|tsc|mocha|webpack|vite|rollup)$/,
    /^(-c$|--config|--plugin|--rulesdir|--resolve-plugins|--parser|-f$|--format|--formatter|-r$|--require|--import|--loader|--globalSetup|--reporter|-p$|--project|--environment|--runner|--transform)/,
  ],
  [/^gh$/, /^(alias|extension|config|auth|secret|api|codespace|ssh-key|gpg-key)$/],
  [/^(pip|pip3|uv)$/, /^(--index-url|-i$|--extra-index-url|-e$|--editable|--target|--prefix|config)/],
];

const GIT_COMMANDS =
  /^(config|submodule|filter-branch|filter-repo|bisect|difftool|mergetool|alias|daemon|send-email|instaweb|hook|help|clone|init|archive|remote|credential|maintenance|for-each-repo|worktree|gui|citool|web--browse|replace|update-index|apply|am|cvsimport|svn|p4|fast-import)$/;
const GIT_OPTIONS =
  /^(-c|-C|-[a-ln-zA-Z]*O|-x|--exec|--ex|--upl|--rec|--output|--out|--op|--ext|--textc|--git-dir|--work-tree|--exec-path|--namespace|--config-env|--paginate|-p$|--template|--extcmd|--tool|--str|-s$|-X|--gpg-sign|-S|--edit|--interactive|-i$|--no-verify|-n$|--separate-git-dir|--super-prefix)/;

/** In words; undefined where a rule by its first words may cover it. `texts`: the program with its arguments. */
export function onlyExactReason(texts: readonly string[]): string | undefined {
  const [program = '', ...args] = texts;
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (program === '') return 'what it runs is not written out';
  if (RUNNERS.test(name)) return `${name} runs whatever it is given`;
  if (name === 'sed') return 'a script of sed can write files and run programs';
  if (UNPACKERS.test(name)) return `what ${name} writes stands in a file`;
  if (/^(cp|install)$/.test(name) && args.some((arg) => /^(-\w*[rRa]|--rec|--arch)/.test(arg)))
    return 'what lies in a folder comes along, settings and hooks among it';
  if (name === 'git') return gitReason(args);
  for (const [of, option] of OPTIONS) {
    if (!of.test(name) && !of.test(program)) continue;
    const found = args.find((arg) => option.test(arg));
    if (found !== undefined) return `${shown(found)} changes what ${name} does`;
  }
  return undefined;
}

function gitReason(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const before = args
    .slice(0, at === -1 ? args.length : at)
    .find((arg) => !/^(--no-pager|-P|--no-optional-locks|--version)$/.test(arg));
  if (before !== undefined) return `${shown(before)} changes what git does`;
  const command = args[at] ?? '';
  if (GIT_COMMANDS.test(command)) return `git ${command} can set up programs to run`;
  const commits = command === 'commit' || command === 'log' || command === 'diff' || command === 'show';
  const found = args.slice(at + 1).find((arg) => GIT_OPTIONS.test(arg) && !(commits && /^(-[psnSi]|-C)/.test(arg)));
  return found === undefined ? undefined : `${shown(found)} changes what git does`;
}

function shown(option: string): string {
  return option.replace(/=.*/s, '=…').slice(0, 40);
}
