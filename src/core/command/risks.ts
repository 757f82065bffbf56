// What a person should know of a command before it runs, in words, and what becomes known to others by it.
import type { Deed } from './types';

interface Risk {
  readonly words: string;
  readonly of: (name: string, args: readonly string[]) => boolean;
}

const has = (args: readonly string[], pattern: RegExp) => args.some((arg) => pattern.test(arg));
const named =
  (pattern: RegExp) =>
  (name: string): boolean =>
    pattern.test(name);
const gitWith =
  (command: RegExp, option?: RegExp) =>
  (name: string, args: readonly string[]): boolean =>
    name === 'git' && command.test(gitCommand(args)) && (option === undefined || has(args, option));

/** Whether it leaves this machine is told apart by these words elsewhere too. */
export const NETWORK = 'Reaches the network';
export const PUBLISHES = 'Publishes something';
export const SHOWS_HIDDEN = 'May show what .latheignore or a rule hides from the agent';
export const DESTROYS = 'Deletes or overwrites what cannot be brought back';

/** Programs that do nothing else. */
const TUNNELS =
  /^(ngrok|cloudflared|localtunnel|lt|bore|frpc|frps|zrok|devtunnel|chisel|pagekite|code-server|code-tunnel|http-server|serve|live-server|sshd|dropbear)(@.*)?$/;

/** The worst first. */
const RISKS: readonly Risk[] = [
  {
    words: DESTROYS,
    of: (name, args) =>
      /^(rm|rmdir|shred|unlink|truncate|dd|mkfs.*|wipefs)$/.test(name) ||
      (name === 'find' && has(args, /^-delete$/)) ||
      (name === 'git' && /^(clean)$/.test(gitCommand(args))) ||
      (name === 'git' && gitCommand(args) === 'reset' && has(args, /^--hard/)) ||
      (name === 'git' && /^(checkout|restore)$/.test(gitCommand(args)) && has(args, /^(--|\.|-f|--force)$/)) ||
      (name === 'git' && gitCommand(args) === 'stash' && has(args, /^(drop|clear)$/)) ||
      (name === 'git' && gitCommand(args) === 'branch' && has(args, /^(-D|-d|--delete)$/)) ||
      (name === 'docker' && has(args, /^(rm|rmi|prune|down)$/)) ||
      (name === 'kubectl' && has(args, /^delete$/)) ||
      (name === 'terraform' && has(args, /^(destroy|apply)$/)),
  },
  {
    words: 'Changes history that others may have',
    of: (name, args) =>
      gitWith(/^push$/, /^(-f|--force|--force-with-lease.*|--delete|-d|--mirror|\+.+)$/)(name, args) ||
      gitWith(/^(rebase|filter-branch|filter-repo)$/)(name, args) ||
      gitWith(/^commit$/, /^--amend$/)(name, args),
  },
  { words: 'Acts with more rights than yours', of: named(/^(sudo|doas|su|runuser|pkexec|runas)$/) },
  {
    words: 'Opens this machine to the network',
    of: (name, args) =>
      TUNNELS.test(name) ||
      (/^(npx|bunx|pnpx|uvx|pipx)$/.test(name) && has(args, TUNNELS)) ||
      (name === 'ssh' && has(args, /^-\w*[RLD]/)) ||
      (/^code(-[a-z]+)?$/.test(name) && has(args, /^(tunnel|serve-web)$/)) ||
      (name === 'tailscale' && has(args, /^(funnel|serve)$/)) ||
      (name === 'gh' && has(args, /^codespaces?$/) && has(args, /^ports$/)) ||
      (/^python[\d.]*$/.test(name) && has(args, /^(-m)?http\.server$/)) ||
      (name === 'php' && has(args, /^-S/)) ||
      (/^(nc|ncat|netcat|socat)$/.test(name) && has(args, /^-\w*l|LISTEN/i)),
  },
  {
    words: PUBLISHES,
    of: (name, args) =>
      gitWith(/^push$/)(name, args) ||
      (/^(npm|pnpm|yarn|cargo|gem|twine|poetry|vsce|ovsx)$/.test(name) && has(args, /^(publish|upload|push)$/)) ||
      (/^(gh|glab|hub)$/.test(name) && has(args, /^(create|merge|close|comment|edit|delete|upload)$/)) ||
      (/^(docker|podman)$/.test(name) && has(args, /^push$/)),
  },
  {
    words: NETWORK,
    of: (name, args) =>
      /^(curl|wget|ssh|scp|sftp|rsync|ftp|nc|ncat|socat|telnet|ping|ping6|dig|nslookup|host|traceroute|whois|gh|glab|hub|aws|gcloud|az|kubectl|http|https|xh)$/.test(
        name,
      ) || gitWith(/^(push|pull|fetch|clone|ls-remote|submodule)$/)(name, args),
  },
  {
    words: 'Installs packages, which run code of their own',
    of: (name, args) =>
      /^(npm|pnpm|yarn|bun|pip|pip3|uv|gem|composer|cargo|apt|apt-get|brew|dnf|yum|pacman|apk|poetry|go)$/.test(name) &&
      has(args, /^(i|install|ci|add|update|upgrade|get|sync)$/),
  },
  { words: 'Downloads code and runs it', of: named(/^(npx|bunx|pnpx|uvx|pipx)$/) },
  { words: 'Changes permissions', of: named(/^(chmod|chown|chgrp|setfacl|xattr|chattr)$/) },
  { words: 'Ends processes', of: named(/^(kill|killall|pkill|fuser)$/) },
  { words: 'May show passwords and keys', of: named(/^(env|printenv|set|export|declare)$/) },
  { words: 'Changes settings of git', of: gitWith(/^config$/) },
];

