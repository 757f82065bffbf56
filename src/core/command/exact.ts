// Commands that no rule by first words may cover: what comes after those words decides what they do (S14, S22).

const RUNNERS =
  /^(bash|sh|zsh|dash|ksh|fish|ash|csh|tcsh|eval|exec|source|\.|python[\d.]*|node|nodejs|perl|ruby|php|deno|bun|lua|Rscript|osascript|tclsh|awk|gawk|mawk|ed|ex|vi|vim|emacs|gdb|npx|bunx|pnpx|uvx|pipx|xargs|env|sudo|doas|su|runuser|watch|setsid|flock|stdbuf|ionice|unshare|nsenter|chroot|strace|ltrace|parallel|entr|script|busybox|ssh|scp|sftp|rsync|docker|podman|kubectl|nc|ncat|socat|telnet|curl|wget|at|batch|crontab|systemctl|launchctl|tmux|screen|alias|unalias|trap|export|declare|typeset|local|readonly|unset|set|shopt|enable|hash|bind|coproc|test|\[|let|read|printf|mapfile|readarray|getopts|compgen|complete|compopt|fc|history|pushd|popd|dd|man|less|more|pwsh|powershell|cmd|cmd\.exe|start|open|xdg-open)$/;

/** What they write, and where, stands in a file that nobody has looked into. */
const UNPACKERS = /^(tar|bsdtar|unzip|7z|7za|cpio|pax|patch)$/;

const JAVASCRIPT_TOOLS = /^(eslint|prettier|jest|vitest|tsc|mocha|webpack|vite|rollup)$/;

/** Options of programs that run something else, write elsewhere, or change where everything is read from. `=`-forms, glued values and abbreviations included. */
const OPTIONS: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [
    /^(pnpm|yarn|bun)$/,
    /^(--script-shell|--prefix|--node-options|--userconfig|--globalconfig|--registry|--config|--cwd|--dir|--shell|--eval|--preload|-r$|-C$|-e$)/,
  ],
  // What stands before a sign is a variable, whatever its name.
  [/^(g|c|ninja|n)?make$/, /^(-\w*[fCIE]|--fi|--mak|--dir|--ev|--inc|[^-].*=)/s],
  [/^(find|fd)$/, /^-+(exec|execdir|ok|okdir|delete|fprint|fls|files0-from|x|X|exec-batch|batch)/],
  [/^rg$/, /^(--pre|--hostname-bin|-z|--search-zip|-L|--follow)/],
  [/^tree$/, /^-\w*o/],
  [/^sort$/, /^(-o|--o|-T|--t|--compress|--c)/],
  [/^split$/, /^--f/],
  // The variables of other processes.
  [/^ps$/, /^[A-Za-z]*e/],
  [/^(tar|bsdtar)$/, /^(--checkpoint|--to-command|--use-compress|-I|--rsh|--info-script|--new-volume|-F|--rmt)/],
  [/^(zip|unzip)$/, /^(-T|-TT|--unzip-command)/],
  [
    /^go$/,
    /^--?(exec|toolexec|vettool|overlay|modfile|compiler|C)(=|$)|^--?(ld|gcc|gccgo|asm)flags.*(extld|[-=]o\b|tool)|^-w$|extld/,
  ],
  [/^cargo$/, /^(--conf|-Z|-C|--manifest-path|\+.*[\\/])/],
  [
    /^(mvn|gradle|gradlew|mvnw)$/,
    /^(-f|--file|-p|--project-dir|-I|--init|-D|-b$|--build-file|-c$|-s$|-gs$|-t$|--(global-)?settings|--(global-)?toolchains|-g$|--gradle-user-home|--include-build)/,
  ],
  [
    /^dotnet$/,
    /^(@|[-/]{1,2}(p|property|l|logger|dl|distributedlogger):|--property|--test-adapter-path|-a$|--settings|-s$)/,
  ],
  [/^code$/, /^--(install-|uninstall-|extensions-dir|user-data-dir|profile)/],
  [/^(pytest|tox|nox)$/, /^(-[a-zA-Z]*[pco]|--root|--conf|--over|--pdbcls|--pastebin|--cov-config|@)/],
  // Whatever their name says: in these tools such options name code to be loaded.
  [
    JAVASCRIPT_TOOLS,
    /^--[\w.-]*(conf|plug|rule-?s?dir|loader|require|import|resolver|runner|environment|env$|env=|setup|teardown|transform|processor|serializer|sequencer|extractor|haste|preset|filter|mapper|provider|checker|pool|argv|node-opt|prettierpath|script|shell|exec|inspect|api\.host|package|opts|init$)/i,
  ],
  [JAVASCRIPT_TOOLS, /^(-c|-r|-n$)/],
  [/^(webpack|vite|rollup)$/, /^(-p$|--project)/],
  [/^gh$/, /^(alias|extension|config|auth|secret|api|codespace|ssh-key|gpg-key)$/],
  [/^(pip|pip3|uv)$/, /^(--index-url|-i$|--extra-index-url|-e$|--editable|--target|--prefix|config)/],
];

