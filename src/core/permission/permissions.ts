// The permission state of one session: its grants, what a person refused in this turn, and who waits for an answer.
import type { AskAnswer, PermissionAsk } from '../../common/asks';
import type { Display } from '../../common/display';
import { MAIN_AGENT } from '../../common/events';
import { isJsonObject, type Json, type JsonObject } from '../../common/json';
import type { Mode } from '../../common/modes';
import { locatePath } from '../files/paths';
import type { Host } from '../host';
import type { Tool } from '../tool/tool';
import { decide, isGrantable } from './decide';
import { parseRule, type LocatedTarget } from './rules';
import { suggestGrant, type Grant } from './suggest';
import type { Rule, Target, Verdict } from './types';

export interface PermissionRequest {
  readonly tool: Tool;
  readonly input: JsonObject;
  readonly call: string;
  readonly agent: string;
  readonly title: string;
  readonly targets: readonly Target[];
  readonly preview?: Display;
  readonly mode: Mode;
  readonly signal: AbortSignal;
  /** Reasons of hooks why a person is to decide, whatever rules and mode allow. */
  readonly asked?: readonly string[];
  /** What hooks say before a person is asked: the last that can keep the question from them. Never throws. */
  consult?(at: { readonly mayAllow: boolean }): Promise<Consulted | undefined>;
  /** Shows the ask and waits for the person; `dismissed` when the signal aborts or nobody is there. Never throws. */
  ask(ask: PermissionAsk, signal: AbortSignal): Promise<AskAnswer>;
}

/** An allow is only heard where it was said that it may be. */
export type Consulted = { readonly effect: 'allow' } | { readonly effect: 'deny'; readonly because: string };

export type Decision =
  /** `changed`: what the person made of the proposal. It is to be judged anew and is the only thing they allowed. */
  | { readonly allow: true; readonly changed?: string }
  | { readonly allow: false; readonly status: 'denied' | 'stopped'; readonly reason: string };

interface Waiting {
  readonly deed: string;
  /** Judges again under the grants there are now. */
  isAllowed(): boolean;
  /** Takes the ask back: another answer has decided it. */
  readonly settle: AbortController;
}

export class Permissions {
  private readonly grants: Rule[] = [];
  /** Why, by deed. */
  private readonly refused = new Map<string, string>();
  private readonly waiting = new Set<Waiting>();

  constructor(
    private readonly host: Host,
    /** Rules from settings, read at each decision. */
    private readonly rules: () => readonly Rule[] = () => [],
  ) {}

  /** A new prompt is a new mind: what was refused before may be asked again. */
  startTurn(): void {
    this.refused.clear();
  }

  async decide(request: PermissionRequest): Promise<Decision> {
    const targets = await Promise.all(request.targets.map(async (target) => this.locate(target)));
    const first = this.settled(request, targets);
    if (first.effect !== 'ask') return first.decision;

    const said = await request.consult?.({ mayAllow: this.couldAllow(request, targets) });
    if (said?.effect === 'deny') return { allow: false, status: 'denied', reason: said.because };
    // From here until the person is asked nothing is awaited, so no answer to another call is missed.
    const now = this.settled(request, targets);
    if (now.effect !== 'ask') return now.decision;
    if (said?.effect === 'allow' && this.couldAllow(request, targets)) return { allow: true };

    return this.askPerson(request, targets, now.reasons);
  }

  /** What needs no person, by what a person has said and by the rules. */
  private settled(
    request: PermissionRequest,
    targets: readonly LocatedTarget[],
  ): { readonly effect: 'settled'; readonly decision: Decision } | Extract<Verdict, { effect: 'ask' }> {
    const before = this.refused.get(deedOf(request));
    const verdict: Verdict = before === undefined ? this.judge(request, targets) : { effect: 'deny', because: before };
    if (verdict.effect === 'ask') return verdict;
    const { effect } = verdict;
    const decision: Decision =
      effect === 'allow' ? { allow: true } : { allow: false, status: 'denied', reason: verdict.because };
    return { effect: 'settled', decision };
  }

  /** Whether an allow rule for the whole tool would do: what is protected, deleted, asked for by a rule or a hook stays with the person. */
  private couldAllow(request: PermissionRequest, targets: readonly LocatedTarget[]): boolean {
    if (targets.some(({ op }) => op === 'delete') || !isGrantable(targets, this.host.platform)) return false;
    const rule: Rule = { effect: 'allow', tool: request.tool.name, source: 'session' };
    return this.judge(request, targets, [rule]).effect === 'allow';
  }

