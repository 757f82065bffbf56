// Permission rules: their text form and what they match.
import picomatch from 'picomatch';
import { posix } from 'node:path';
import type { ToolKind } from '../../common/events';
import type { ResolvedPath } from '../files/paths';
import type { Platform } from '../host';
import { coversHost, hostOf } from '../net/domain';
import type { Effect, Rule, Target } from './types';

type Placed = Extract<Target, { readonly path: string } | { readonly cwd: string }>;

/** A target with its path resolved, or the folder its command runs in. */
export type LocatedTarget =
  | (Placed & {
      readonly located: ResolvedPath;
      /** The same file has other names, so that writing changes those too (S32). */
      readonly isShared?: true;
    })
  | Exclude<Target, Placed>;

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

/** A rule names a tool, a kind of tools (`edit` covers every tool that edits), or an MCP server by its prefix. */
export function namesTool(rule: Rule, tool: { readonly name: string; readonly kind: ToolKind }): boolean {
  if (rule.tool === tool.name || rule.tool === tool.kind) return true;
  return rule.tool.startsWith('mcp__') && tool.name.startsWith(`${rule.tool}__`);
}

/** Whether a rule's pattern covers a target; a rule without one covers all, and also the call that has no target. */
export function coversTarget(rule: Rule, target: LocatedTarget | undefined, platform: Platform): boolean {
  const { pattern } = rule;
  if (pattern === undefined) return true;
  if (!target) return false;
  switch (target.op) {
    case 'read':
    case 'write':
    case 'delete':
      return coversPath({ ...rule, pattern }, target.located, platform);
    case 'execute':
      return coversFolder(rule, target.located) && coversCommand(pattern, target.command);
    case 'fetch':
      return coversAddress(pattern, target.url);
    case 'use':
      return pattern === target.name;
  }
}

/**
 * `//abs/glob` from the file system's root, `~/glob` from home, else a glob inside any workspace folder. What is allowed must
 * match by name and by where links lead; to be denied or asked for, one of them is enough (S31).
 */
function coversPath(
  { pattern, effect }: Rule & { readonly pattern: string },
  { path, real, root, places }: ResolvedPath,
  platform: Platform,
): boolean {
  const glob = (of: string) => picomatch(of, { dot: true, nocase: platform.foldsCase });
  const isAllow = effect === 'allow';
  if (pattern.startsWith('//') || pattern.startsWith('~/')) {
    const matches = glob(pattern.startsWith('~/') ? posix.join(platform.homeDir, pattern.slice(2)) : pattern.slice(1));
    return isAllow ? matches(path) && matches(real) : matches(path) || matches(real);
  }
  const matches = glob(pattern);
  return isAllow
    ? root !== undefined && places.every((place) => matches(place))
    : places.some((place) => matches(place));
}

/** What a rule of the person's allows is allowed in the workspace. */
function coversFolder({ effect, cwd }: Rule, { path, root }: ResolvedPath): boolean {
  if (cwd !== undefined) return cwd === path;
  return effect !== 'allow' || root !== undefined;
}

/** What could join, redirect, expand or quote: a prefix says nothing about such a line, so only its exact text is covered. */
const SHELL_SYNTAX = /[^\w./:=@%+,\- ]/;

/** `words:*` covers a plain command that begins with those words; anything else must be the exact text. */
function coversCommand(pattern: string, command: string): boolean {
  if (!pattern.endsWith(':*')) return command.trim() === pattern.trim();
  if (SHELL_SYNTAX.test(command)) return false;
  const prefix = pattern.slice(0, -2).trim().split(/ +/);
  const words = command.trim().split(/ +/);
  return prefix.every((word, i) => words[i] === word);
}

function coversAddress(pattern: string, url: string): boolean {
  const host = hostOf(url);
  return host !== undefined && coversHost(pattern, host);
}