export function risksOf(texts: readonly string[]): string[] {
  const [program = '', ...args] = texts;
  const name = program.slice(program.lastIndexOf('/') + 1);
  return RISKS.filter(({ of }) => of(name, args)).map(({ words }) => words);
}

export function deedsOf(texts: readonly string[]): Deed[] {
  const [program = '', ...args] = texts;
  if (program === 'git') {
    const command = gitCommand(args);
    if (/^(commit|merge|revert|cherry-pick|am)$/.test(command)) return ['commit'];
    return command === 'push' ? ['push'] : [];
  }
  const isRequest =
    /^(gh|glab|hub)$/.test(program) &&
    has(args, /^(pr|mr|pull-request)$/) &&
    (program === 'hub' || has(args, /^(create|new)$/));
  return isRequest ? ['pullRequest'] : [];
}

/** The first word that is no option nor the value of one. */
function gitCommand(args: readonly string[]): string {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (/^(-c|-C|--git-dir|--work-tree|--exec-path|--namespace|--config-env)$/.test(arg)) at++;
    else if (!arg.startsWith('-')) return arg;
  }
  return '';
}

/** Files that programs change which are given to them, as written. */
export function changedBy(
  texts: readonly string[],
): readonly { readonly op: 'write' | 'delete'; readonly path: string }[] {
  const [program = '', ...args] = texts;
  const operands = args.filter((arg) => !arg.startsWith('-') || arg === '-');
  const of = (op: 'write' | 'delete', paths: readonly string[]) => paths.map((path) => ({ op, path }));
  switch (program) {
    case 'rm':
    case 'rmdir':
    case 'unlink':
    case 'shred':
      return of('delete', operands);
    case 'mv':
      return [
        ...of('delete', folderOption(args) === undefined ? operands.slice(0, -1) : operands),
        ...of('write', targetsOf(operands, args)),
      ];
    case 'cp':
    case 'ln':
    case 'install':
    case 'rsync':
    case 'scp':
      return of('write', targetsOf(operands, args));
    case 'tee':
    case 'touch':
    case 'mkdir':
    case 'truncate':
      return of('write', operands);
    case 'chmod':
    case 'chown':
    case 'chgrp':
      return of('write', operands.slice(1));
    case 'dd':
      return of(
        'write',
        args.filter((arg) => arg.startsWith('of=')).map((arg) => arg.slice(3)),
      );
    case 'git':
      return changedByGit(args);
    case 'sed':
      return args.some((arg) => /^(-\w*i|--in-place)/.test(arg)) ? of('write', operands.slice(1)) : [];
    default:
      return [];
  }
}

/** What Git puts into the workspace or takes from it where it is named. */
function changedByGit(args: readonly string[]): ReturnType<typeof changedBy> {
  const command = gitCommand(args);
  const operands = args.slice(args.indexOf(command) + 1).filter((arg) => !arg.startsWith('-'));
  if (command === 'mv') return changedBy(['mv', ...operands]);
  // What it removes can be had back from it, so it is not lost as after `rm`.
  const isChanging = command === 'restore' || (command === 'rm' && !args.includes('--cached'));
  if (isChanging) return operands.map((path) => ({ op: 'write', path }));
  if (command !== 'checkout') return [];
  const at = args.indexOf('--');
  // Before the dashes it may be a branch as well.
  const isNamed = (path: string) => /(^|\/)\.\w|\.[a-z]\w*$/i.test(path);
  const paths = operands.filter((path) => isNamed(path) || (at !== -1 && args.indexOf(path) > at));
  return paths.map((path) => ({ op: 'write', path }));
}

/** The last operand, and where that is a folder what comes to stand in it. */
function targetsOf(operands: readonly string[], args: readonly string[]): string[] {
  const given = folderOption(args);
  const names = operands
    .slice(0, given === undefined ? -1 : undefined)
    .map((path) => path.slice(path.replace(/\/$/, '').lastIndexOf('/') + 1));
  // What looks like that option may be the value of another.
  const targets = new Set([given, operands.at(-1)].filter((target) => target !== undefined));
  return [...targets].flatMap((target) => [target, ...names.map((name) => `${target.replace(/\/$/, '')}/${name}`)]);
}

/** Its value glued, after a sign or in the next word, and its name shortened. */
const FOLDER_OPTION = /^(?:-[a-zA-Z]*?t(.+)?|--t[a-z-]*(?:=(.+))?)$/;

/** The folder that files are put into, where it stands before them. */
function folderOption(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => FOLDER_OPTION.test(arg));
  if (at === -1) return undefined;
  const [, glued, signed] = FOLDER_OPTION.exec(args[at] ?? '') ?? [];
  return glued ?? signed ?? args[at + 1];
}
