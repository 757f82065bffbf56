// Compiles a tool's JSON Schema. Loaded with the first call: the validator is the heaviest part of the engine.
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import type { Json, JsonObject } from '../../common/json';

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
 * One that cannot be compiled at all lets everything through, since its server checks for itself.
 */
export function compileSchema(schema: JsonObject, onBroken: (reason: string) => void): SchemaCheck {
  try {
    const validate = compileAnyDraft(schema);
    return (input) => (validate(input) ? [] : faultsOf(validate.errors ?? []));
  } catch (error) {
    onBroken(error instanceof Error ? error.message : String(error));
    return () => [];
  }
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

/** Of a union only the union's own fault counts: which of its branches was meant nobody knows. */
function faultsOf(errors: readonly ErrorObject[]): SchemaFault[] {
  const unions = errors.filter(({ keyword }) => UNIONS.has(keyword));
  const isInside = (error: ErrorObject, union: ErrorObject): boolean => {
    if (error === union || !`${error.instancePath}/`.startsWith(`${union.instancePath}/`)) return false;
    // A branch that is a $ref reports the path of what it refers to, which lies outside of the union's own schema.
    const parent = union.schemaPath.slice(0, -union.keyword.length);
    return error.schemaPath.startsWith(`${union.schemaPath}/`) || !error.schemaPath.startsWith(parent);
  };
  return errors.filter((error) => !unions.some((union) => isInside(error, union))).map(faultOf);
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
