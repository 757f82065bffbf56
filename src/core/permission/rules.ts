// Permission rules: their text form and what they match.
import picomatch from 'picomatch';
import { posix } from 'node:path';
import type { ToolKind } from '../../common/events';
import type { ResolvedPath } from '../files/paths';
import type { Platform } from '../host';
import { coversHost, hostOf } from '../net/domain';
import type { Effect, Rule, Target } from './types';

type OfPath = Extract<Target, { readonly path: string }>;
type OfCommand = Extract<Target, { readonly op: 'execute' }>;

/** A path with what it leads to. */
export type LocatedPath = OfPath & {
  readonly located: ResolvedPath;
  /** The same file has other names, so that writing changes those too (S32). */
  readonly isShared?: true;
};

/** A command with the folder it runs in. */
export type LocatedCommand = OfCommand & {
  readonly located: ResolvedPath;
  /** Scripts that it runs and that are not, or may not be, what was allowed (S21), as people know them. */
  readonly changedScripts?: readonly string[];
};

export type LocatedTarget = LocatedPath | LocatedCommand | Exclude<Target, OfPath | OfCommand>;

export interface RuledTool {
  readonly name: string;
  readonly kind: ToolKind;
}

/** `tool` or `tool(pattern)`; undefined when the text is neither. */
export function parseRule(text: string, effect: Effect, source: Rule['source']): Rule | undefined {
  const parts = /^([A-Za-z][\w-]*)(?:\((.+)\))?$/s.exec(text.trim());
  if (!parts) return undefined;
  const [, tool = '', pattern] = parts;
  return { effect, source, tool, ...(pattern === undefined ? {} : { pattern }) };
}

export function formatRule(tool: string, pattern?: string): string {
  return pattern === undefined ? tool : `${tool}(${pattern})`;
}

/** A rule names a tool, a kind of tools (`edit` covers every tool that edits), or an MCP server by its prefix; in any case. */
export function namesTool(rule: Pick<Rule, 'tool'>, { name, kind }: RuledTool): boolean {
  const named = rule.tool.toLowerCase();
  const full = name.toLowerCase();
  if (named === full || named === kind) return true;
  return named.startsWith('mcp__') && full.startsWith(`${named}__`);
}

/** Rules for reading and editing hold for whatever reads or changes a file, a command too. */
export function concernsPath(rule: Rule, tool: RuledTool, op: LocatedPath['op']): boolean {
  const named = rule.tool.toLowerCase();
  if (named === (op === 'read' ? 'read' : 'edit')) return true;
  // The pattern of a rule for commands is no path.
  return namesTool(rule, tool) && (tool.kind !== 'shell' || rule.pattern === undefined);
}

/** A rule without a pattern covers all. `words:*` and other patterns of commands are matched part by part elsewhere. */
export function coversTarget(rule: Rule, target: Exclude<LocatedTarget, LocatedCommand>, platform: Platform): boolean {
  const { pattern, effect } = rule;
  if (pattern === undefined) return true;
  switch (target.op) {
    case 'read':
    case 'write':
    case 'delete':
      return coversPath({ ...rule, pattern }, target.located, platform);
    case 'fetch':
      return coversAddress(pattern, target.url, effect);
    case 'use':
      return pattern === target.name;
  }
}

/**
 * `//abs/glob` from the file system's root, `~/glob` from home, else a glob inside any workspace folder. What is allowed must
 * match by name and by where links lead; to be denied or asked for, one of them is enough (S31), and so is a folder above.
 */
function coversPath(
  { pattern, effect }: Rule & { readonly pattern: string },
  { path, real, root, places }: ResolvedPath,
  platform: Platform,
): boolean {
  const isWindows = platform.os === 'win32';
  const matcher = (of: string) =>
    picomatch(isWindows ? of.replaceAll('\\', '/') : of, { dot: true, nocase: platform.foldsCase });
  const slashed = (form: string) => (isWindows ? form.replaceAll('\\', '/') : form);
  const absolute = absoluteGlob(pattern, effect, platform);
  const matches = matcher(absolute ?? pattern.replace(/^\.\//, ''));
  const forms = (absolute === undefined ? places : [path, real]).map(slashed);
  if (effect === 'allow') return (absolute !== undefined || root !== undefined) && forms.every((form) => matches(form));
  return forms.some((form) => withParents(form).some((place) => matches(place)));
}

function absoluteGlob(pattern: string, effect: Effect, { homeDir }: Platform): string | undefined {
  if (pattern.startsWith('~/')) return posix.join(homeDir, pattern.slice(2));
  if (pattern.startsWith('//')) return pattern.slice(1);
  // A single slash is a slip that is told; until it is mended it forbids what it most likely means.
  return effect !== 'allow' && /^(\/|[A-Za-z]:[\\/])/.test(pattern) ? pattern : undefined;
}

/** A path and the folders it lies in, the path first. */
function withParents(path: string): string[] {
  const forms = [path];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) forms.push(path.slice(0, at));
  return forms;
}

function coversAddress(pattern: string, url: string, effect: Effect): boolean {
  const host = hostOf(url);
  // To forbid or to ask, the bare name is clear enough.
  const named = effect === 'allow' || pattern.startsWith('domain:') ? pattern : `domain:${pattern}`;
  return host !== undefined && coversHost(named, host);
}
