// Words for a model: what a schema expects, what came instead, and where.
import { isJsonObject, type Json, type JsonObject } from '../../common/json';
import { resolveSchema, typesOf, type Typed } from './declared';

const VALUE_MAX_CHARS = 60;
const EXPECTED_MAX_CHARS = 200;
const CHOICES_MAX = 20;
const FORMS_MAX = 4;
const FORMS_MAX_DEPTH = 3;

/** `edits[0].new_string`, in quotes. */
export function fieldName(path: readonly string[]): string {
  return JSON.stringify(
    path.reduce((name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : name === '' ? part : `${name}.${part}`), ''),
  );
}

/** Type and description: `a string (Path of the file)`. */
export function expected(schema: Json | undefined, root: JsonObject): string {
  const form = formOf({ schema, root }) ?? 'set';
  const description = resolveSchema({ schema, root })?.description;
  return typeof description === 'string' ? `${form} (${clip(description, EXPECTED_MAX_CHARS)})` : form;
}

/** `a list of objects with "content" and "status"`; undefined when anything may come. */
function formOf(typed: Typed, depth = 0): string | undefined {
  const schema = resolveSchema(typed);
  if (!schema || depth > FORMS_MAX_DEPTH) return undefined;
  const { root } = typed;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return oneOf(schema.enum as readonly Json[]);
  for (const union of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(union)) continue;
    const forms = (union as readonly Json[]).map((branch) => formOf({ schema: branch, root }, depth + 1));
    const [...known] = new Set(forms.filter((form) => form !== undefined));
    if (known.length > 0 && known.length <= FORMS_MAX) return known.join(' or ');
  }
  const types = [...(typesOf(typed) ?? [])];
  return types.length === 0 ? undefined : types.map((type) => formOfType(type, schema, root, depth)).join(' or ');
}

function formOfType(type: string, schema: JsonObject, root: JsonObject, depth: number): string {
  if (type === 'object') return `an object${withFields(schema, root, depth)}`;
  if (type !== 'array') return TYPE_WORDS[type] ?? type;
  const items = resolveSchema({ schema: schema.items, root });
  const [itemType, ...others] = [...(items ? (typesOf({ schema: items, root }) ?? []) : [])];
  const plural = others.length === 0 && itemType !== undefined ? PLURALS[itemType] : undefined;
  if (!items || plural === undefined) return 'a list';
  return itemType === 'object' ? `a list of objects${withFields(items, root, depth)}` : `a list of ${plural}`;
}

/** The fields it cannot be without, with the value of those that tell one form from another. */
function withFields({ required, properties }: JsonObject, root: JsonObject, depth: number): string {
  const names = Array.isArray(required) ? (required as readonly Json[]).filter((name) => typeof name === 'string') : [];
  if (names.length === 0) return '';
  const fields = names.map((name) => {
    const schema = isJsonObject(properties) ? resolveSchema({ schema: properties[name], root }) : undefined;
    const fixed = schema?.const === undefined || depth >= FORMS_MAX_DEPTH ? '' : `: ${JSON.stringify(schema.const)}`;
    return `${JSON.stringify(name)}${fixed}`;
  });
  return ` with ${fields.length === 1 ? fields[0] : `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)}`}`;
}

export function oneOf(choices: readonly Json[]): string {
  const shown = choices.slice(0, CHOICES_MAX).map((choice) => JSON.stringify(choice));
  const [only] = shown;
  if (shown.length === 1 && only !== undefined) return only;
  const more = choices.length - shown.length;
  return `one of ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
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
const PLURALS: Readonly<Record<string, string>> = {
  string: 'strings',
  number: 'numbers',
  integer: 'integers',
  array: 'lists',
  object: 'objects',
};

/** `the string "5"`. */
export function arrived(value: Json): string {
  const text = clip(JSON.stringify(value), VALUE_MAX_CHARS);
  if (typeof value === 'string') return `the string ${text}`;
  if (Array.isArray(value)) return `the list ${text}`;
  return isJsonObject(value) ? `the object ${text}` : text;
}

export function clip(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}…`;
}