/** Options that take a name that is known there, or code to be loaded: `--reporter dot`, `-f ./mine.js`. */
const NAMED_OPTIONS = /^(?:--(?:req|form|format|formatter|reporter|parser|ui)(?:=(.*))?|-[fRu](.*))$/s;

/** Of npm's own options those that only choose what is done: what it does not know becomes configuration. */
const NPM_OPTIONS =
  /^(-s|--silent|-q|--quiet|-d|--verbose|--loglevel(=\w+)?|-w|--workspace(=.*)?|-ws|--workspaces|--if-present|--include-workspace-root|--no-color|--color(=\w+)?|--ignore-scripts|--foreground-scripts|--offline|--prefer-offline|--no-audit|--no-fund|--no-progress|-D|--save-dev|-E|--save-exact|-P|--save-prod|-O|--save-optional|--no-save|-S|--save|--omit(=\w+)?|--include(=\w+)?|--production|--only(=\w+)?|--legacy-peer-deps|-f|--force|-y|--yes|--json|--long|-l|-p|--parseable|--dry-run|--depth(=\d+)?|--all|-a)$/;

const GIT_COMMANDS =
  /^(config|submodule|filter-branch|filter-repo|bisect|difftool|mergetool|alias|daemon|send-email|instaweb|hook|help|clone|init|archive|remote|credential|maintenance|for-each-repo|worktree|gui|citool|web--browse|replace|update-index|apply|am|cvsimport|svn|p4|fast-import)$/;
const GIT_OPTIONS =
  /^(-c|-C|-[a-ln-zA-Z]*O|-x|--exec|--ex|--upl|--rec|--output|--out|--op|--ext|--textc|--git-dir|--work-tree|--exec-path|--namespace|--config-env|--paginate|-p$|--template|--extcmd|--tool|--str|-s$|-X|--gpg-sign|-S|--edit|--interactive|-i$|--no-verify|-n$|--separate-git-dir|--super-prefix)/;

/** An address that names the program which reaches it. */
const GIT_TRANSPORT = /^[a-z][\w+.-]*::/i;

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
  const found = name === 'npm' ? ownArguments(args).find(isUnknownToNpm) : changing(name, args);
  return found === undefined ? undefined : `${shown(found)} changes what ${name} does`;
}

/** The option that does. */
function changing(name: string, args: readonly string[]): string | undefined {
  for (const [program, option] of OPTIONS) {
    const found = program.test(name) ? args.find((arg) => option.test(arg)) : undefined;
    if (found !== undefined) return found;
  }
  if (!JAVASCRIPT_TOOLS.test(name)) return undefined;
  return args.find((arg, at) => {
    const found = NAMED_OPTIONS.exec(arg);
    const value = found?.[1] ?? found?.[2];
    return found !== null && /[./\\]/.test(value || (args[at + 1] ?? ''));
  });
}

/** What stands before `--`; the rest is the script's. */
function ownArguments(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

function isUnknownToNpm(arg: string): boolean {
  return arg.startsWith('-') && !NPM_OPTIONS.test(arg);
}

/** Commands of Git that do the same in every repository. */
const GIT_KNOWN =
  /^(add|blame|branch|cat-file|checkout|cherry|cherry-pick|clean|commit|describe|diff|fetch|for-each-ref|fsck|grep|log|ls-files|ls-remote|ls-tree|merge|merge-base|mv|name-rev|notes|pull|push|range-diff|rebase|reflog|reset|restore|rev-list|rev-parse|revert|rm|shortlog|show|show-ref|sparse-checkout|stash|status|switch|tag|whatchanged)$/;

/** How many words of it a rule must name to cover it: what Git is asked for may be an alias, or seldom is what people think of. */
export function wordsToName([program, command = '']: readonly string[]): number {
  return program === 'git' && !GIT_KNOWN.test(command) ? 2 : 1;
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
  const options = args.slice(at + 1);
  const found =
    options.find((arg) => GIT_OPTIONS.test(arg) && !(commits && /^(-[psnSi]|-C)/.test(arg))) ??
    options.find((arg) => GIT_TRANSPORT.test(arg) || (command === 'rebase' && /^-[a-zA-Z]*x/.test(arg)));
  return found === undefined ? undefined : `${shown(found)} changes what git does`;
}

function shown(option: string): string {
  return option.replace(/=.*/s, '=…').slice(0, 40);
}
