// Which fields a model meant by names that the schema does not have.
import { distance } from 'fastest-levenshtein';
import { isJsonObject, type Json, type JsonObject } from '../../common/json';
import { typesOf, type Typed } from './declared';
import type { SchemaFault } from './schema';

export interface Renamed {
  /** The object that the field is in. */
  readonly path: readonly string[];
  readonly from: string;
  readonly to: string;
  /** By its name, or because it is the only one that is missing and the other is the only one too many. */
  readonly by: 'name' | 'elimination';
  /** What `to` declares. */
  readonly schema: Json | undefined;
  /** False when the value would mean something else there: 30 seconds for milliseconds. */
  readonly isSameValue: boolean;
}

const UNKNOWN_FIELD: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties']);

/** The name of a field that the schema does not have, when that is the fault. */
export function unknownField({ keyword, params }: SchemaFault): string | undefined {
  if (!UNKNOWN_FIELD.has(keyword)) return undefined;
  return String(params.additionalProperty ?? params.unevaluatedProperty);
}

/** Every known field is meant once at most; none where it is not clear which. */
export function renamedFields(faults: readonly SchemaFault[], root: JsonObject): readonly Renamed[] {
  const places = new Map<string, SchemaFault[]>();
  for (const fault of faults) {
    if (fault.keyword !== 'required' && unknownField(fault) === undefined) continue;
    const place = fault.path.join('/');
    const here = places.get(place);
    if (here) here.push(fault);
    else places.set(place, [fault]);
  }
  return [...places.values()].flatMap((here) => renamedIn(here, root));
}

function renamedIn(faults: readonly SchemaFault[], root: JsonObject): Renamed[] {
  const [first] = faults;
  if (!first || !isJsonObject(first.value)) return [];
  const { path, schema, value } = first;
  const known = propertiesOf(schema);
  const missing = faults.filter(({ keyword }) => keyword === 'required').map(({ params }) => params.missingProperty);
  // An object that takes further fields may have got a required one under another name all the same.
  const unknown = missing.length > 0 ? Object.keys(value).filter((name) => !Object.hasOwn(known, name)) : [];
  let left = [...new Set([...unknown, ...faults.flatMap((fault) => unknownField(fault) ?? [])])];
  let free = Object.keys(known).filter((name) => !Object.hasOwn(value, name));
  const found: Renamed[] = [];
  const take = (from: string, to: string, by: Renamed['by']): void => {
    left = left.filter((name) => name !== from);
    free = free.filter((name) => name !== to);
    found.push({ path, from, to, by, schema: known[to], isSameValue: hasSameUnit(from, to) });
  };
  const fits = (from: string, to: string): boolean => mayBe({ schema: known[to], root }, value[from] ?? null);
  const isRequired = (name: string): number => Number(missing.includes(name));
  const pairs = left
    .flatMap((from) => free.map((to) => ({ from, to, rank: likeness(from, to) })))
    .filter(({ from, to, rank }) => rank === SAME || (rank < UNLIKE && fits(from, to)))
    .sort((a, b) => a.rank - b.rank || isRequired(b.to) - isRequired(a.to));
  for (const { from, to } of pairs) if (free.includes(to) && left.includes(from)) take(from, to, 'name');

  const [onlyUnknown, ...moreUnknown] = left;
  const [onlyMissing, ...moreMissing] = free.filter((name) => missing.includes(name));
  if (onlyUnknown === undefined || onlyMissing === undefined || moreUnknown.length + moreMissing.length > 0) {
    return found;
  }
  if (fits(onlyUnknown, onlyMissing)) take(onlyUnknown, onlyMissing, 'elimination');
  return found;
}

const SAME = 0;
const UNLIKE = 5;

/** 0: written in another way. 1: a slip of the pen. 2: one begins or ends with the other. 3: short for it. 4: a word in common. */
function likeness(from: string, to: string): number {
  const [a, b] = [fold(from), fold(to)];
  if (a === b) return SAME;
  // In a name of three letters one of them makes another word.
  if (distance(a, b) <= a.length / 4) return 1;
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  if (short.length >= 3 && (long.startsWith(short) || long.endsWith(short))) return 2;
  if (isShortFor(short, long)) return 3;
  const words = wordsOf(to);
  return wordsOf(from).some((word) => word.length >= 3 && words.includes(word)) ? 4 : UNLIKE;
}

/** `cmd` for `command`: the same first letter, and the others in order. */
function isShortFor(short: string, long: string): boolean {
  if (short.length < 3 || short.length > 4 || short[0] !== long[0]) return false;
  let at = 0;
  return [...short].every((letter) => (at = long.indexOf(letter, at) + 1) > 0);
}

const UNITS: ReadonlySet<string> = new Set(
  'ms s sec secs second seconds min mins minute minutes hours kb mb bytes'.split(' '),
);

function hasSameUnit(from: string, to: string): boolean {
  const known = wordsOf(to);
  return wordsOf(from).every((word) => !UNITS.has(word) || known.includes(word));
}

/** Whether a value is of a declared type, or a text that becomes one. */
function mayBe(typed: Typed, value: Json): boolean {
  const types = typesOf(typed);
  if (!types || types.has(typeOf(value))) return true;
  if (types.has('integer') && Number.isInteger(value)) return true;
  if (typeof value !== 'string') return false;
  if (/^\s*[[{]/.test(value)) return types.has('array') || types.has('object');
  if (/^(?:true|false)$/i.test(value)) return types.has('boolean');
  return value.trim() !== '' && Number.isFinite(Number(value)) && (types.has('number') || types.has('integer'));
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** `filePath`, `file-path` and `file_path` are the same name. */
export function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

export function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema.properties) ? schema.properties : {};
}
