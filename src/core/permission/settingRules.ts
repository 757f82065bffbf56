// The rules in the person's settings, and what is wrong with those that cannot be read.
import type { ToolKind } from '../../common/events';
import type { Settings } from '../../common/settings';
import { formatRule, namesTool, parseRule, type RuledTool } from './rules';
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
  if (rule) return { rule };
  const [, tool, rest = ''] = /^([A-Za-z][\w-]*)\s*(.*)$/s.exec(text.trim()) ?? [];
  if (effect === 'allow') return { problem: `It allows nothing: it cannot be read. ${FORM}` };
  if (tool === undefined) return { problem: `It holds for nothing: it cannot be read. ${FORM}` };
  const pattern = rest.replace(/^\(/, '').replace(/\)$/, '').trim();
  const guess: Rule = { effect, source: 'user', tool, ...(pattern === '' ? {} : { pattern }) };
  const meaning = pattern === '' ? tool : `${tool}(${pattern})`;
  return { rule: guess, problem: `It cannot be read, and is taken as ${meaning}. ${FORM}` };
}

/** What the person should know of their rules, a sentence or two each. */
export function ruleNotices({ rules, problems }: ReadRules, tools: readonly RuledTool[]): readonly string[] {
  const known = [...tools, ...POSSIBLE];
  const unreadable = problems.map(({ setting, text, problem }) => noticeOf(setting, text, problem));
  const slips = rules.flatMap((rule) => {
    const problem = slipIn(rule, known);
    const { effect, tool, pattern } = rule;
    return problem === undefined ? [] : [noticeOf(`permission.${effect}`, formatRule(tool, pattern), problem)];
  });
  const unknown = unknownTools(rules, known).map(
    (tool) => `A rule of yours names the tool ${quote(tool)}, which there is not.`,
  );
  return [...unreadable, ...slips, ...unknown];
}

function noticeOf(setting: RuleProblem['setting'], text: string, problem: string): string {
  return `The rule ${quote(text)} in lathe.${setting}: ${problem}`;
}

const KINDS: readonly ToolKind[] = ['read', 'edit', 'search', 'shell', 'web', 'agent', 'plan', 'ask', 'other'];
const PATH_KINDS: readonly ToolKind[] = ['read', 'edit', 'search'];
/** Tools that a session may have or not. */
const POSSIBLE: readonly RuledTool[] = [
  { name: 'webfetch', kind: 'web' },
  { name: 'websearch', kind: 'web' },
];

/** What is written as it is in other places and means nothing, or something else, here. */
function slipIn(rule: Rule, tools: readonly RuledTool[]): string | undefined {
  const { tool, pattern } = rule;
  if (pattern === undefined) return undefined;
  const kinds = kindsOf(rule, tools);
  const isPath = kinds.some((kind) => PATH_KINDS.includes(kind));
  if (isPath && /^\/(?!\/)/.test(pattern)) {
    return `For a path from the root of the file system write two slashes: ${tool}(/${pattern}).`;
  }
  if (isPath && pattern.endsWith(':*')) {
    return `This is a pattern for commands; a path takes a glob, such as ${tool}(src/**).`;
  }
  if (kinds.includes('shell') && rule.effect === 'allow' && /^[^\s:\\]*\*/.test(pattern)) {
    return `It allows nothing: a rule that allows names its program, such as ${tool}(npm run *).`;
  }
  if (kinds.includes('web') && !pattern.startsWith('domain:')) {
    return `An address is meant by its host: ${tool}(domain:example.com).`;
  }
  return undefined;
}

/** Of the tools that the rule names; by the name of a kind it names those that may come, too. */
function kindsOf(rule: Rule, tools: readonly RuledTool[]): readonly ToolKind[] {
  const named = KINDS.filter((kind) => kind === rule.tool.toLowerCase());
  return [...named, ...tools.filter((tool) => namesTool(rule, tool)).map(({ kind }) => kind)];
}

/** MCP tools may connect later. */
function unknownTools(rules: readonly Rule[], tools: readonly RuledTool[]): readonly string[] {
  const unknown = rules.filter((rule) => !/^mcp__/i.test(rule.tool) && kindsOf(rule, tools).length === 0);
  return [...new Set(unknown.map(({ tool }) => tool))];
}

const QUOTED_MAX_CHARS = 200;

function quote(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX_CHARS ? `${text.slice(0, QUOTED_MAX_CHARS)}…` : text);
}
