// Words for a model whose input does not fit: the field, what came, what is expected, and the corrected input where it is certain.
import { distance } from 'fastest-levenshtein';
import { isJsonObject, type Json, type JsonObject } from '../../common/json';
import { typesOf } from './declared';
import type { SchemaCheck, SchemaFault } from './schema';

const FAULTS_MAX = 6;
const VALUE_MAX_CHARS = 60;
const CORRECTED_MAX_CHARS = 800;
const EXPECTED_MAX_CHARS = 200;

export interface Rejected {
  /** The tool's whole schema. */
  readonly schema: JsonObject;
  readonly input: JsonObject;
  /** At least one. */
  readonly faults: readonly SchemaFault[];
  readonly check: SchemaCheck;
}

export function explainFaults(name: string, rejected: Rejected): string {
  const faults = withoutRenamed(rejected.faults);
  const lines = faults.slice(0, FAULTS_MAX).map((fault) => `- ${explainFault(fault, rejected.schema)}`);
  if (faults.length > FAULTS_MAX) lines.push(`- and ${faults.length - FAULTS_MAX} more faults`);
  const corrected = correct(rejected);
  if (corrected) lines.push(`This would be accepted, if it is what you mean: ${corrected}`);
  return [`The input does not fit the schema of ${name}, so nothing was run:`, ...lines].join('\n');
}

function explainFault(fault: SchemaFault, root: JsonObject): string {
  const { path, params, schema, value } = fault;
  const field = path.length === 0 ? 'The input' : fieldName(path);
  switch (fault.keyword) {
    case 'required': {
      const missing = String(params.missingProperty);
      return `${fieldName([...path, missing])} is missing: it must be ${expected(propertiesOf(schema)[missing], root)}.`;
    }
    case 'additionalProperties': {
      const unknown = String(params.additionalProperty);
      const meant = nearestField(unknown, schema, value);
      const advice =
        meant === undefined
          ? `There are: ${Object.keys(propertiesOf(schema)).join(', ')}.`
          : `Use ${JSON.stringify(meant)}.`;
      return `${fieldName([...path, unknown])} is no field of it. ${advice}`;
    }
    case 'type':
    case 'anyOf':
    case 'oneOf':
      return `${field} must be ${expected(schema, root)}, but ${arrived(value)} came.`;
    case 'enum': {
      const allowed = (Array.isArray(params.allowedValues) ? params.allowedValues : []).map((item) =>
        JSON.stringify(item),
      );
      return `${field} must be one of ${allowed.join(', ')}, but ${arrived(value)} came.`;
    }
    default:
      return `${field} ${fault.message}, but ${arrived(value)} came.`;
  }
}

/** A field under a wrong name is one fault, not two. */
function withoutRenamed(faults: readonly SchemaFault[]): readonly SchemaFault[] {
  const renamed = new Set(
    faults
      .filter(({ keyword }) => keyword === 'additionalProperties')
      .map(({ path, params, schema, value }) =>
        fieldName([...path, nearestField(String(params.additionalProperty), schema, value) ?? '']),
      ),
  );
  return faults.filter(
    ({ keyword, path, params }) =>
      keyword !== 'required' || !renamed.has(fieldName([...path, String(params.missingProperty)])),
  );
}

/** A known field that is not set and is written almost like it. */
function nearestField(unknown: string, schema: JsonObject, value: Json): string | undefined {
  const free = Object.keys(propertiesOf(schema)).filter((name) => !(isJsonObject(value) && Object.hasOwn(value, name)));
  const folded = fold(unknown);
  const near = free
    .map((name) => ({ name, steps: distance(folded, fold(name)) }))
    .filter(({ name, steps }) => steps <= folded.length / 3 || isPartOf(folded, fold(name)))
    .sort((a, b) => Number(isRequired(b.name, schema)) - Number(isRequired(a.name, schema)) || a.steps - b.steps);
  return near[0]?.name;
}

