// What JSON types a schema lets through, so that a conversion never touches a value that was fine as it came.
import { isJsonObject, type Json, type JsonObject } from '../../common/json';

type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** A schema with the document that its `$ref`s point into. */
export interface Typed {
  readonly schema: Json | undefined;
  readonly root: JsonObject;
}

const REF_MAX_DEPTH = 16;

/** The schema that local references lead to; undefined for a foreign one or a circle. */
export function resolveSchema({ schema, root }: Typed): JsonObject | undefined {
  let current = schema;
  for (let depth = 0; depth < REF_MAX_DEPTH; depth++) {
    if (!isJsonObject(current)) return undefined;
    if (typeof current.$ref !== 'string') return current;
    current = lookUp(current.$ref, root);
  }
  return undefined;
}

function lookUp(ref: string, root: JsonObject): Json | undefined {
  if (!ref.startsWith('#')) return undefined;
  let at: Json | undefined = root;
  for (const part of ref.slice(1).split('/').slice(1)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

type Types = ReadonlySet<string> | undefined;

/** The declared types, through unions and combinations; undefined when anything may come. */
export function typesOf(typed: Typed, known = new Map<JsonObject, Types>()): Types {
  const schema = resolveSchema(typed);
  if (!schema || known.has(schema)) return schema && known.get(schema);
  // Until they are known, which in a circle is too late. Each schema is looked at once, however many ways lead to it.
  known.set(schema, undefined);
  const { root } = typed;
  let types = declared(schema.type);
  for (const union of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(union))
      types = both(types, any(union.map((branch: Json) => typesOf({ schema: branch, root }, known))));
  }
  if (Array.isArray(schema.allOf)) {
    for (const part of schema.allOf as readonly Json[]) types = both(types, typesOf({ schema: part, root }, known));
  }
  known.set(schema, types);
  return types;
}

/** The schemas that a value of this type is judged by: the schema itself, all parts, and of a union the branch for it when there is just one. */
export function partsFor(typed: Typed, type: JsonType, seen = new Set<JsonObject>()): JsonObject[] {
  const schema = resolveSchema(typed);
  if (!schema || seen.has(schema)) return [];
  seen.add(schema);
  const { root } = typed;
  const parts = [schema];
  if (Array.isArray(schema.allOf)) {
    for (const part of schema.allOf as readonly Json[]) parts.push(...partsFor({ schema: part, root }, type, seen));
  }
  for (const union of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(union)) continue;
    const fitting = (union as readonly Json[]).filter((branch) => typesOf({ schema: branch, root })?.has(type) ?? true);
    const [only] = fitting;
    if (only !== undefined && fitting.length === 1) parts.push(...partsFor({ schema: only, root }, type, seen));
  }
  return parts;
}

function declared(type: Json | undefined): Types {
  if (typeof type === 'string') return new Set([type]);
  if (Array.isArray(type)) return new Set((type as readonly Json[]).filter((name) => typeof name === 'string'));
  return undefined;
}

function any(branches: readonly Types[]): Types {
  const types = new Set<string>();
  for (const branch of branches) {
    if (!branch) return undefined;
    for (const type of branch) types.add(type);
  }
  return types;
}

function both(a: Types, b: Types): Types {
  if (!a || !b) return a ?? b;
  return new Set([...a].filter((type) => b.has(type) || (type === 'integer' && b.has('number'))));
}
