// Compiles a tool's JSON Schema. Loaded with the first call: the validator is the heaviest part of the engine.
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import { messageOf } from '../../common/errors';
import type { Json, JsonObject } from '../../common/json';
import { withoutSlowPatterns } from './slowPattern';

/** One thing that is wrong with an input. */
export interface SchemaFault {
  /** Field names and list indexes from the top. */
  readonly path: readonly string[];
  /** The keyword of the schema that was not met, with its parameters as ajv names them. */
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The schema at that place, and what stood there. */
  readonly schema: JsonObject;
  readonly value: Json;
  /** In the validator's words. */
  readonly message: string;
}

/** Everything that is wrong with an input; empty when nothing is. */
export type SchemaCheck = (input: JsonObject) => readonly SchemaFault[];

const LENIENT: Options = {
  strict: false,
  allErrors: true,
  verbose: true,
  ownProperties: true,
  validateSchema: false,
  validateFormats: false,
  unicodeRegExp: false,
  logger: false,
};

/**
 * Compiles leniently: schemas come from MCP servers too, of any draft, with keywords and formats that we do not know.
 * One that cannot be compiled at all, or that leads in circles for an input, lets it through, since its server checks for itself.
 */
export function compileSchema(schema: JsonObject, onBroken: (reason: string) => void): SchemaCheck {
  const orBroken = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      onBroken(messageOf(error));
      return undefined;
    }
  };
  // An asynchronous validator would answer with a promise, which nobody waits for.
  const validate = orBroken(() => compileAnyDraft({ ...withoutSlowPatterns(schema), $async: false }));
  // `{"allOf": [{"$ref": "#"}]}` is told as soon as it is compiled, whatever the inputs will be.
  if (!validate || orBroken(() => validate({})) === undefined) return () => [];
  return (input) => (orBroken(() => validate(input)) === false ? faultsOf(validate.errors ?? []) : []);
}

/** As the newest draft, else as draft 7, which wrote lists of fixed length in another way. Throws what the newest one says. */
function compileAnyDraft(schema: JsonObject): ValidateFunction {
  try {
    return new Ajv2020(LENIENT).compile(schema);
  } catch (error) {
    try {
      return new Ajv(LENIENT).compile(schema);
    } catch {
      throw error;
    }
  }
}

const UNIONS: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);

/**
 * Of a union only the union's own fault counts, because which of its branches was meant nobody knows; unless all branches but
 * one are for values of another type or with another constant: then the faults inside of that one count.
 */
function faultsOf(errors: readonly ErrorObject[]): SchemaFault[] {
  const unions = errors
    .filter(({ keyword }) => UNIONS.has(keyword))
    .map((union) => {
      // A union's own fault comes after those inside of it.
      const inside = errors.slice(0, errors.indexOf(union)).filter((error) => isInside(error, union));
      return { union, inside: new Set(inside), meant: faultsOfMeant(union, inside) };
    });
  const counts = (error: ErrorObject): boolean =>
    unions.every(({ union, inside, meant }) =>
      error === union ? meant.size === 0 : !inside.has(error) || meant.has(error),
    );
  const counting = errors.filter(counts);
  return (counting.length > 0 ? counting : errors).map(faultOf);
}

function isInside(error: ErrorObject, union: ErrorObject): boolean {
  if (!`${error.instancePath}/`.startsWith(`${union.instancePath}/`)) return false;
  // A branch that is a $ref reports the path of what it refers to, which lies outside of the union's own schema.
  const parent = union.schemaPath.slice(0, -union.keyword.length);
  return error.schemaPath.startsWith(`${union.schemaPath}/`) || !error.schemaPath.startsWith(parent);
}

/** The faults of the only branch that can have been meant; none when there are several, or none. */
function faultsOfMeant(union: ErrorObject, inside: readonly ErrorObject[]): ReadonlySet<ErrorObject> {
  const branchOf = ({ schemaPath }: ErrorObject): string | undefined =>
    schemaPath.startsWith(`${union.schemaPath}/`)
      ? schemaPath.slice(union.schemaPath.length + 1).split('/')[0]
      : undefined;
  const ofOthers = inside.filter((error) => isOfAnotherForm(error, union));
  const others = new Set(ofOthers.map(branchOf));
  const unnamed = ofOthers.filter((error) => branchOf(error) === undefined).length;
  others.delete(undefined);
  if (others.size + unnamed !== (union.schema as readonly Json[]).length - 1) return new Set();
  return new Set(inside.filter((error) => !ofOthers.includes(error) && !others.has(branchOf(error))));
}

/** What shows that a branch was not meant: another type, or another constant in one of its fields. */
function isOfAnotherForm({ keyword, instancePath, schemaPath }: ErrorObject, union: ErrorObject): boolean {
  if (keyword === 'type') return instancePath === union.instancePath;
  const isField = instancePath.split('/').length === union.instancePath.split('/').length + 1;
  return keyword === 'const' && isField && schemaPath.startsWith(`${union.schemaPath}/`);
}

function faultOf({ instancePath, keyword, params, parentSchema, data, message }: ErrorObject): SchemaFault {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const schema = (parentSchema ?? {}) as JsonObject;
  return {
    path,
    keyword,
    params: params as SchemaFault['params'],
    schema,
    value: data as Json,
    message: message ?? '',
  };
}
