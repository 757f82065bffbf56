// The permission state of one session: its grants, what a person refused in this turn, and who waits for an answer.
import type { AskAnswer, PermissionAsk } from '../../common/asks';
import type { Display } from '../../common/display';
import { MAIN_AGENT } from '../../common/events';
import { isJsonObject, type Json, type JsonObject } from '../../common/json';
import type { Mode } from '../../common/modes';
import type { Host, Path } from '../host';
import type { Tool } from '../tool/tool';
import { decide, isGrantable } from './decide';
import { locateAll, type Located } from './locate';
import { parseRule, type LocatedTarget } from './rules';
import { AllowedScripts, areUnchanged, type ScriptVersion } from './scripts';
import { readSettingRules, type ReadRules } from './settingRules';
import { suggestGrants, type Grant } from './suggest';
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
  | {
      readonly allow: true;
      /** The rule, the mode or the person that allowed it, in words. */
      readonly because: string;
      /** What the person made of the proposal. It is to be judged anew and is the only thing they allowed. */
      readonly changed?: string;
      /** What the call runs, as it was judged; to be confirmed right before it does. */
      readonly scripts?: readonly ScriptVersion[];
    }
  | { readonly allow: false; readonly status: 'denied' | 'stopped'; readonly reason: string };

export interface PermissionOptions {
  /** Read at each decision; what the settings say where absent. */
  readonly rules?: () => ReadRules;
  /** Keeps a rule in the person's own settings, where they asked for it; absent where that cannot be. Never rejects. */
  readonly keepRule?: (rule: string) => Promise<boolean>;
  /** Whether a call of this session has changed the file. */
  readonly changedHere?: (path: Path) => boolean;
  /** The conversation holds content from the web or an MCP server already. */
  readonly isTainted?: boolean;
}

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
  private readonly scripts: AllowedScripts;
  /** Content that nobody vouches for may be in the conversation (S90). */
  private isTainted: boolean;

  constructor(
    private readonly host: Host,
    private readonly options: PermissionOptions = {},
  ) {
    this.scripts = new AllowedScripts(host, options.changedHere ?? (() => false));
    this.isTainted = options.isTainted ?? false;
  }

  /** What is set now. */
  settings(): ReadRules {
    return this.options.rules?.() ?? readSettingRules(this.host.settings);
  }

  /** A new prompt is a new mind: what was refused before may be asked again. */
  startTurn(): void {
    this.refused.clear();
  }

  async decide(request: PermissionRequest): Promise<Decision> {
    const decision = await this.reach(request, await locateAll(request.targets, this.host));
    // What it brings back is there from now on.
    if (decision.allow && (request.tool.kind === 'web' || request.tool.server !== undefined)) this.isTainted = true;
    return decision;
  }

  /** Right before the run: a script that has changed since the call was judged is decided about anew (S21). */
  async confirm(request: PermissionRequest, decision: Decision): Promise<Decision> {
    let current = decision;
    while (current.allow && current.scripts && !(await areUnchanged(current.scripts, this.host))) {
      this.scripts.distrust(current.scripts);
      current = await this.decide(request);
    }
    return current;
  }

  private async reach(request: PermissionRequest, located: Located): Promise<Decision> {
    const first = this.settled(request, located);
    if (first.effect !== 'ask') return first.decision;

    const said = await request.consult?.({ mayAllow: this.couldAllow(request, located) });
    if (said?.effect === 'deny') return { allow: false, status: 'denied', reason: said.because };
    // From here until the person is asked nothing is awaited, so no answer to another call is missed.
    const now = this.settled(request, located);
    if (now.effect !== 'ask') return now.decision;
    if (said?.effect === 'allow' && this.couldAllow(request, located)) return allowed('a hook of yours', located);

    return this.askPerson(request, located, now);
  }

  /** What needs no person, by what a person has said and by the rules. */
  private settled(
    request: PermissionRequest,
    located: Located,
  ): { readonly effect: 'settled'; readonly decision: Decision } | Extract<Verdict, { effect: 'ask' }> {
    const before = this.refused.get(deedOf(request));
    const verdict: Verdict = before === undefined ? this.judge(request, located) : { effect: 'deny', because: before };
    if (verdict.effect === 'ask') return verdict;
    const { effect, because } = verdict;
    const decision: Decision =
      effect === 'allow' ? allowed(because, located) : { allow: false, status: 'denied', reason: because };
    return { effect: 'settled', decision };
  }

  /** Whether an allow rule for the whole tool would do: what is protected, deleted, asked for by a rule or a hook stays with the person. */
  private couldAllow(request: PermissionRequest, located: Located): boolean {
    const { targets } = located;
    if (targets.some(({ op }) => op === 'delete') || !isGrantable(targets, this.host.platform)) return false;
    const rule: Rule = { effect: 'allow', tool: request.tool.name, source: 'session' };
    return this.judge(request, located, [rule]).effect === 'allow';
  }

  private async askPerson(
    request: PermissionRequest,
    located: Located,
    { reasons, parts }: Extract<Verdict, { effect: 'ask' }>,
  ): Promise<Decision> {
    const grants = this.offers(request, located);
    const ask: PermissionAsk = {
      kind: 'permission',
      id: this.host.ids.next('ask'),
      call: request.call,
      ...(request.agent === MAIN_AGENT ? {} : { agent: request.agent }),
      tool: request.tool.name,
      title: request.title,
      reasons,
      ...(parts === undefined ? {} : { parts }),
      ...(request.preview === undefined ? {} : { preview: request.preview }),
      ...(grants.length === 0 ? {} : { grants: grants.map(({ label, rule, mayLast }) => ({ label, rule, mayLast })) }),
    };
    const waiting: Waiting = {
      deed: deedOf(request),
      isAllowed: () => this.judge(request, located).effect === 'allow',
      settle: new AbortController(),
    };
    this.waiting.add(waiting);
    const answer = await request.ask(ask, AbortSignal.any([request.signal, waiting.settle.signal]));
    this.waiting.delete(waiting);

    // An answer to another call in the meantime may have decided this one too.
    const isDecided = answer.kind === 'dismissed' && waiting.settle.signal.aborted && !request.signal.aborted;
    if (!isDecided) return this.conclude(answer, { deed: waiting.deed, grants, located, signal: request.signal });
    const refused = this.refused.get(waiting.deed);
    if (refused === undefined) return allowed('you, for this session', located);
    return { allow: false, status: 'denied', reason: refused };
  }

  /** What would have let the call pass. What a hook asks for is asked again whatever was granted. */
  private offers(request: PermissionRequest, located: Located): readonly Grant[] {
    const { targets } = located;
    if (request.asked?.length || !isGrantable(targets, this.host.platform)) return [];
    const canKeep = this.options.keepRule !== undefined;
    return suggestGrants(request.tool, targets)
      .filter((grant) => {
        const rule = this.ruleOf(grant);
        return rule && this.judge(request, located, [rule], { isScriptKnown: true }).effect === 'allow';
      })
      .map((grant) => ({ ...grant, mayLast: grant.mayLast && canKeep }));
  }

  private conclude(
    answer: AskAnswer,
    at: {
      readonly deed: string;
      readonly grants: readonly Grant[];
      readonly located: Located;
      readonly signal: AbortSignal;
    },
  ): Decision {
    if (answer.kind === 'permission' && answer.decision !== 'deny') {
      // What is kept was shown for the call as it was.
      if (answer.changed !== undefined) return { allow: true, because: 'you, once', changed: answer.changed };
      // Before the grant, which lets through whoever waits for the same.
      this.scripts.allow(at.located.scripts);
      const grant = answer.decision === 'once' ? undefined : at.grants[answer.grant ?? 0];
      if (!grant) return allowed('you, once', at.located);
      this.grant(grant);
      if (answer.decision !== 'always' || !grant.mayLast) return allowed('you, for this session', at.located);
      void this.options.keepRule?.(grant.rule);
      return allowed(`you, for good: ${grant.rule}`, at.located);
    }
    const reason = refusalOf(answer);
    if (answer.kind !== 'permission' && at.signal.aborted) return { allow: false, status: 'stopped', reason };
    this.refuse(at.deed, reason);
    return { allow: false, status: 'denied', reason };
  }

  private refuse(deed: string, reason: string): void {
    this.refused.set(deed, reason);
    for (const waiting of this.waiting) if (waiting.deed === deed) waiting.settle.abort();
  }

  private grant(grant: Grant): void {
    const rule = this.ruleOf(grant);
    if (!rule) return;
    this.grants.push(rule);
    for (const waiting of this.waiting) if (waiting.isAllowed()) waiting.settle.abort();
  }

  private ruleOf({ rule: text, cwd }: Grant): Rule | undefined {
    const rule = parseRule(text, 'allow', 'session');
    if (!rule) return undefined;
    return { ...rule, ...(cwd === undefined ? {} : { cwd }), ...(this.isTainted && { isAfterTaint: true }) };
  }

  private judge(
    { tool, input, mode, asked = [] }: PermissionRequest,
    { targets, scripts }: Located,
    more: readonly Rule[] = [],
    { isScriptKnown = false }: { readonly isScriptKnown?: boolean } = {},
  ): Verdict {
    const changedScripts = isScriptKnown ? [] : this.scripts.changed(scripts);
    const verdict = decide({
      tool,
      isReadOnly: tool.readOnly(input),
      targets: changedScripts.length === 0 ? targets : targets.map((target) => withScripts(target, changedScripts)),
      mode,
      rules: [...this.settings().rules, ...this.grants, ...more],
      platform: this.host.platform,
      isTrusted: this.host.isTrusted(),
      isTainted: this.isTainted,
    });
    if (verdict.effect === 'deny' || asked.length === 0) return verdict;
    return { ...(verdict.effect === 'ask' ? verdict : {}), effect: 'ask', reasons: [...asked, ...reasonsOf(verdict)] };
  }
}

function allowed(because: string, { scripts }: Located): Decision {
  return { allow: true, because, ...(scripts.length === 0 ? {} : { scripts }) };
}

function withScripts(target: LocatedTarget, changedScripts: readonly string[]): LocatedTarget {
  return target.op === 'execute' ? { ...target, changedScripts } : target;
}

function reasonsOf(verdict: Verdict): readonly string[] {
  return verdict.effect === 'ask' ? verdict.reasons : [];
}

/** What a person's no is about: a command in its folder, whatever is said about it; of any other call the whole input. */
function deedOf({ tool, input, targets }: PermissionRequest): string {
  const commands = targets.flatMap((target) => (target.op === 'execute' ? [[target.command, target.cwd]] : []));
  return JSON.stringify([tool.name, commands.length > 0 ? commands : input], inOrder);
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
