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
  /** Shows the ask and waits for the person; `dismissed` when the signal aborts or nobody is there. Never throws. */
  ask(ask: PermissionAsk, signal: AbortSignal): Promise<AskAnswer>;
}

export type Decision =
  { readonly allow: true } | { readonly allow: false; readonly status: 'denied' | 'stopped'; readonly reason: string };

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
    // From here until the person is asked nothing is awaited, so no answer to another call is missed.
    const before = this.refused.get(deedOf(request));
    if (before !== undefined) return { allow: false, status: 'denied', reason: before };
    const verdict = this.judge(request, targets);
    if (verdict.effect === 'allow') return { allow: true };
    if (verdict.effect === 'deny') return { allow: false, status: 'denied', reason: verdict.because };

    return this.askPerson(request, targets, verdict.reasons);
  }

  private async askPerson(
    request: PermissionRequest,
    targets: readonly LocatedTarget[],
    reasons: readonly string[],
  ): Promise<Decision> {
    const grant = isGrantable(targets, this.host.platform) ? suggestGrant(request.tool, targets) : undefined;
    const ask: PermissionAsk = {
      kind: 'permission',
      id: this.host.ids.next('ask'),
      call: request.call,
      ...(request.agent === MAIN_AGENT ? {} : { agent: request.agent }),
      tool: request.tool.name,
      title: request.title,
      reasons,
      ...(request.preview === undefined ? {} : { preview: request.preview }),
      ...(grant === undefined ? {} : { grant: { label: grant.label, rule: grant.rule } }),
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

  private judge({ tool, input, mode }: PermissionRequest, targets: readonly LocatedTarget[]): Verdict {
    return decide({
      tool,
      isReadOnly: tool.readOnly(input),
      targets,
      mode,
      rules: [...this.rules(), ...this.grants],
      platform: this.host.platform,
    });
  }

  private async locate(target: Target): Promise<LocatedTarget> {
    if ('path' in target) return { ...target, located: await locatePath(target.path, this.host) };
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
