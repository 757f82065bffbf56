// The input that a model meant, where that is certain: every fault put right, and accepted by the schema.
import { isJsonObject, isTooDeep, type Json, type JsonObject } from '../../common/json';
import { convert } from './coerce';
import { typesOf } from './declared';
import { fold, propertiesOf, type Renamed } from './fieldNames';
import type { SchemaCheck, SchemaFault } from './schema';

export interface Rejected {
  /** The tool's whole schema. */
  readonly schema: JsonObject;
  readonly input: JsonObject;
  /** At least one. */
  readonly faults: readonly SchemaFault[];
  readonly check: SchemaCheck;
}

/** Each is put right in a copy of the input, and nobody would read what came of so many. */
const CORRECTED_MAX_FAULTS = 100;

/** Undefined unless each correction is certain and the schema agrees. */
export function correct(
  { schema, input, check }: Rejected,
  faults: readonly SchemaFault[],
  renamed: readonly Renamed[],
): JsonObject | undefined {
  if (faults.length > CORRECTED_MAX_FAULTS || renamed.some(({ isSameValue }) => !isSameValue)) return undefined;
  let corrected = applyAll(input, faults, schema);
  for (const { path, from, to } of renamed) corrected = changeAt(corrected, path, (object) => rename(object, from, to));
  if (!isJsonObject(corrected)) return undefined;
  const converted = convert(schema, corrected);
  // What stood under another name has not been looked at yet.
  const more = renamed.length === 0 ? [] : check(converted);
  if (more.length > CORRECTED_MAX_FAULTS) return undefined;
  return accepted(applyAll(converted, more, schema), schema, check);
}

/** Undefined when one of the faults is not certain to be put right. */
function applyAll(input: JsonObject, faults: readonly SchemaFault[], schema: JsonObject): Json | undefined {
  let corrected: Json | undefined = input;
  for (const fault of faults) {
    const change = correction(fault, schema);
    if (!change) return undefined;
    corrected = changeAt(corrected, fault.path, change);
  }
  return corrected;
}

/** The fields themselves, where they came inside of one more object, or of its JSON: `{"input": {…}}`. */
export function unwrap({
  schema,
  input,
  check,
}: Rejected): { readonly from: string; readonly input: JsonObject } | undefined {
  const [only, ...others] = Object.entries(input);
  if (!only || others.length > 0 || Object.hasOwn(propertiesOf(schema), only[0])) return undefined;
  const inner = isJsonObject(only[1]) ? only[1] : objectIn(only[1]);
  // An empty object says nothing about what was meant.
  if (!inner || Object.keys(inner).length === 0) return undefined;
  const unwrapped = accepted(inner, schema, check);
  return unwrapped && { from: only[0], input: unwrapped };
}

function accepted(input: Json | undefined, schema: JsonObject, check: SchemaCheck): JsonObject | undefined {
  if (!isJsonObject(input)) return undefined;
  const converted = convert(schema, input);
  return check(converted).length === 0 ? converted : undefined;
}

function objectIn(text: Json): JsonObject | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonObject(parsed) && !isTooDeep(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

type Change = (value: Json) => Json | undefined;

function correction({ keyword, params, schema, value }: SchemaFault, root: JsonObject): Change | undefined {
  if (keyword === 'enum') {
    const choice = choiceFor(value, Array.isArray(params.allowedValues) ? (params.allowedValues as Json[]) : []);
    return choice === undefined ? undefined : () => choice;
  }
  if (keyword !== 'type') return undefined;
  // Taken out; what is required the schema will miss.
  if (value === null) return () => undefined;
  const types = typesOf({ schema, root });
  const [type] = types ?? [];
  if (type === undefined || types?.size !== 1) return undefined;
  const converted = CONVERSIONS[type]?.(value);
  return converted === undefined ? undefined : () => converted;
}

/** The only one that is written alike: `In-Progress` for `in_progress`. */
function choiceFor(value: Json, allowed: readonly Json[]): string | undefined {
  if (typeof value !== 'string') return undefined;
  const alike = allowed.filter((choice) => typeof choice === 'string').filter((choice) => fold(choice) === fold(value));
  return alike.length === 1 ? alike[0] : undefined;
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
  array: (value) => (isJsonObject(value) || (typeof value === 'string' && !looksLikeJson(value)) ? [value] : undefined),
};

function numberIn(value: Json): number | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

export function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
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
