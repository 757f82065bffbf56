// Paths that need a person although they lie inside the workspace: they govern the agent, run later by themselves, or hold secrets.
import type { Path, Platform } from '../host';

export type Protection =
  /** Decides what the agent may do or is told: asks in every mode and is denied without a person. */
  | 'governs'
  /** Runs later without anybody starting it, or redirects what runs: asks in every mode but bypass. */
  | 'executes'
  /** Holds keys or passwords. */
  | 'secret';

interface Pattern {
  readonly protection: Protection;
  /** Tested against every trailing part of the path, `/` between names, folded as widely as any file system does. */
  readonly test: RegExp;
}

function names(protection: Protection, ...expressions: readonly string[]): Pattern {
  return { protection, test: new RegExp(`(^|/)(${expressions.join('|')})$`) };
}

/** By name, whether it exists or not (S35), in any folder (S33), for every vendor's agent (S39). */
const PATTERNS: readonly Pattern[] = [
  names(
    'governs',
    '\\.(lathe|claude|cursor|gemini|codex|roo|kilocode|windsurf|continue|amazonq|aider[^/]*)(/.*)?',
    '\\.(cursor|windsurf|cline|roo|kilo)rules(/.*)?',
    '(agents|claude|gemini)(\\.local)?\\.md',
    '\\.github/(copilot-instructions\\.md|(instructions|prompts|chatmodes|agents)(/.*)?)',
    '\\.?mcp\\.json',
    '\\.vscode/(settings|mcp)\\.json',
    '[^/]+\\.code-workspace',
    // The editor's own settings, where what is allowed is set, and what Lathe keeps there.
    '(code( - [^/]+)?|vscodium|code-server|user-data|data)/(user|machine)/(profiles/[^/]+/)?(settings|mcp|tasks|keybindings)\\.json',
    'globalstorage/lathe\\.lathe(/.*)?',
    '\\.[a-z]*agentignore|\\.[a-z]+ignore\\.agent|\\.latheignore',
  ),
  names(
    'executes',
    '\\.(vscode|git|husky|devcontainer|idea|githooks)(/.*)?',
    '\\.(bash|zsh)(rc|_profile|_login|_logout|_aliases|env)|\\.z(profile|login|logout|shenv)|\\.profile|\\.config/fish(/.*)?',
    '\\.(npmrc|yarnrc|yarnrc\\.yml|pnpmfile\\.cjs|envrc|gitconfig|gitmodules|gitattributes|gitlab-ci\\.yml|pre-commit-config\\.yaml|mise\\.toml|tool-versions)',
    '\\.github/workflows(/.*)?|\\.circleci(/.*)?',
    'package\\.json|lefthook\\.ya?ml|setup\\.py|conftest\\.py|build\\.rs|\\.?justfile|makefile|gnumakefile',
  ),
  names(
    'secret',
    '\\.env(?!\\.(example|sample|template|dist|defaults)$)(\\.[^/]+)?|[^/]+\\.env',
    '\\.(netrc|pgpass|pypirc|npmrc|git-credentials|htpasswd)|_netrc',
    '\\.(ssh|gnupg|aws|azure|kube)(/.*)?|\\.docker/config\\.json|\\.config/(gcloud|gh)(/.*)?',
    '[^/]+\\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk)|id_(rsa|dsa|ecdsa|ed25519)(?!\\.pub)[^/]*',
    '(credentials|secrets?)\\.(json|ya?ml|toml)|service[-_]account[^/]*\\.json',
    'proc/[^/]+/(environ|mem|maps)|etc/shadow',
  ),
];

/** What protects a path against an operation; the strictest first. Reading is only held back by secrets. */
export function protectionOf(op: 'read' | 'write' | 'delete', path: Path, platform: Platform): Protection | undefined {
  const separated = platform.os === 'win32' ? path.replaceAll('\\', '/') : path;
  const folded = foldWidely(separated);
  return PATTERNS.find(({ protection, test }) => (op !== 'read' || protection === 'secret') && test.test(folded))
    ?.protection;
}

/** As Windows and macOS do: `ſ` is an s there and `ß` two of them, and HFS+ leaves out what shows nothing. */
function foldWidely(path: string): string {
  const visible = path.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return visible.normalize('NFC').toUpperCase().toLowerCase();
}

const HIDING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000]/u;

/** Control, bidirectional, invisible and look-alike blank characters: a person cannot judge such a name by sight (S85). */
export function hidesCharacters(text: string): boolean {
  return HIDING.test(text);
}
