// Programs that run another one: what is inside, and whether it may be taken off.
import { readOptions, tableOf } from './options';
import type { Word } from './words';

export interface Unwrapped {
  /** The program with its arguments. */
  readonly words: readonly Word[];
  /** Taken off on the way. */
  readonly wrappers: readonly string[];
}

/** Harmless ones, in their plain forms: the rest is as it would be without them. */
export function unwrap(words: readonly Word[]): Unwrapped {
  let rest = words;
  const wrappers: string[] = [];
  for (;;) {
    const length = wrapperLength(rest);
    if (length === 0 || rest.length <= length) return { words: rest, wrappers };
    wrappers.push(rest[0]?.text ?? '');
    rest = rest.slice(length);
  }
}

function wrapperLength(words: readonly Word[]): number {
  const text = (at: number) => words[at]?.text ?? '';
  switch (text(0)) {
    case 'timeout':
      return /^\d+(\.\d+)?[smhd]?$/.test(text(1)) ? 2 : 0;
    case 'nice':
      if (text(1) === '-n' && /^-?\d+$/.test(text(2))) return 3;
      return /^-\d+$/.test(text(1)) ? 2 : text(1).startsWith('-') ? 0 : 1;
    case 'nohup':
    case 'time':
    case 'command':
    case 'builtin':
      return text(1).startsWith('-') ? 0 : 1;
    default:
      return 0;
  }
}

/** Run a program that stands among their arguments, with what they were given to do besides. */
const OUTER =
  /^(sudo|doas|env|xargs|watch|setsid|flock|stdbuf|ionice|chrt|taskset|unshare|nsenter|chroot|strace|ltrace|parallel|entr|script|su|runuser|exec|command|builtin|nohup|time|timeout|nice|busybox|toybox|caffeinate|npx|bunx|pnpx|uvx|xvfb-run|dbus-run-session|systemd-run|proot|fakeroot|eatmydata|firejail|bwrap|catchsegv|numactl|prlimit|setpriv|pkexec|gosu|su-exec|tini|dumb-init|chpst|unbuffer|rlwrap|sshpass|torsocks|proxychains4?|valgrind|perf|gdb|cross-env|dotenv|coproc|ssh|screen|tmux|hyperfine)$/;
/** Run a program after one of their own words. */
const OUTER_BY_WORD: readonly (readonly [program: RegExp, word: RegExp])[] = [
  [/^(docker|podman|nerdctl)$/, /^(run|exec)$/],
  [/^(kubectl|oc)$/, /^(exec|run|debug)$/],
  [/^(npm|pnpm|yarn|bun)$/, /^(exec|x|dlx)$/],
  [/^(bundle|direnv|mise|asdf|opam|nix)$/, /^(exec|x|run|shell|develop)$/],
  [/^(poetry|uv|pipenv|conda|mamba|micromamba|rye|pdm|hatch|pixi|doppler|op)$/, /^run$/],
  [/^git$/, /^(run|foreach)$/],
];
/** Are given scripts as words of their own, or as the value of an option. */
const SCRIPTED =
  /^(env|watch|script|su|runuser|flock|ssh|tmux|screen|at|hyperfine|concurrently|trap|alias|nix-shell|nix|parallel|npm|pnpm)$/;
const SHELLS = /^(?:.*\/)?(bash|sh|zsh|dash|ksh|fish|ash)$/;
const FINDS = /^-(exec|execdir|ok|okdir)$/;

/** Commands inside of one, for rules that deny: words where they stand as words, a script where they are text. */
export function inner(words: readonly Word[]): {
  readonly words: readonly (readonly Word[])[];
  readonly scripts: readonly string[];
} {
  const texts = words.map(({ text }) => text ?? '');
  const [name = ''] = texts;
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (base === 'eval') return { words: [], scripts: [texts.slice(1).join(' ')] };
  if (SHELLS.test(name)) {
    const table = tableOf(base);
    const told = table && readOptions(texts.slice(1), table);
    return { words: [], scripts: told?.isText && told.operand !== undefined ? [told.operand] : [] };
  }
  if (base === 'find' || base === 'fd') {
    const starts = texts.flatMap((text, at) =>
      FINDS.test(text) || /^(-x|-X|--exec|--exec-batch)$/.test(text) ? [at + 1] : [],
    );
    const glued = texts.flatMap((text) => /^(?:-[xX]|--exec(?:-batch)?=)(.+)/s.exec(text)?.[1] ?? []);
    return { words: starts.map((at) => words.slice(at)), scripts: base === 'fd' ? glued : [] };
  }
  const word = OUTER_BY_WORD.find(([program]) => program.test(base))?.[1];
  const after = word === undefined ? 0 : texts.findIndex((text, at) => at > 0 && word.test(text));
  const scripts = SCRIPTED.test(base) || (base === 'git' && isGivenScripts(texts)) ? scriptsAmong(texts) : [];
  if (after === -1 || (word === undefined && !OUTER.test(base))) return { words: [], scripts };
  // Which of their options take a value is not told apart: every place where a program may begin is one.
  const starts = texts.flatMap((text, at) =>
    at > after && text !== '' && !text.startsWith('-') && !/^\w+=/.test(text) ? [at] : [],
  );
  return { words: starts.slice(0, 6).map((at) => words.slice(at)), scripts };
}

function isGivenScripts(texts: readonly string[]): boolean {
  return texts.some((text) => /^(rebase|foreach|run|-c)$/.test(text));
}

/** `'rm a'`, `-S'rm a'`, `--command='rm a'`, `alias.x='!rm a'`. */
function scriptsAmong(texts: readonly string[]): string[] {
  return texts.slice(1).flatMap((text) => {
    const [, script = ''] = /^(?:--?[\w-]+=|-[Sc]|[\w.-]+=)?!?(.*)$/s.exec(text) ?? [];
    return /\S\s+\S/.test(script) ? [script] : [];
  });
}

/** Whether some shell in it reads what another command puts out, or a here-document. */
export function feedsShell(text: string): boolean {
  return /(?:\|&?\s*(?:\S+\s+)*?|(?:^|[\n;&|(])\s*)(?:\S*\/)?(?:bash|sh|zsh|dash|ksh|ash|source|\.|at|batch)(?=[\s<;|&)]|$)/.test(
    text,
  );
}
