// What is wrong with a configuration as text: its syntax, then its shape. Loaded with the first configuration that is edited.
import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { isJsonObject, type Json, type JsonObject } from '../../common/json';
import { compileSchema, type SchemaCheck, type SchemaFault } from '../tool/schema';
import { arrived, expected, fieldName, oneOf } from '../tool/wording';
import type { PlannedText } from './guard';
import type { ConfigKind, ConfigName } from './kinds';
import { normalized, SCHEMAS } from './schemas';

export interface ConfigFault {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

interface Parsed {
  readonly root: Node | undefined;
  /** Of the syntax, keys that stand twice included. */
  readonly faults: readonly ConfigFault[];
}

/** Those that the text has after the change and had not before. */
export function faultsBrought(kind: ConfigKind, planned: PlannedText): readonly ConfigFault[] {
  try {
    return compare(kind, planned);
  } catch (error) {
    // Nested deeper than the stack: no configuration, and nothing that could be told about it.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function compare(kind: ConfigKind, { before, after }: PlannedText): readonly ConfigFault[] {
  const now = parse(after, kind);
  const then = before === undefined ? undefined : parse(before, kind);
  if (now.faults.length > 0) {
    const known = then?.faults.length ?? 0;
    return now.faults.length > known ? unknownIn(now.faults, then?.faults ?? []) : [];
  }
  // Of a text that could not be read whole nobody knows what else was wrong with it.
  if (then && then.faults.length > 0) return [];
  return unknownIn(
    shapeFaults(kind.name, now, after),
    then && before !== undefined ? shapeFaults(kind.name, then, before) : [],
  );
}

/** By what they say: lines move. */
function unknownIn(faults: readonly ConfigFault[], known: readonly ConfigFault[]): readonly ConfigFault[] {
  const left = known.map(({ text }) => text);
  return faults.filter(({ text }) => {
    const at = left.indexOf(text);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

function parse(text: string, { isLenient }: ConfigKind): Parsed {
  const body = text.replace(/^\ufeff/, ' ');
  if (isLenient && body.trim() === '') return { root: undefined, faults: [] };
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { disallowComments: !isLenient, allowTrailingComma: isLenient });
  const syntax = errors.map(({ error, offset }) => ({
    line: lineOf(body, offset),
    text: syntaxWords(printParseErrorCode(error)),
  }));
  return { root, faults: [...syntax, ...(syntax.length === 0 && root ? twice(root, body) : [])] };
}

/** The later one wins and the earlier one is lost: what looks like an addition throws something away. */
function twice(node: Node, text: string): ConfigFault[] {
  const children = node.children ?? [];
  const seen = new Set<string>();
  const own = node.type === 'object' ? children : [];
  const faults = own.flatMap((property) => {
    const [key] = property.children ?? [];
    const name = String(key?.value);
    const isTwice = seen.has(name);
    seen.add(name);
    return isTwice && key
      ? [{ line: lineOf(text, key.offset), text: `${JSON.stringify(name)} stands twice in one object` }]
      : [];
  });
  return [...faults, ...children.flatMap((child) => twice(child, text))];
}

const SYNTAX_WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is no JSON value',
  InvalidNumberFormat: 'this is no number',
  PropertyNameExpected: 'the name of a field in double quotes is expected here (a comma too many?)',
  ValueExpected: 'a value is expected here (a comma too many?)',
  ColonExpected: 'a colon is expected here',
  CommaExpected: 'a comma is missing before this',
  CloseBraceExpected: 'a } is missing',
  CloseBracketExpected: 'a ] is missing',
  EndOfFileExpected: 'there is something after the end of the JSON value',
  InvalidCommentToken: 'comments are not allowed in this file',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a string is not closed',
  UnexpectedEndOfNumber: 'a number is not complete',
  InvalidUnicode: 'a \\u escape is not complete',
  InvalidEscapeCharacter: 'this escape is none that JSON knows',
  InvalidCharacter: 'a control character stands in a string',
};

function syntaxWords(code: string): string {
  return SYNTAX_WORDS[code] ?? code;
}

const checks = new Map<ConfigName, SchemaCheck>();

function checkFor(name: ConfigName): SchemaCheck {
  const known = checks.get(name);
  if (known) return known;
  const check = compileSchema(SCHEMAS[name], (reason) => {
    throw new Error(`The schema of ${name} is broken: ${reason}`);
  });
  checks.set(name, check);
  return check;
}

function shapeFaults(name: ConfigName, { root }: Parsed, text: string): readonly ConfigFault[] {
  if (!root) return [];
  const value = getNodeValue(root) as Json;
  if (!isJsonObject(value))
    return [{ line: 1, text: `the whole must be an object, but ${arrived(value)} stands there` }];
  return checkFor(name)(normalized(name, value)).map((fault) => ({
    line: lineOf(text, nodeAt(root, fault.path)?.offset ?? 0),
    text: shapeWords(fault),
  }));
}

/** The node itself, or the nearest one around it. */
function nodeAt(root: Node, path: readonly string[]): Node | undefined {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, segments(root, path.slice(0, length)));
    if (node) return node;
  }
  return root;
}

/** An index is a number only where a list stands. */
function segments(root: Node, path: readonly string[]): (string | number)[] {
  let node: Node | undefined = root;
  return path.map((part) => {
    const segment: string | number = node?.type === 'array' ? Number(part) : part;
    node = node && findNodeAtLocation(node, [segment]);
    return segment;
  });
}

function shapeWords({ path, keyword, params, schema, value, message }: SchemaFault): string {
  const field = path.length === 0 ? 'the whole' : fieldName(path);
  if (keyword === 'required') return `${fieldName([...path, String(params.missingProperty)])} is missing`;
  const { description } = schema as JsonObject & { readonly description?: string };
  if (description !== undefined) return `${field} must be ${description}, not ${arrived(value)}`;
  if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
    return `${field} must be ${oneOf(params.allowedValues as Json[])}, not ${arrived(value)}`;
  }
  if (keyword === 'type' || keyword === 'anyOf' || keyword === 'oneOf')
    return `${field} must be ${expected(schema, schema)}, not ${arrived(value)}`;
  return `${field} ${message}, but ${arrived(value)} stands there`;
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
