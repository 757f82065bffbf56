// One call through the product's own path, from what a model writes to the decision: nothing is decided here.
import type { Ask } from '../../../src/common/asks';
import type { EventBody } from '../../../src/common/events';
import type { JsonObject } from '../../../src/common/json';
import type { Mode } from '../../../src/common/modes';
import type { Host } from '../../../src/core/host';
import type { Rule } from '../../../src/core/permission/types';
import type { ToolResult } from '../../../src/core/tool/turnTools';
import { showBlankRuns, showHidden } from '../../../webview/text/visible';
import { toolsOn, type ToolTest } from '../toolTest';
import type { World } from './world';

export interface MadeCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly mode: Mode;
  readonly rules?: readonly Rule[];
  readonly host?: Partial<Host>;
  /** Run before it, without being asked about. */
  readonly before?: readonly { readonly tool: string; readonly input: JsonObject }[];
  /** What the person says; no where absent. */
  readonly answer?: 'once' | 'deny';
  /** Happens after the decision, right before the call runs. */
  readonly race?: () => void;
}

export interface CallOutcome {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly result: ToolResult;
  readonly asks: readonly Ask[];
}

export async function judgeCall(world: World, call: MadeCall): Promise<CallOutcome> {
  const asks: Ask[] = [];
  let mode: Mode = 'bypass';
  const test: ToolTest = toolsOn(toolWorkspace(world, call.host), {
    mode: () => mode,
    rules: call.rules ?? [],
    answer: (ask) => {
      asks.push(ask);
      return { kind: 'permission', decision: call.answer ?? 'deny' };
    },
    onEvent: (event: EventBody) => {
      if (event.type === 'tool/started' && mode === call.mode) call.race?.();
    },
  });
  for (const { tool, input } of call.before ?? []) await test.call(tool, input);
  mode = call.mode;
  const started = test.events.length;
  const result = await test.call(call.tool, call.input);
  const hasRun = test.events.slice(started).some(({ type }) => type === 'tool/started');
  await test.outputs.flush();
  return { decision: asks.length > 0 ? 'ask' : hasRun ? 'allow' : 'deny', result, asks };
}

function toolWorkspace({ host, root }: World, more: Partial<Host> = {}) {
  const unused = () => Promise.reject(new Error('No case looks at this'));
  const workspace = { root, outside: '/', path: (relative: string) => `${root}/${relative}` };
  return { ...workspace, host: { ...host, ...more }, tree: unused, bytes: unused, remove: unused };
}

/** What is wrong with how a question is put; undefined when nothing is, or none was put. */
export function faultOfAsks(asks: readonly Ask[], mustShow: string | undefined): string | undefined {
  if (mustShow === undefined || asks.length === 0) return undefined;
  // As the card draws its texts.
  const shown = asks.flatMap(textsOf).map((text) => showBlankRuns(showHidden(text)));
  if (mustShow !== 'escaped') {
    return shown.some((text) => text.includes(mustShow)) ? undefined : `the question does not show ${mustShow}`;
  }
  return shown.some((text) => /⟨U\+[0-9A-F]+⟩/.test(text)) && shown.every((text) => !hides(text))
    ? undefined
    : 'the question hides characters';
}

function hides(text: string): boolean {
  return /[^\n\t\P{Cc}]|\p{Cf}/u.test(text);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
