// Which files configure the editor, the project or Lathe, so that a slip in them breaks more than the file. By name only: every other file costs nothing.
import type { Path, Platform } from '../host';

export type ConfigName =
  'package' | 'tsconfig' | 'settings' | 'launch' | 'tasks' | 'extensions' | 'mcp' | 'workspace' | 'servers' | 'lathe';

export interface ConfigKind {
  readonly name: ConfigName;
  /** Comments and trailing commas are allowed. */
  readonly isLenient: boolean;
}

/** Tested against the end of the path, `/` between names. Names count in any case, since some systems fold it. */
const KINDS: readonly (readonly [RegExp, ConfigName, 'strict' | 'lenient'])[] = [
  [/(^|\/)package\.json$/i, 'package', 'strict'],
  [/(^|\/)(tsconfig|jsconfig)(\.[^/]+)?\.json$/i, 'tsconfig', 'lenient'],
  [/(^|\/)\.vscode\/settings\.json$/i, 'settings', 'lenient'],
  [/(^|\/)\.vscode\/launch\.json$/i, 'launch', 'lenient'],
  [/(^|\/)\.vscode\/tasks\.json$/i, 'tasks', 'lenient'],
  [/(^|\/)\.vscode\/extensions\.json$/i, 'extensions', 'lenient'],
  [/(^|\/)\.vscode\/mcp\.json$/i, 'mcp', 'lenient'],
  [/\.code-workspace$/i, 'workspace', 'lenient'],
  [/(^|\/)\.mcp\.json$/i, 'servers', 'strict'],
  [/(^|\/)\.lathe\/(.*\/)?[^/]+\.json$/i, 'lathe', 'lenient'],
];

export function configKindOf(path: Path, { os }: Pick<Platform, 'os'>): ConfigKind | undefined {
  const separated = os === 'win32' ? path.replaceAll('\\', '/') : path;
  // What an installed package says of itself configures nothing here.
  if (/(^|\/)node_modules\//.test(separated)) return undefined;
  const kind = KINDS.find(([pattern]) => pattern.test(separated));
  return kind && { name: kind[1], isLenient: kind[2] === 'lenient' };
}
