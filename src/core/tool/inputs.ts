// From what a model wrote as input to what a tool may take it for: conversions, then the schema, built in and MCP alike.
import type { JsonObject } from '../../common/json';
import type { Log } from '../host';
import { changedFields, convert } from './coerce';
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

const LOGGED_FIELDS_MAX = 10;

/** Held state: the compiled schemas. The validator is big, so it comes with the first call and not with the extension. */
export class Inputs {
  private readonly checks = new WeakMap<object, SchemaCheck>();
  /** A call is asked about before it runs, too. */
  private readonly parsed = new WeakMap<ToolCall, { readonly schema: object; readonly answer: ParsedInput }>();
  private loading: Promise<void> | undefined;
  private parts: Parts | undefined;

  constructor(private readonly log: Log) {}

  /** To be awaited once before `parse`. */
  load(): Promise<void> {
    return (this.loading ??= this.loadParts());
  }

  /** The input is the call's own object when nothing had to be converted. Throws for a bug: not loaded yet. */
  parse(tool: Pick<Tool, 'name' | 'schema'>, call: ToolCall): ParsedInput {
    const known = this.parsed.get(call);
    if (known?.schema === tool.schema) return known.answer;
    if (!this.parts) throw new Error('Inputs are parsed before they are loaded.');
    const answer = this.parseCall(tool, call, this.parts);
    this.parsed.set(call, { schema: tool.schema, answer });
    return answer;
  }

  private parseCall(tool: Pick<Tool, 'name' | 'schema'>, call: ToolCall, parts: Parts): ParsedInput {
    if (call.malformed) return { objection: parts.explainMalformed(tool.name, call.malformed) };
    // A JSON Schema is JSON; its own type does not say so.
    const schema = tool.schema as unknown as JsonObject;
    const input = convert(schema, call.input);
    if (input !== call.input) {
      const fields = changedFields(call.input, input).slice(0, LOGGED_FIELDS_MAX).join(', ');
      this.log.info(`Coerced in the call ${call.id} of ${tool.name}, by the declared types: ${fields}.`);
    }
    const check = this.checkFor(tool.name, schema, parts);
    const faults = check(input);
    if (faults.length === 0) return { input };
    return { objection: parts.explainFaults(tool.name, { schema, input, faults, check }) };
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
