// What the kinds of nodes in the tree of a command stand for.
import type { SyntaxNode } from './grammar';

/** Names of the grammar for what may run or hide something, in words. Whatever is missing here is named as the grammar does. */
export const DOUBTS: Readonly<Record<string, string>> = {
  command_substitution: 'It runs a command inside another.',
  process_substitution: 'It runs a command inside another (<(…)).',
  simple_expansion: 'It uses a variable.',
  expansion: 'It uses a variable.',
  arithmetic_expansion: 'It calculates, which can run commands.',
  variable_assignment: 'It sets a variable, which can change what programs do.',
  variable_assignments: 'It sets variables, which can change what programs do.',
  declaration_command: 'It sets a variable, which can change what programs do.',
  unset_command: 'It unsets a variable.',
  heredoc_redirect: 'It holds a here-document.',
  herestring_redirect: 'It holds a here-string.',
  function_definition: 'It defines a function.',
  subshell: 'It uses a subshell.',
  compound_statement: 'It groups commands.',
  test_command: 'It uses a test, which can run commands.',
  for_statement: 'It has a loop.',
  c_style_for_statement: 'It has a loop.',
  while_statement: 'It has a loop.',
  if_statement: 'It has conditions.',
  case_statement: 'It has conditions.',
  ansi_c_string: "It hides characters behind $'…'.",
  translated_string: 'It uses $"…".',
  brace_expression: 'It uses braces.',
  extglob_pattern: 'It uses an extended pattern.',
  ERROR: 'It cannot be parsed.',
};
export const PLAIN = new Set(['comment']);
export const OPERATORS = new Set(['&&', '||', '|', '|&', ';', '\n', '!', '']);

const WORD_NODES = /^(word|string|string_content|raw_string|number|concatenation|command_name|file_descriptor)$/;

export function isWordNode({ type }: SyntaxNode): boolean {
  return WORD_NODES.test(type);
}

/** The grammar takes an escaped blank before a word for a blank, where the shell begins the word with it: `\\ #` is no comment. */
export function skipsWords(node: SyntaxNode, text: string): boolean {
  if (isWordNode(node)) return false;
  const ends = [node.start, ...node.children.map(({ end }) => end)];
  const starts = [...node.children.map(({ start }) => start), node.end];
  return node.children.length > 0 && ends.some((end, at) => text.slice(end, starts[at]).includes('\\'));
}
