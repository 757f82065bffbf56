// The profile that puts one command into a sandbox of macOS (`sandbox-exec`), as a pure function of what may be reached there.
import type { Reach } from './bubblewrap';

/**
 * The last rule that fits decides. What is protected is so by name as well, wherever it comes to lie and whether it
 * exists or not.
 */
export function seatbeltProfile({ roots, readOnly, hiddenFiles, hiddenFolders }: Reach, temporary: string): string {
  const below = (paths: readonly string[]) => paths.map((path) => `(subpath ${quote(path)})`);
  const rule = (verb: string, places: readonly string[]) =>
    places.length === 0 ? [] : [`(${verb}\n  ${places.join('\n  ')})`];
  return [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.pasteboard.1"))',
    '(deny appleevent-send)',
    '(deny file-write*)',
    ...rule('allow file-write*', [...below([...roots, temporary]), ...DEVICES]),
    ...rule('deny file-write*', [...BY_NAME.map((test) => `(regex #"${test}")`), ...below(readOnly)]),
    ...rule('deny file-read* file-write*', below([...hiddenFolders, ...hiddenFiles])),
    '',
  ].join('\n');
}

const DEVICES = ['(literal "/dev/null")', '(literal "/dev/zero")', '(regex #"^/dev/(tty.*|fd/.*|dtracehelper)$")'];

/** What runs by itself or governs the agent, in any folder; of a repository only what can run. */
const BY_NAME = [
  '/\\.(vscode|husky|devcontainer|idea|githooks|lathe|claude|cursor|gemini|codex|roo|windsurf|continue)(/|$)',
  '/\\.git/(hooks|modules|worktrees)(/|$)',
  '/\\.git/(config|config\\.worktree|commondir)$',
  '/(AGENTS|CLAUDE|GEMINI|agents|claude|gemini)(\\.local)?\\.md$',
  '/(\\.mcp\\.json|mcp\\.json|\\.latheignore|\\.npmrc|\\.yarnrc|\\.yarnrc\\.yml|\\.envrc|\\.gitconfig|\\.gitmodules)$',
  '\\.code-workspace$',
];

/** As a string of the profile's language. */
function quote(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}
