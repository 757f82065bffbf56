// What a model is told when its input does not fit the schema: the field, what came, what is expected, and the corrected input where it is certain.
import { correct, looksLikeJson, unwrap, type Rejected } from './correct';
import { propertiesOf, renamedFields, unknownField, type Renamed } from './fieldNames';
import { syntaxFault } from './malformed';
import type { Json, JsonObject } from '../../common/json';
import { isJsonObject } from '../../common/json';
import type { SchemaFault } from './schema';
import { arrived, clip, expected, fieldName, oneOf } from './wording';

const FAULTS_MAX = 6;
const FIELDS_MAX = 20;
const PATTERN_MAX_CHARS = 100;
const CORRECTED_MAX_CHARS = 800;

export function explainFaults(name: string, rejected: Rejected): string {
  const head = `The input does not fit the schema of ${name}, so nothing was run:`;
  const unwrapped = unwrap(rejected);
  if (unwrapped) {
    const line = `- ${JSON.stringify(unwrapped.from)} is no field of it. Send what it holds as the input itself.`;
    return [head, line, ...example(unwrapped.input)].join('\n');
  }
  const renamed = renamedFields(rejected.faults, rejected.schema);
  const others = rejected.faults.filter((fault) => !renamed.some((field) => isCovered(fault, field)));
  const lines = [
    ...renamed.map((field) => explainRenamed(field, rejected.schema)),
    ...explainUnknown(others),
    ...others.filter((fault) => unknownField(fault) === undefined).map((fault) => explainFault(fault, rejected.schema)),
  ];
  const more = lines.length - FAULTS_MAX;
  return [
    head,
    ...lines.slice(0, FAULTS_MAX).map((line) => `- ${line}`),
    ...(more > 0 ? [`- and ${more} more ${more === 1 ? 'fault' : 'faults'}`] : []),
    ...example(correct(rejected, others, renamed)),
  ].join('\n');
}

function example(corrected: JsonObject | undefined): string[] {
  const text = corrected && JSON.stringify(corrected);
  if (text === undefined || text.length > CORRECTED_MAX_CHARS) return [];
  return [`This would be accepted, if it is what you mean: ${text}`];
}

/** A field under a wrong name is one fault, not two. */
function isCovered(fault: SchemaFault, { path, from, to }: Renamed): boolean {
  if (fault.path.join('/') !== path.join('/')) return false;
  return unknownField(fault) === from || (fault.keyword === 'required' && fault.params.missingProperty === to);
}

function explainRenamed({ path, from, to, by, schema, isSameValue }: Renamed, root: JsonObject): string {
  const noField = `${fieldName([...path, from])} is no field of it.`;
  if (!isSameValue) return `${noField} There is ${JSON.stringify(to)}: ${expected(schema, root)}.`;
  if (by === 'name') return `${noField} Use ${JSON.stringify(to)}.`;
  return `${noField} ${JSON.stringify(to)} is missing: it must be ${expected(schema, root)}.`;
}

/** A line per object that has fields too many. */
function explainUnknown(faults: readonly SchemaFault[]): string[] {
  const places = new Map<string, { readonly fault: SchemaFault; readonly names: string[] }>();
  for (const fault of faults) {
    const unknown = unknownField(fault);
    if (unknown === undefined) continue;
    const place = places.get(fault.path.join('/')) ?? { fault, names: [] };
    place.names.push(fieldName([...fault.path, unknown]));
    places.set(fault.path.join('/'), place);
  }
  return [...places.values()].map(({ fault, names }) => {
    const known = Object.keys(propertiesOf(fault.schema));
    const advice = known.length === 0 ? 'It has none: leave it out.' : `There are: ${some(known).join(', ')}.`;
    return `${some(names).join(', ')} ${names.length === 1 ? 'is no field' : 'are no fields'} of it. ${advice}`;
  });
}

function some(names: readonly string[]): readonly string[] {
  const more = names.length - FIELDS_MAX;
  return more > 0 ? [...names.slice(0, FIELDS_MAX), `${more} more`] : names;
}

function explainFault(fault: SchemaFault, root: JsonObject): string {
  const { path, params, schema, value, keyword } = fault;
  const field = path.length === 0 ? 'The input' : fieldName(path);
  const wanted = WANTED[keyword]?.(params, schema);
  if (wanted !== undefined) return `${field} must ${wanted}, but ${cameAs(value, keyword)}.`;
  switch (keyword) {
    case 'required': {
      const missing = String(params.missingProperty);
      return `${fieldName([...path, missing])} is missing: it must be ${expected(propertiesOf(schema)[missing], root)}.`;
    }
    case 'type':
    case 'anyOf':
    case 'oneOf':
      if (Array.isArray(params.passingSchemas))
        return `${field} fits more than one of its forms. Make it fit just one.`;
      return `${field} must be ${expected(schema, root)}, but ${arrived(value)} came.${adviceFor(value, schema)}`;
    default:
      return `${field} ${fault.message}, but ${arrived(value)} came.`;
  }
}

type Params = SchemaFault['params'];

/** What the validator says in the terms of a programming language, in words. */
const WANTED: Readonly<Record<string, (params: Params, schema: JsonObject) => string>> = {
  enum: ({ allowedValues }) => `be ${oneOf(Array.isArray(allowedValues) ? (allowedValues as Json[]) : [])}`,
  const: ({ allowedValue }) => `be ${JSON.stringify(allowedValue)}`,
  minimum: ({ limit }) => `be ${String(limit)} or more`,
  maximum: ({ limit }) => `be ${String(limit)} or less`,
  exclusiveMinimum: ({ limit }) => `be more than ${String(limit)}`,
  exclusiveMaximum: ({ limit }) => `be less than ${String(limit)}`,
  multipleOf: ({ multipleOf }) => `be a multiple of ${String(multipleOf)}`,
  minLength: ({ limit }) => (limit === 1 ? 'not be empty' : `have ${String(limit)} characters or more`),
  maxLength: ({ limit }) => `have ${String(limit)} characters or less`,
  minItems: ({ limit }) => (limit === 1 ? 'not be empty' : `have ${String(limit)} items or more`),
  maxItems: ({ limit }) => `have ${String(limit)} items or less`,
  uniqueItems: () => 'have no item twice',
  pattern: ({ pattern }) => `match the regular expression ${clip(String(pattern), PATTERN_MAX_CHARS)}`,
};

function cameAs(value: Json, keyword: string): string {
  const isTooLong = keyword === 'maxLength' || keyword === 'maxItems';
  const length = typeof value === 'string' || Array.isArray(value) ? (value as { length: number }).length : 0;
  return isTooLong ? `it has ${length}` : `${arrived(value)} came`;
}

/** Where a value of another type came because of how it was written. */
function adviceFor(value: Json, { type }: JsonObject): string {
  if (typeof value === 'string' && looksLikeJson(value) && (type === 'array' || type === 'object')) {
    return ` Send it as JSON of its own, not in a string; what the string holds is not valid either: ${syntaxFault(value)}`;
  }
  if (type !== 'string') return '';
  if (Array.isArray(value)) return ' Send one string.';
  return isJsonObject(value) ? ' If JSON is the text that is meant, send it as a string.' : '';
}
