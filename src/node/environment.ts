// The environment that programs of the agent run in: no keys, nothing that makes them run or load other code, nothing that waits for a person.
import { HOST_MARKER, ownMark } from './hostMark';
import { delimiter } from 'node:path';
import { foldersOf, inNoWorkspace, type IsOurs } from './searchPath';

/** Names that hold secrets, by their usual endings and vendors. Case does not matter. */
const SECRET_NAMES = [
  /(^|_)(API|ACCESS|SECRET|PRIVATE|ENCRYPTION)_?KEY|_(KEY|DSN|CONNECTION_STRING)$/,
  /(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?(_|$)/,
  /(^|_)(PAT|AUTH|PASS|JWT|COOKIES?|WEBHOOK(_URL)?)$|_PWD$|^(BW|OP)_SESSION/,
  /^(ANTHROPIC|AWS|AZURE|OPENAI|GEMINI|MISTRAL|OPENROUTER|HF|HUGGINGFACE|CLOUDFLARE|DIGITALOCEAN|STRIPE|TWILIO|VAULT)_/,
  /^(PGPASSFILE|DATABASE_URL|REDIS_URL|MONGO(DB)?_UR[IL]|GOOGLE_APPLICATION_CREDENTIALS|KUBECONFIG|DOCKER_AUTH_CONFIG)$/,
];

/** Values that are keys whatever they are called: by the marks of their issuers, or a password in an address. */
const SECRET_VALUES = [
  /^(sk-|gh[opsur]_|github_pat_|glpat-|npm_[A-Za-z0-9]{20}|xox[abeoprs]-|AKIA[A-Z0-9]{12}|AIza|eyJ[\w-]+\.eyJ)/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i,
];
/** Without their password the network would be out of reach. */
const PROXY_NAME = /_PROXY$/;

/** Names that make a shell, the loader, git or node run something nobody asked for (S09), and what belongs to the editor itself. */
const CODE_NAMES = [
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|CDPATH|GLOBIGNORE|IFS)$/,
  /^BASH_FUNC_/,
  /^(LD_(PRELOAD|AUDIT|DEBUG\w*|PROFILE\w*)|DYLD_INSERT_LIBRARIES|DYLD_IMAGE_SUFFIX|GCONV_PATH)$/,
  /^(PYTHONSTARTUP|PYTHONINSPECT|PYTHONBREAKPOINT|PYTHONWARNINGS|PYTHONEXECUTABLE|PERL5OPT|PERL5DB|RUBYOPT|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS)$/,
  /^GIT_(EXTERNAL_DIFF|SSH|SSH_COMMAND|SSH_VARIANT|DIFF_OPTS|ASKPASS|PROXY_COMMAND|SEQUENCE_EDITOR|EXEC_PATH|TEMPLATE_DIR|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|TRACE\w*|ATTR_\w+|CONFIG(_.*)?|DIR|WORK_TREE|INDEX_FILE)$/,
  /^(NODE_OPTIONS|NODE_CHANNEL_FD|NODE_REPL_EXTERNAL_MODULE|RIPGREP_CONFIG_PATH|SSH_ASKPASS|LESSOPEN|LESSCLOSE)$/,
  /^(LUA_INIT.*|MAKEFILES|TAR_OPTIONS|RUBYGEMS_GEMDEPS|DOTNET_STARTUP_HOOKS|COR(ECLR)?_(ENABLE_)?PROFIL\w+|HGRCPATH)$/,
  /^(ELECTRON|VSCODE|LATHE)_/,
  // Of the terminal that the editor was started from.
  /^(COLUMNS|LINES)$/,
];

/**
 * Folders that code is loaded from. People set them with reason, so what they name outside the workspace stays; but a workspace
 * brings no code into programs that it has not been asked for, nor does the folder that a program happens to be started in.
 */
const CODE_FOLDERS = [
  /^(LD_LIBRARY_PATH|LD_ORIGIN_PATH|LIBPATH|DYLD_(FALLBACK_)?(LIBRARY|FRAMEWORK)_PATH|DYLD_VERSIONED_\w+|DYLD_ROOT_PATH)$/,
  /^(PYTHONPATH|PYTHONHOME|PYTHONUSERBASE|PYTHONPYCACHEPREFIX|PERL5LIB|PERLLIB|PERL_LOCAL_LIB_ROOT|RUBYLIB|GEM_PATH|GEM_HOME)$/,
  /^(NODE_PATH|CLASSPATH|R_(LIBS(_USER|_SITE)?|PROFILE(_USER)?|ENVIRON(_USER)?)|PHPRC|PHP_INI_SCAN_DIR|ERL_LIBS|JULIA_LOAD_PATH)$/,
  /^(GIO_MODULE_DIR|GTK_PATH|QT_PLUGIN_PATH|OPENSSL_(CONF|MODULES|ENGINES)|LOCPATH|TERMINFO(_DIRS)?|XDG_CONFIG_(HOME|DIRS)|ZDOTDIR)$/,
];

/**
 * A copy without secrets and without code. On PATH, what is relative or empty is left out, and what lies in the workspace comes
 * last: there is an environment of Python in many, but no `ls` or `git` in any is the one that is meant (S12).
 */
export function scrubbedEnvironment(env: NodeJS.ProcessEnv, isOurs: IsOurs = inNoWorkspace): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      const upper = name.toUpperCase();
      if (value === undefined || isScrubbed(upper, value)) return [];
      if (upper === 'PATH') {
        const { outside, inside } = foldersOf(value, isOurs);
        return [[name, [...outside, ...inside].join(delimiter)] as const];
      }
      if (!CODE_FOLDERS.some((pattern) => pattern.test(upper))) return [[name, value] as const];
      const { outside } = foldersOf(value, isOurs);
      return outside.length === 0 ? [] : [[name, outside.join(delimiter)] as const];
    }),
  );
}

function isScrubbed(name: string, value: string): boolean {
  if ([...SECRET_NAMES, ...CODE_NAMES].some((pattern) => pattern.test(name))) return true;
  return !PROXY_NAME.test(name) && SECRET_VALUES.some((pattern) => pattern.test(value));
}

/** What a command sees: scrubbed, and nothing in it pages, prompts or opens an editor (R42). */
export function commandEnvironment(
  env: NodeJS.ProcessEnv,
  runId: string,
  isOurs: IsOurs = inNoWorkspace,
): Record<string, string> {
  return {
    LANG: 'C.UTF-8',
    ...scrubbedEnvironment(env, isOurs),
    TERM: 'dumb',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    MANPAGER: 'cat',
    EDITOR: 'true',
    VISUAL: 'true',
    GIT_EDITOR: 'true',
    GIT_TERMINAL_PROMPT: '0',
    DEBIAN_FRONTEND: 'noninteractive',
    ...marksOf(runId),
  };
}

/** What every process of a run carries, so that it is found again. */
export function marksOf(runId: string): Record<string, string> {
  const host = ownMark();
  return { [RUN_MARKER]: runId, ...(host === undefined ? {} : { [HOST_MARKER]: host }) };
}

/** Every process of a run carries it, also those that have left its process group. */
export const RUN_MARKER = 'LATHE_RUN';
