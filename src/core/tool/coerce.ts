// Corrects the two slips of the pen that models make with types, driven by what the schema declares and by nothing else [O11].
import { isJsonObject, isTooDeep, type Json, type JsonObject } from '../../common/json';
import { partsFor, typesOf, type Typed } from './declared';

const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * `"30"` becomes 30 and `"true"` becomes true where the schema declares a number or a boolean and would not take a string.
 * Nothing else ever changes: the same reference comes back when nothing did, at every depth; unknown properties are left alone.
 */
export function coerce(schema: JsonObject, value: Json): Json {
  return coerceTyped({ schema, root: schema }, value);
}

/** `"[1]"` becomes `[1]` where the schema declares a list or an object and would not take a string. The same reference when nothing changes. */
export function parseStringified(schema: JsonObject, value: Json): Json {
  return parseTyped({ schema, root: schema }, value);
}

/** Both steps, in their order. The same reference when nothing changes. */
export function convert(schema: JsonObject, input: JsonObject): JsonObject {
  const coerced = coerce(schema, input);
  const parsed = parseStringified(schema, coerced);
  // What came out of a string has not been looked at yet.
  const converted = parsed === coerced ? parsed : coerce(schema, parsed);
  return isJsonObject(converted) ? converted : input;
}

/** The fields that were converted, outermost first: `limit`, `edits[0].replace_all`. */
export function changedFields(before: Json, after: Json, path = ''): string[] {
  if (before === after) return [];
  if (typeof before === 'string' || !isNested(before) || !isNested(after)) return [path];
  return Object.entries(after).flatMap(([name, value]) => {
    const field = Array.isArray(after) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    return changedFields((before as Readonly<Record<string, Json>>)[name] ?? null, value, field);
  });
}

function isNested(value: Json): value is JsonObject | readonly Json[] {
  return typeof value === 'object' && value !== null;
}

function coerceTyped(typed: Typed, value: Json): Json {
  if (typeof value === 'string') return coerceText(typesOf(typed), value);
  return mapParts(typed, value, coerceTyped);
}

function coerceText(types: ReadonlySet<string> | undefined, text: string): Json {
  if (!types || types.has('string')) return text;
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (!NUMBER.test(text)) return text;
  const number = Number(text);
  if (types.has('number') && Number.isFinite(number)) return number;
  return types.has('integer') && Number.isSafeInteger(number) ? number : text;
}

function parseTyped(typed: Typed, value: Json): Json {
  if (typeof value !== 'string') return mapParts(typed, value, parseTyped);
  const types = typesOf(typed);
  if (!types || types.has('string') || !(types.has('array') || types.has('object'))) return value;
  const parsed = parseJson(value);
  const isDeclared = Array.isArray(parsed) ? types.has('array') : isJsonObject(parsed) && types.has('object');
  return isDeclared && parsed !== undefined && !isTooDeep(parsed) ? parseTyped(typed, parsed) : value;
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

type Change = (typed: Typed, value: Json) => Json;

/** Applies the change to what the schema knows inside of a list or an object. */
function mapParts(typed: Typed, value: Json, change: Change): Json {
  const { root } = typed;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return partsFor(typed, 'array').reduce<readonly Json[]>((list, part) => mapItems(part, root, list, change), items);
  }
  if (!isJsonObject(value)) return value;
  return partsFor(typed, 'object').reduce((object, part) => mapProperties(part, root, object, change), value);
}

function mapItems(part: JsonObject, root: JsonObject, list: readonly Json[], change: Change): readonly Json[] {
  const first = Array.isArray(part.prefixItems) ? (part.prefixItems as readonly Json[]) : [];
  const changed = list.map((item, index) =>
    change({ schema: index < first.length ? first[index] : part.items, root }, item),
  );
  return changed.some((item, index) => item !== list[index]) ? changed : list;
}

function mapProperties(part: JsonObject, root: JsonObject, object: JsonObject, change: Change): JsonObject {
  const { properties } = part;
  if (!isJsonObject(properties)) return object;
  let changed = object;
  for (const [name, before] of Object.entries(object)) {
    if (!Object.hasOwn(properties, name)) continue;
    const after = change({ schema: properties[name], root }, before);
    if (after !== before) changed = { ...changed, [name]: after };
  }
  return changed;
}
