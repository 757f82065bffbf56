// The Problems port on the editor: what its language services say of files, waited for by their own events [O29].
import { extname } from 'node:path';
import * as vscode from 'vscode';
import { onAbort } from '../../core/onAbort';
import type { Problem, Problems } from '../../core/problems';
import type { Path } from '../../core/host';
import { editorUri } from '../files/documents';
import { toPath } from '../uris';

export interface EditorProblems extends Problems, vscode.Disposable {}

/** Syntax, meaning and lint are told one after another. */
const QUIET_MS = 200;
/** A service that has answered before does so within this time, or has nothing new to say. */
const ANSWER_LIMIT_MS = 1_500;
/** The first file of a kind may have to start its service. */
const START_LIMIT_MS = 5_000;

/** Held state of a window: which kinds of files anybody ever said something about. */
export function editorProblems(): EditorProblems {
  /** By extension of the file, which is known without opening it. */
  const answered = new Set<string>();
  const silent = new Set<string>();
  const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    for (const uri of uris) answered.add(extname(uri.path));
  });
  const limitFor = (paths: readonly Path[]): number => {
    const kinds = paths.map((path) => extname(path));
    if (kinds.some((kind) => answered.has(kind))) return ANSWER_LIMIT_MS;
    return kinds.some((kind) => !silent.has(kind) && hasService(kind)) ? START_LIMIT_MS : 0;
  };
  return {
    dispose: () => void listening.dispose(),
    async watch(paths) {
      const uris = await Promise.all(paths.map((path) => editorUri(path)));
      const named = new Map(uris.map((uri, at) => [uri.toString(), paths[at] ?? toPath(uri)]));
      const watch = listen(named);
      return {
        before: allProblems(named),
        dispose: () => watch.dispose(),
        async settled(signal) {
          const limitMs = limitFor(paths);
          if (limitMs > 0) {
            await Promise.all(uris.map(openQuietly));
            await watch.settled(limitMs, signal);
          }
          watch.dispose();
          for (const path of paths) if (!answered.has(extname(path))) silent.add(extname(path));
          return { problems: allProblems(named), looked: watch.looked };
        },
      };
    },
  };
}

/** An extension that wakes up for such files may have something to say of them. */
function hasService(kind: string): boolean {
  return vscode.extensions.all.some(({ packageJSON }) => {
    const { main, activationEvents = [], contributes = {} } = packageJSON as Manifest;
    if (main === undefined || kind === '') return false;
    const languages = languagesOf(kind);
    const wakes = languages.some((id) => activationEvents.includes(`onLanguage:${id}`));
    return wakes || (contributes.languages ?? []).some(({ extensions }) => extensions?.includes(kind));
  });
}

interface Manifest {
  readonly main?: string;
  readonly activationEvents?: readonly string[];
  readonly contributes?: {
    readonly languages?: readonly { readonly id: string; readonly extensions?: readonly string[] }[];
  };
}

function languagesOf(kind: string): readonly string[] {
  return vscode.extensions.all.flatMap(({ packageJSON }) =>
    ((packageJSON as Manifest).contributes?.languages ?? []).flatMap(({ id, extensions }) =>
      extensions?.includes(kind) ? [id] : [],
    ),
  );
}

/** Language services look at open documents; nothing is shown. A file that is gone is none. */
async function openQuietly(uri: vscode.Uri): Promise<void> {
  await vscode.workspace.openTextDocument(uri).then(
    () => {},
    () => {},
  );
}

/** The paths that were asked for, by URI. */
type Named = ReadonlyMap<string, Path>;

function listen(named: Named) {
  const looked = new Set<Path>();
  let onEvent: () => void = () => {};
  const listening = vscode.Disposable.from(
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) {
        const path = named.get(uri.toString());
        if (path !== undefined) looked.add(path);
      }
      onEvent();
    }),
    // What was told before it is about another text.
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const path = named.get(document.uri.toString());
      if (path !== undefined && contentChanges.length > 0) looked.delete(path);
    }),
  );
  return {
    looked,
    dispose: () => void listening.dispose(),
    /** Until one of the files was told of and it has been quiet for a while since. */
    settled: (limitMs: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        let quiet: NodeJS.Timeout | undefined;
        let unhook = () => {};
        const end = () => {
          clearTimeout(quiet);
          clearTimeout(limit);
          unhook();
          onEvent = () => {};
          resolve();
        };
        const limit = setTimeout(end, limitMs);
        onEvent = () => {
          clearTimeout(quiet);
          if (looked.size > 0) quiet = setTimeout(end, QUIET_MS);
        };
        unhook = onAbort(signal, end);
        onEvent();
      }),
  };
}

/** Of the workspace’s files, and not of other texts that the editor shows, such as the older side of a diff. */
function allProblems(named: Named): readonly Problem[] {
  return vscode.languages.getDiagnostics().flatMap(([uri, diagnostics]) => {
    const path = named.get(uri.toString()) ?? (vscode.workspace.getWorkspaceFolder(uri) && toPath(uri));
    if (path === undefined) return [];
    return diagnostics.flatMap((diagnostic) => problemOf(path, diagnostic));
  });
}

function problemOf(path: Path, { severity, message, code, source, range }: vscode.Diagnostic): readonly Problem[] {
  if (severity > vscode.DiagnosticSeverity.Warning) return [];
  const named = typeof code === 'object' ? code.value : code;
  return [
    {
      path,
      line: range.start.line,
      severity: severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning',
      message,
      ...(named === undefined ? {} : { code: String(named) }),
      ...(source === undefined ? {} : { source }),
    },
  ];
}
