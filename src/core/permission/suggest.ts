// The lasting permission an approval card offers: the smallest rule that would have let this call pass, in words and as text.
import { posix } from 'node:path';
import type { ToolKind } from '../../common/events';
import type { Path } from '../host';
import { formatRule, type LocatedTarget } from './rules';

export interface Grant {
  readonly label: string;
  readonly rule: string;
  /** The folder the rule is bound to. */
  readonly cwd?: Path;
}

const COMMAND_MAX_CHARS = 2_000;

/** Undefined when the targets have no one rule in common. */
export function suggestGrant(
  tool: { readonly name: string; readonly kind: ToolKind },
  targets: readonly LocatedTarget[],
): Grant | undefined {
  const [first] = targets;
  if (!first || targets.some(({ op }) => op !== first.op)) return undefined;
  switch (first.op) {
    case 'execute':
      // Such an end would make the rule cover every command that begins like it, and who grants must have seen it all.
      if (targets.length > 1 || first.command.trim().endsWith(':*') || first.command.length > COMMAND_MAX_CHARS)
        return undefined;
      return suggestCommand(tool.name, first);
    case 'fetch':
      if (targets.length > 1 || !URL.canParse(first.url)) return undefined;
      return suggestHost(tool.name, new URL(first.url).hostname);
    case 'use':
      return targets.length > 1 ? undefined : { label: tool.name, rule: tool.name };
    case 'delete':
      return undefined;
    case 'read':
    case 'write':
      return suggestPaths(tool.kind, targets);
  }
}

function suggestCommand(tool: string, { command, cwd, located }: LocatedTarget & { readonly op: 'execute' }): Grant {
  const place = located.root?.path === cwd ? '' : ` in ${located.shown}`;
  return { label: `this exact command${place}`, rule: formatRule(tool, command), cwd };
}

/** A star is allowed in a host's name, and would stand for others. */
function suggestHost(tool: string, host: string): Grant | undefined {
  return host.includes('*') ? undefined : { label: host, rule: formatRule(tool, `domain:${host}`) };
}

/** Names that a glob would not take literally. */
const GLOB_SYNTAX = /[*?[\]{}()\\|]/;

function suggestPaths(kind: ToolKind, targets: readonly LocatedTarget[]): Grant | undefined {
  const places = targets.flatMap((target) => ('located' in target ? [target.located] : []));
  if (places.every(({ root }) => root)) {
    return { label: kind === 'edit' ? 'edits in this workspace' : 'this workspace', rule: formatRule(kind, '**') };
  }
  const [only] = places;
  if (!only || places.length > 1 || only.path !== only.real) return undefined;
  const folder = posix.dirname(only.path);
  if (folder === '/' || GLOB_SYNTAX.test(folder)) return undefined;
  return { label: `files in ${folder}`, rule: formatRule(kind, `/${folder}/*`) };
}