function isRequired(name: string, { required }: JsonObject): boolean {
  return Array.isArray(required) && (required as readonly Json[]).includes(name);
}

/** `path` for `file_path`, `old` for `old_string`, `cmd` for `command`. */
function isPartOf(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a) || isShortFor(a, b));
}

/** The same first letter, and the others in order. */
function isShortFor(short: string, long: string): boolean {
  if (short.length > 4 || short[0] !== long[0]) return false;
  let at = 0;
  return [...short].every((letter) => (at = long.indexOf(letter, at) + 1) > 0);
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The input with every fault put right, as JSON; undefined unless each correction is certain and the schema agrees. */
function correct({ schema, input, faults, check }: Rejected): string | undefined {
  let corrected: Json | undefined = input;
  for (const fault of withoutRenamed(faults)) {
    const change = correction(fault, schema);
    if (!change) return undefined;
    corrected = changeAt(corrected, fault.path, change);
  }
  if (!isJsonObject(corrected) || check(corrected).length > 0) return undefined;
  const text = JSON.stringify(corrected);
  return text.length <= CORRECTED_MAX_CHARS ? text : undefined;
}

type Change = (value: Json) => Json | undefined;

function correction({ keyword, params, schema, value }: SchemaFault, root: JsonObject): Change | undefined {
  if (keyword === 'additionalProperties') {
    const unknown = String(params.additionalProperty);
    const meant = nearestField(unknown, schema, value);
    return meant === undefined ? undefined : (object) => rename(object, unknown, meant);
  }
  if (keyword !== 'type') return undefined;
  if (value === null) return () => undefined;
  const types = typesOf({ schema, root });
  const [type] = types ?? [];
  if (type === undefined || types?.size !== 1) return undefined;
  const converted = CONVERSIONS[type]?.(value);
  return converted === undefined ? undefined : () => converted;
}

/** What a value of another type can only have meant. */
const CONVERSIONS: Readonly<Record<string, (value: Json) => Json | undefined>> = {
  string: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined),
  number: numberIn,
  integer: numberIn,
  boolean: (value) => {
    const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
    return word === 'true' ? true : word === 'false' ? false : undefined;
  },
  array: (value) => (isJsonObject(value) || typeof value === 'string' ? [value] : undefined),
};

function numberIn(value: Json): number | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function rename(value: Json, from: string, to: string): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name === from ? to : name, item]));
}

/** A copy with another value at a place; undefined takes the place out. */
function changeAt(value: Json | undefined, path: readonly string[], change: Change): Json | undefined {
  const [name, ...rest] = path;
  if (value === undefined || name === undefined) return value === undefined ? undefined : change(value);
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item, i) =>
      String(i) === name ? changeAt(item, rest, change) : item,
    );
    return items.filter((item) => item !== undefined);
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, Json | undefined] => [
    key,
    key === name ? changeAt(item, rest, change) : item,
  ]);
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema.properties) ? schema.properties : {};
}

/** `edits[0].new_string`, in quotes. */
function fieldName(path: readonly string[]): string {
  return JSON.stringify(
    path.reduce((name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : name === '' ? part : `${name}.${part}`), ''),
  );
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function expected(schema: Json | undefined, root: JsonObject): string {
  if (!isJsonObject(schema)) return 'set';
  const types = [...(typesOf({ schema, root }) ?? [])].map((type) => TYPE_WORDS[type] ?? type);
  const words = types.length === 0 ? 'of another form' : types.join(' or ');
  return typeof schema.description === 'string' ? `${words} (${clip(schema.description, EXPECTED_MAX_CHARS)})` : words;
}

function arrived(value: Json): string {
  const text = clip(JSON.stringify(value), VALUE_MAX_CHARS);
  if (typeof value === 'string') return `the string ${text}`;
  if (Array.isArray(value)) return `the list ${text}`;
  return isJsonObject(value) ? `the object ${text}` : text;
}

function clip(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}…`;
}
