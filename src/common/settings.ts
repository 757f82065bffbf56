// Every setting: its name without the `lathe.` prefix, its default and its scope. package.json repeats this table, and a test compares them.

/**
 * `application`: the person's own settings only, since a repository must not choose it (endpoint, mode, what is allowed).
 * `machine`: names programs or limits of this machine. `resource`: a workspace folder may set it.
 */
export type SettingScope = 'application' | 'machine' | 'resource';

interface Setting<T> {
  readonly default: T;
  readonly scope: SettingScope;
}

function setting<T>(value: T, scope: SettingScope): Setting<T> {
  return { default: value, scope };
}

/** A program that is talked to over its pipes, or an address. */
export type McpServerSetting =
  | {
      readonly command: string;
      readonly args?: readonly string[];
      /** All that the program gets besides PATH, HOME and LANG. */
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** One command that runs when something happens, as Claude Code's settings write it. `timeout` is in seconds. */
export interface HookSetting {
  readonly type: 'command';
  readonly command: string;
  readonly timeout?: number;
}

/** `matcher`: a regular expression over the whole tool name; absent, empty or `*`: every one. */
export interface HookMatcherSetting {
  readonly matcher?: string;
  readonly hooks: readonly HookSetting[];
}

export const SETTINGS = {
  /** Model id as the endpoint knows it; empty: the newest the endpoint lists that suits coding. */
  model: setting<string>('', 'application'),
  /** Any endpoint that speaks the Anthropic Messages API; empty: Anthropic's own. */
  baseUrl: setting<string>('', 'application'),
  /** Tokens the model may write in one message. */
  maxOutputTokens: setting<number>(16_000, 'application'),
  /** Extended thinking, where the model has it. */
  thinking: setting<'off' | 'adaptive'>('adaptive', 'application'),
  /** The mode a new session starts in; `bypass` cannot be a default. */
  'permission.mode': setting<'ask' | 'acceptEdits' | 'plan' | 'review' | 'explore' | 'auto'>('ask', 'application'),
  /** Rules such as `bash(git status:*)`: what needs no person. The person's own only. */
  'permission.allow': setting<readonly string[]>([], 'application'),
  /** What asks in every mode. A workspace can add to the person's own, never take away. */
  'permission.ask': setting<readonly string[]>([], 'resource'),
  /** What is refused in every mode. A workspace can add to the person's own, never take away. */
  'permission.deny': setting<readonly string[]>([], 'resource'),
  /** A result up to this many characters reaches the model whole [B01]. */
  'tools.maxResultChars': setting<number>(30_000, 'application'),
  /** What is kept of a longer one, the marker included. */
  'tools.digestChars': setting<number>(8_000, 'application'),
  /** Tool results in one request, in characters; older ones are dropped in big steps beyond it [O35, K19]. */
  'tools.historyChars': setting<number>(200_000, 'application'),
  /** Names or globs of the only tools there are; empty: all of them [K04]. */
  'tools.enabled': setting<readonly string[]>([], 'application'),
  /** Names or globs of tools that are left out; wins over `tools.enabled` [K04]. */
  'tools.disabled': setting<readonly string[]>([], 'application'),
  /** Only the few basic tools, for small models [K06]. */
  'tools.simple': setting<boolean>(false, 'application'),
  /** More tools of MCP servers than this are found through `toolsearch` instead of standing in every request [K08]. */
  'tools.deferAbove': setting<number>(20, 'application'),
  /** Calls that may overlap [K17]. */
  'tools.concurrency': setting<number>(10, 'application'),
  /** Whole outputs kept in memory per session, in bytes; older ones are read back from disk [B02]. */
  'output.memoryBytes': setting<number>(16 * 1024 * 1024, 'application'),
  /** Sessions of this window whose outputs are kept in memory [B02, K15]. */
  'output.sessions': setting<number>(50, 'application'),
  /** Whole outputs kept on disk for all sessions, in bytes; the longest unused sessions' go first. */
  'output.diskBytes': setting<number>(2 * 1024 * 1024 * 1024, 'application'),
  /** Lines that `output` shows when the model names no number [B03, K15]. */
  'output.lines': setting<number>(200, 'application'),
  /** An experiment: long logs of known commands lose the lines between their ends that name no failure [B07, K16]. */
  'output.compress': setting<boolean>(false, 'application'),
  /** Time a command may run when the model names none, in milliseconds [K02]. */
  'shell.timeoutMs': setting<number>(60_000, 'application'),
  /** What commands are run on: the editor's own pty where it can be loaded, or plain pipes. */
  'shell.backend': setting<'auto' | 'pty' | 'pipe'>('auto', 'machine'),
  /** Whether commands run inside a sandbox of the operating system: not, where there is one, or only there. */
  'shell.sandbox': setting<'off' | 'auto' | 'required'>('off', 'machine'),
  /** When the terminal that mirrors a command comes to the front. */
  'shell.reveal': setting<'never' | 'onRun' | 'onFailure'>('never', 'application'),
  /** Largest file that is read whole, in bytes; of larger ones the lines asked for are read [R07]. */
  'files.maxReadBytes': setting<number>(10 * 1024 * 1024, 'application'),
  /** Largest file an edit is made in, in bytes [R07]. */
  'files.maxEditBytes': setting<number>(50 * 1024 * 1024, 'application'),
  /** A repeated read of what has not changed is answered with a pointer to the earlier result [R01, R03, K16]. */
  'files.dedupReads': setting<boolean>(true, 'application'),
  /** What happens to an edit whose text is exactly there in a file that has changed elsewhere since it was read: made, with a warning, or refused [R06]. */
  'files.changedSince': setting<'warn' | 'block'>('warn', 'application'),
  /** Which edited files are saved at once: those without unsaved changes of the person's, all, or none. */
  'edits.save': setting<'clean' | 'always' | 'never'>('clean', 'application'),
  /** Each edited file is shown in the editor as it changes, without taking the focus. */
  'edits.follow': setting<boolean>(false, 'application'),
  /** New problems that the language services find after an edit are told to the model [O29]. */
  'edits.problems': setting<boolean>(true, 'application'),
  /** What the agent changed is marked in the editor until it is kept or undone. */
  'review.enabled': setting<boolean>(true, 'application'),
  /** Keep and Undo stand above each change. */
  'review.codeLens': setting<boolean>(true, 'application'),
  /** Files are kept as they were before each prompt's changes. */
  'checkpoints.enabled': setting<boolean>(true, 'application'),
  /** Commands that may change files are watched for it, so that their changes can be taken back too. */
  'checkpoints.commands': setting<boolean>(true, 'application'),
  /** What checkpoints of all sessions may take on disk, in bytes; the oldest sessions' go first. */
  'checkpoints.diskBytes': setting<number>(512 * 1024 * 1024, 'application'),
  /** Commands of the person's own that run at events, by the event's name. */
  hooks: setting<Readonly<Record<string, readonly HookMatcherSetting[]>>>({}, 'application'),
  /** MCP servers by name, each started when it is needed; never a workspace's, since they run programs. */
  'mcp.servers': setting<Readonly<Record<string, McpServerSetting>>>({}, 'application'),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type SettingValue<N extends SettingName> = (typeof SETTINGS)[N]['default'];

/** Read at the moment of use, so that a change needs no reload. */
export interface Settings {
  get<N extends SettingName>(name: N): SettingValue<N>;
  /** What the workspace’s files set though it is not a workspace’s to set; it has no effect. Never rejects. */
  ignored?(): Promise<readonly SettingName[]>;
}
