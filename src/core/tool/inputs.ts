// From what a model wrote as input to what a tool may take it for: conversions, then the schema, built in and MCP alike.
import { isJsonObject, type JsonObject } from '../../common/json';
import type { Log } from '../host';
import { coerce, parseStringified } from './coerce';
import type { explainFaults } from './explain';
import type { explainMalformed } from './malformed';
import type { compileSchema, SchemaCheck } from './schema';
import type { Tool, ToolCall } from './tool';

export type ParsedInput =
  | { readonly input: JsonObject }
  /** For the model: which field, what came, what is expected. */
  | { readonly objection: string };

/** What is loaded late: types only, so that naming them loads nothing. */
interface Parts {
  readonly compileSchema: typeof compileSchema;
  readonly explainFaults: typeof explainFaults;
  readonly explainMalformed: typeof explainMalformed;
}

/** Held state: the compiled schemas. The validator is big, so it comes with the first call and not with the extension. */
export class Inputs {
  private readonly checks = new WeakMap<object, SchemaCheck>();
  private loading: Promise<void> | undefined;
  private parts: Parts | undefined;

  constructor(private readonly log: Log) {}

  /** To be awaited once before `parse`. */
  load(): Promise<void> {
    return (this.loading ??= this.loadParts());
  }

  /** The input is the call's own object when nothing had to be converted. Throws for a bug: not loaded yet. */
  parse(tool: Pick<Tool, 'name' | 'schema'>, call: ToolCall): ParsedInput {
    if (!this.parts) throw new Error('Inputs are parsed before they are loaded.');
    if (call.malformed) return { objection: this.parts.explainMalformed(tool.name, call.malformed) };
    // A JSON Schema is JSON; its own type does not say so.
    const schema = tool.schema as unknown as JsonObject;
    const input = convert(schema, call.input);
    const check = this.checkFor(tool.name, schema, this.parts);
    const faults = check(input);
    if (faults.length === 0) return { input };
    return { objection: this.parts.explainFaults(tool.name, { schema, input, faults, check }) };
  }

  private checkFor(name: string, schema: JsonObject, parts: Parts): SchemaCheck {
    const known = this.checks.get(schema);
    if (known) return known;
    const check = parts.compileSchema(schema, (reason) =>
      this.log.warn(`The schema of ${name} cannot be compiled, so its calls are not checked against it: ${reason}`),
    );
    this.checks.set(schema, check);
    return check;
  }

  private async loadParts(): Promise<void> {
    const { compileSchema } = await import('./schema');
    const { explainFaults } = await import('./explain');
    const { explainMalformed } = await import('./malformed');
    this.parts = { compileSchema, explainFaults, explainMalformed };
  }
}

function convert(schema: JsonObject, input: JsonObject): JsonObject {
  const coerced = coerce(schema, input);
  const parsed = parseStringified(schema, coerced);
  // What came out of a string has not been looked at yet.
  const converted = parsed === coerced ? parsed : coerce(schema, parsed);
  return isJsonObject(converted) ? converted : input;
}
