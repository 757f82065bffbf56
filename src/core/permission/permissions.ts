// The permission state of one session: its grants, what a person refused in this turn, and who waits for an answer.
import type { AskAnswer, PermissionAsk } from '../../common/asks';
import type { Display } from '../../common/display';
import type { JsonObject } from '../../common/json';
import type { Mode } from '../../common/modes';
import { locatePath } from '../files/paths';
import type { Host } from '../host';
import type { Tool } from '../tool/tool';
import { decide, isGrantable } from './decide';
import { parseRule, type LocatedTarget } from './rules';
import { suggestGrant } from './suggest';
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
  /** Judges again under the grants there are now. */
  isAllowed(): boolean;
  readonly settle: AbortController;
}

export class Permissions {
  private readonly grants: Rule[] = [];
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
    const key = JSON.stringify([request.tool.name, request.input]);
    const before = this.refused.get(key);
    if (before !== undefined) return { allow: false, status: 'denied', reason: before };

    const targets = await Promise.all(request.targets.map(async (target) => this.locate(target)));
    const verdict = this.judge(request, targets);
    if (verdict.effect === 'allow') return { allow: true };
    if (verdict.effect === 'deny') return { allow: false, status: 'denied', reason: verdict.because };

    const decision = await this.askPerson(request, targets, verdict.reasons);
    if (!decision.allow && decision.status === 'denied') this.refused.set(key, decision.reason);
    return decision;
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
      tool: request.tool.name,
      title: request.title,
      reasons,
      ...(request.preview === undefined ? {} : { preview: request.preview }),
      ...(grant === undefined ? {} : { grant }),
    };
    const waiting: Waiting = {
      isAllowed: () => this.judge(request, targets).effect === 'allow',
      settle: new AbortController(),
    };
    this.waiting.add(waiting);
    const answer = await request.ask(ask, AbortSignal.any([request.signal, waiting.settle.signal]));
    this.waiting.delete(waiting);

    // A grant given to another call in the meantime covers this one too.
    if (answer.kind === 'dismissed' && waiting.settle.signal.aborted && !request.signal.aborted) return { allow: true };
    return this.conclude(answer, grant?.rule, request.signal);
  }

  private conclude(answer: AskAnswer, grant: string | undefined, signal: AbortSignal): Decision {
    if (answer.kind !== 'permission') {
      const reason = answer.kind === 'dismissed' ? answer.reason : 'The answer was not about this call.';
      return { allow: false, status: signal.aborted ? 'stopped' : 'denied', reason };
    }
    if (answer.decision === 'deny') {
      const note = answer.note?.trim() ? ` They say: “${answer.note.trim()}”.` : '';
      const reason = `The person declined this call.${note} Do not try the same thing another way.`;
      return { allow: false, status: 'denied', reason };
    }
    if (answer.decision === 'session' && grant !== undefined) this.grant(grant);
    return { allow: true };
  }

  private grant(text: string): void {
    const rule = parseRule(text, 'allow', 'session');
    if (!rule) return;
    this.grants.push(rule);
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
    return 'path' in target ? { ...target, located: await locatePath(target.path, this.host) } : target;
  }
}