  private async askPerson(
    request: PermissionRequest,
    targets: readonly LocatedTarget[],
    reasons: readonly string[],
  ): Promise<Decision> {
    // What a hook asks for is asked again whatever was granted.
    const mayGrant = !request.asked?.length && isGrantable(targets, this.host.platform);
    const grant = mayGrant ? suggestGrant(request.tool, targets) : undefined;
    const ask: PermissionAsk = {
      kind: 'permission',
      id: this.host.ids.next('ask'),
      call: request.call,
      ...(request.agent === MAIN_AGENT ? {} : { agent: request.agent }),
      tool: request.tool.name,
      title: request.title,
      reasons,
      ...(request.preview === undefined ? {} : { preview: request.preview }),
      ...(grant === undefined ? {} : { grants: [{ label: grant.label, rule: grant.rule, mayLast: false }] }),
    };
    const waiting: Waiting = {
      deed: deedOf(request),
      isAllowed: () => this.judge(request, targets).effect === 'allow',
      settle: new AbortController(),
    };
    this.waiting.add(waiting);
    const answer = await request.ask(ask, AbortSignal.any([request.signal, waiting.settle.signal]));
    this.waiting.delete(waiting);

    // An answer to another call in the meantime may have decided this one too.
    const isDecided = answer.kind === 'dismissed' && waiting.settle.signal.aborted && !request.signal.aborted;
    if (!isDecided) return this.conclude(answer, { deed: waiting.deed, grant, signal: request.signal });
    const refused = this.refused.get(waiting.deed);
    return refused === undefined ? { allow: true } : { allow: false, status: 'denied', reason: refused };
  }

  private conclude(
    answer: AskAnswer,
    { deed, grant, signal }: { readonly deed: string; readonly grant: Grant | undefined; readonly signal: AbortSignal },
  ): Decision {
    if (answer.kind === 'permission' && answer.decision !== 'deny') {
      // What is kept was shown for the call as it was.
      if (answer.changed !== undefined) return { allow: true, changed: answer.changed };
      if (answer.decision === 'session' && grant) this.grant(grant);
      return { allow: true };
    }
    const reason = refusalOf(answer);
    if (answer.kind !== 'permission' && signal.aborted) return { allow: false, status: 'stopped', reason };
    this.refuse(deed, reason);
    return { allow: false, status: 'denied', reason };
  }

  private refuse(deed: string, reason: string): void {
    this.refused.set(deed, reason);
    for (const waiting of this.waiting) if (waiting.deed === deed) waiting.settle.abort();
  }

  private grant({ rule: text, cwd }: Grant): void {
    const rule = parseRule(text, 'allow', 'session');
    if (!rule) return;
    this.grants.push(cwd === undefined ? rule : { ...rule, cwd });
    for (const waiting of this.waiting) if (waiting.isAllowed()) waiting.settle.abort();
  }

  private judge(
    { tool, input, mode, asked = [] }: PermissionRequest,
    targets: readonly LocatedTarget[],
    more: readonly Rule[] = [],
  ): Verdict {
    const verdict = decide({
      tool,
      isReadOnly: tool.readOnly(input),
      targets,
      mode,
      rules: [...this.rules(), ...this.grants, ...more],
      platform: this.host.platform,
    });
    if (verdict.effect === 'deny' || asked.length === 0) return verdict;
    return { effect: 'ask', reasons: [...asked, ...(verdict.effect === 'ask' ? verdict.reasons : [])] };
  }

  private async locate(target: Target): Promise<LocatedTarget> {
    if ('path' in target) {
      const [located, stat] = await Promise.all([
        locatePath(target.path, this.host),
        target.op === 'write' ? this.host.files.stat(target.path) : undefined,
      ]);
      return { ...target, located, ...(stat?.isShared && { isShared: true }) };
    }
    if ('cwd' in target) return { ...target, located: await locatePath(target.cwd, this.host) };
    return target;
  }
}

/** What a person's no is about: a command in its folder, whatever is said about it; of any other call the whole input. */
function deedOf({ tool, input, targets }: PermissionRequest): string {
  const isCommand = targets.length > 0 && targets.every(({ op }) => op === 'execute');
  return JSON.stringify([tool.name, isCommand ? targets : input], inOrder);
}

/** Fields in one order, whichever the model wrote them in. */
function inOrder(_key: string, value: Json): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function refusalOf(answer: AskAnswer): string {
  switch (answer.kind) {
    case 'dismissed':
      return answer.reason;
    case 'question':
      return 'The answer was not about this call.';
    case 'permission': {
      const note = answer.note?.trim() ? ` They say: “${answer.note.trim()}”.` : '';
      return `The person declined this call.${note} Do not try the same thing another way.`;
    }
  }
}
