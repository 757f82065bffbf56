// The lasting permissions that an approval card offers, the narrowest first, in words and as the text of a rule.
import { posix } from 'node:path';
import { exactly, suggestPrefixes } from '../command/covers';
import type { Path } from '../host';
import { destroys } from './commandRules';
import { holdsSecret } from '../secrets/redact';
import { formatRule, type LocatedCommand, type LocatedTarget, type RuledTool } from './rules';

export interface Grant {
  readonly label: string;
  readonly rule: string;
  /** It may be kept in the person's settings too, where it holds in every workspace. */
  readonly mayLast: boolean;
  /** The folder the rule is bound to while it is kept in the session only. */
  readonly cwd?: Path;
}

const COMMAND_MAX_CHARS = 2_000;

/** Empty when the targets have no one rule in common. */
export function suggestGrants(tool: RuledTool, targets: readonly LocatedTarget[]): readonly Grant[] {
  const commands = targets.filter((target) => target.op === 'execute');
  // What a command touches goes with it.
  if (commands.length > 0) return commands.length > 1 ? [] : commands.flatMap((one) => suggestCommand(tool.name, one));
  const [first] = targets;
  if (!first || targets.some(({ op }) => op !== first.op)) return [];
  switch (first.op) {
    case 'execute':
    case 'delete':
      return [];
    case 'fetch':
      return targets.length > 1 || !URL.canParse(first.url) ? [] : suggestHost(tool.name, new URL(first.url).hostname);
    case 'use':
      // A server may come to offer something else under that name, so it is not kept beyond the session (S53).
      return targets.length > 1 ? [] : [{ label: tool.name, rule: tool.name, mayLast: false }];
    case 'read':
    case 'write':
      return suggestPaths(first.op === 'read' ? 'read' : 'edit', targets);
  }
}

/** Who grants must have seen all of it, and such an end would make the rule cover every command that begins like it. */
function suggestCommand(tool: string, { command, line, cwd, located }: LocatedCommand): readonly Grant[] {
  if (command.length > COMMAND_MAX_CHARS || line?.commands.some(destroys)) return [];
  const isRoot = located.root?.path === cwd;
  const place = isRoot ? '' : ` in ${located.shown}`;
  const exact = command.trim().endsWith(':*') ? [] : [{ label: 'this exact command', pattern: exactly(command) }];
  const prefixes = line ? suggestPrefixes(line) : [];
  const wider = prefixes.map((pattern) => ({ label: `commands that begin with ${pattern.slice(0, -2)}`, pattern }));
  return [...exact, ...wider].map(({ label, pattern }) => ({
    ...{ label: label + place, rule: formatRule(tool, pattern), cwd },
    mayLast: isRoot && !holdsSecret(pattern),
  }));
}

/** A star is allowed in a host's name, and would stand for others. */
function suggestHost(tool: string, host: string): readonly Grant[] {
  return host.includes('*') ? [] : [{ label: host, rule: formatRule(tool, `domain:${host}`), mayLast: true }];
}

/** Names that a glob would not take literally. */
const GLOB_SYNTAX = /[*?[\]{}()\\|]/;

/** For every workspace there is: that is what the mode Accept edits is for. */
function suggestPaths(kind: 'read' | 'edit', targets: readonly LocatedTarget[]): readonly Grant[] {
  const places = targets.flatMap((target) => ('located' in target ? [target.located] : []));
  if (places.every(({ root }) => root)) {
    const label = kind === 'edit' ? 'edits in this workspace' : 'this workspace';
    return [{ label, rule: formatRule(kind, '**'), mayLast: false }];
  }
  const [only] = places;
  if (!only || places.length > 1 || only.path !== only.real) return [];
  const folder = posix.dirname(only.path);
  if (folder === '/' || GLOB_SYNTAX.test(folder)) return [];
  return [{ label: `files in ${folder}`, rule: formatRule(kind, `/${folder}/*`), mayLast: kind === 'read' }];
}
