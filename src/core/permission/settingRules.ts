// The rules in the person's settings, and what is wrong with those that cannot be read.
import type { ToolKind } from '../../common/events';
import type { Settings } from '../../common/settings';
import { parseRule, type RuledTool } from './rules';
import type { Effect, Rule } from './types';

export interface RuleProblem {
  /** The setting it stands in, `lathe.` left out. */
  readonly setting: 'permission.allow' | 'permission.ask' | 'permission.deny';
  readonly text: string;
  /** What is wrong, and the right form. */
  readonly problem: string;
}

export interface ReadRules {
  readonly rules: readonly Rule[];
  readonly problems: readonly RuleProblem[];
}

const EFFECTS: readonly Effect[] = ['allow', 'ask', 'deny'];

export function readSettingRules(settings: Settings): ReadRules {
  const rules: Rule[] = [];
  const problems: RuleProblem[] = [];
  for (const effect of EFFECTS) {
    const setting = `permission.${effect}` as const;
    for (const text of settings.get(setting)) {
      const { rule, problem } = readRule(text, effect);
      if (rule) rules.push(rule);
      if (problem !== undefined) problems.push({ setting, text, problem });
    }
  }
  return { rules, problems };
}

const FORM =
  'Write a tool’s name, and what of it in parentheses: bash(npm test:*), edit(src/**), webfetch(domain:example.com).';

/** A rule that forbids or asks and cannot be read is not dropped: it holds for what it may mean. */
function readRule(text: string, effect: Effect): { readonly rule?: Rule; readonly problem?: string } {
  const rule = parseRule(text, effect, 'user');
  if (rule) return { rule, ...slipIn(rule) };
  const [, tool, rest = ''] = /^([A-Za-z][\w-]*)\s*(.*)$/s.exec(text.trim()) ?? [];
  if (effect === 'allow') return { problem: `It allows nothing: it cannot be read. ${FORM}` };
  if (tool === undefined) return { problem: `It holds for nothing: it cannot be read. ${FORM}` };
  const pattern = rest.replace(/^\(/, '').replace(/\)$/, '').trim();
  const guess: Rule = { effect, source: 'user', tool, ...(pattern === '' ? {} : { pattern }) };
  const meaning = pattern === '' ? tool : `${tool}(${pattern})`;
  return { rule: guess, problem: `It cannot be read, and is taken as ${meaning}. ${FORM}` };
}

const PATH_TOOLS = /^(read|edit|write|ls|glob|grep|delete|move|notebookedit)$/i;

function slipIn({ tool, pattern }: Rule): { readonly problem?: string } {
  if (pattern === undefined) return {};
  if (PATH_TOOLS.test(tool) && /^\/(?!\/)/.test(pattern)) {
    return { problem: `For a path from the root of the file system write two slashes: ${tool}(/${pattern}).` };
  }
  if (PATH_TOOLS.test(tool) && pattern.endsWith(':*')) {
    return { problem: `This is a pattern for commands; a path takes a glob, such as ${tool}(src/**).` };
  }
  if (/^web/i.test(tool) && !pattern.startsWith('domain:')) {
    return { problem: `An address is meant by its host: ${tool}(domain:example.com).` };
  }
  return {};
}

/** What the person should know of their rules, a sentence or two each. */
export function ruleNotices({ rules, problems }: ReadRules, tools: readonly RuledTool[]): readonly string[] {
  const unreadable = problems.map(
    ({ setting, text, problem }) => `The rule ${quote(text)} in lathe.${setting}: ${problem}`,
  );
  const unknown = unknownTools(rules, tools).map(
    (tool) => `A rule of yours names the tool ${quote(tool)}, which there is not.`,
  );
  return [...unreadable, ...unknown];
}

const QUOTED_MAX_CHARS = 200;

function quote(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX_CHARS ? `${text.slice(0, QUOTED_MAX_CHARS)}…` : text);
}

const KINDS: readonly ToolKind[] = ['read', 'edit', 'search', 'shell', 'web', 'agent', 'plan', 'ask', 'other'];
/** Tools that a session may have or not. */
const POSSIBLE = ['webfetch', 'websearch', 'powershell', 'agent'];

/** MCP tools may connect later. */
function unknownTools(rules: readonly Rule[], tools: readonly RuledTool[]): readonly string[] {
  const known = new Set([...tools.map(({ name }) => name.toLowerCase()), ...KINDS, ...POSSIBLE]);
  const named = rules.map(({ tool }) => tool).filter((tool) => !/^mcp__/i.test(tool));
  return [...new Set(named)].filter((tool) => !known.has(tool.toLowerCase()));
}
