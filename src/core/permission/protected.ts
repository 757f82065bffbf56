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

/** Of every vendor's agent: its settings, servers, rules and memory (S34, S39, S93). */
const AGENT_FOLDERS =
  'lathe|claude|cursor|gemini|codex|copilot|roo|cline|kilocode|windsurf|codeium|continue|amazonq|kiro|junie|aiassistant|antigravity|augment|opencode|crush|goose|qwen|trae|factory|zed|agents?|aider[^/]*';

/** By name, whether it exists or not (S35), in any folder (S33). */
const PATTERNS: readonly Pattern[] = [
  names(
    'governs',
    `\\.(${AGENT_FOLDERS})(/.*)?`,
    '\\.config/(opencode|crush|goose|zed|github-copilot|claude)(/.*)?',
    '\\.(cursor|windsurf|cline|roo|kilo)rules([-.][^/]+)?(/.*)?|\\.roomodes|\\.goosehints|\\.augment-guidelines|\\.rules',
    '(agents?|claude|gemini|qwen|crush|warp)(\\.(local|override))?\\.md|copilot-instructions\\.md',
    '\\.github/(instructions|prompts|chatmodes|agents|skills|hooks)(/.*)?',
    '\\.?mcp\\.json|\\.claude\\.json|\\.?(opencode|crush)\\.jsonc?',
    '\\.vscode/(settings|mcp)\\.json',
    '[^/]+\\.code-workspace',
    // The editor's own settings, where what is allowed is set, and what Lathe keeps there.
    '(code( - [^/]+)?|vscodium|code-server|user-data|data)/(user|machine)/(profiles/[^/]+/)?(settings|mcp|tasks|keybindings)\\.json',
    'globalstorage/lathe\\.lathe(/.*)?',
    '\\.[a-z]*agentignore|\\.[a-z]+ignore\\.agent|\\.aiexclude',
    '\\.(lathe|ai|claude|cursor(indexing)?|codeium|windsurf|cline|roo|kilocode|gemini|continue|aider|augment|copilot)ignore',
  ),
  names(
    'executes',
    '\\.(vscode|git|husky|devcontainer|idea|githooks|cargo|mvn|mise)(/.*)?|\\.devcontainer\\.json',
    // What Yarn itself downloads and notes down is no more than what lies in node_modules.
    '\\.yarn/(?!(cache|unplugged|install-state\\.gz|build-state\\.yml)(/|$)).*',
    '\\.(bash|zsh)(rc|_profile|_login|_logout|_aliases|env)|\\.z(profile|login|logout|shenv)|\\.(profile|login|logout|inputrc)|\\.(k|c|tc)shrc',
    '\\.x(profile|initrc|session|sessionrc)|\\.pam_environment|[^/]*profile\\.ps1',
    '\\.config/(git|fish|powershell|mise|direnv|pip|autostart|systemd|environment\\.d)(/.*)?|launchagents(/.*)?',
    '\\.vscode-(server|insiders|oss)[^/]*(/.*)?',
    '\\.(gitconfig|gitmodules|gitattributes|envrc|direnvrc|tool-versions)|\\.?mise(\\.[^/]+)?\\.toml',
    '\\.(npmrc|yarnrc|yarnrc\\.yml|pnpmfile\\.[cm]?js|pnp\\.[cm]?js|pnp\\.loader\\.mjs)|\\.?bunfig\\.toml|pnpm-workspace\\.yaml',
    '\\.bazel(rc|iskrc|version)|[^/]+\\.bazelrc|gradlew(\\.bat)?|gradle/wrapper(/.*)?|\\.gradle/init\\.(d|gradle)[^/]*(/.*)?|mvnw(\\.cmd)?',
    '\\.(ripgreprc|curlrc|wgetrc|gdbinit|lldbinit|psqlrc|irbrc|pryrc|condarc|gemrc|exrc|nvimrc|g?vimrc|nvim\\.lua)|\\.dir-locals\\.el|pip\\.(conf|ini)',
    'pyrightconfig\\.json|(site|user)customize\\.py|site-packages/[^/]+\\.pth',
    '\\.pre-commit-(config|hooks)\\.ya?ml|\\.?lefthook(-local)?\\.(ya?ml|toml|json)|\\.(huskyrc|lintstagedrc)(\\.[^/]+)?|\\.simple-git-hooks\\.[^/]+',
    '\\.(github|gitea|forgejo)/(workflows|actions)(/.*)?|\\.(circleci|buildkite|woodpecker)(/.*)?|jenkinsfile',
    '\\.(gitlab-ci|travis|drone|woodpecker|appveyor)\\.ya?ml|(azure|bitbucket)-pipelines\\.ya?ml',
    'package\\.json|setup\\.py|conftest\\.py|build\\.rs|\\.?justfile|makefile|gnumakefile|rakefile|directory\\.build\\.(props|targets|rsp)',
  ),
  names(
    'secret',
    '\\.env(?![^/]*[-_.](example|sample|template|dist|defaults)$)([-_.][^/]+)?|\\.envrc|(?!(example|sample|template)\\.)[^/]+\\.env',
    '\\.(netrc|pgpass|pypirc|npmrc|git-credentials|htpasswd|vault-token|dockercfg|s3cfg|boto|databrickscfg|my\\.cnf|terraformrc)|_netrc',
    '\\.(ssh|gnupg|aws|azure|kube|oci|password-store)(/.*)?|\\.docker/config\\.json|\\.config/(gcloud|gh|glab-cli|hub|op|rclone)(/.*)?',
    '\\.(cargo|gem|terraform\\.d|pulumi)/credentials[^/]*|\\.config/git/credentials|\\.m2/settings[^/]*\\.xml|\\.kaggle/kaggle\\.json',
    '\\.(bash|zsh|python|node_repl|psql|mysql)_history',
    '[^/]+\\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|tfstate)|[^/]+\\.tfstate\\.backup|id_(rsa|dsa|ecdsa|ed25519)(?!\\.pub)[^/]*',
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

/** Folders with names that are protected only together with what is in them. */
const HOLDERS = /(^|\/)(\.(github|gitea|forgejo|config|gradle|yarn)|gradle)$/;

/** A command that puts a folder there as a whole brings along what would be protected in it (S33). */
export function isHolder(path: Path, platform: Platform): boolean {
  return HOLDERS.test(foldWidely(platform.os === 'win32' ? path.replaceAll('\\', '/') : path));
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

/** Of a command, whose lines and tabs are shown as what they are. */
export function hidesInCommand(command: string): boolean {
  return hidesCharacters(command.replace(/[\n\t]/g, ' '));
}
