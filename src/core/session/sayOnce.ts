// Notices about what the session runs in: each is told once, at the start of the turn in which it first holds.
import type { EventBody } from '../../common/events';
import type { Host } from '../host';
import { ruleNotices } from '../permission/settingRules';
import { sandboxWarning } from '../sandbox';
import type { SandboxState } from '../shell';
import { NO_FOLDER_NOTICE } from './notices';

export interface Surroundings {
  readonly host: Pick<Host, 'roots'>;
  readonly sandbox: SandboxState;
  readonly rules: Parameters<typeof ruleNotices>[0];
  readonly tools: Parameters<typeof ruleNotices>[1];
}

/** Held state: what was said. */
export class SayOnce {
  private readonly said = new Set<string>();

  constructor(private readonly emit: (event: EventBody) => void) {}

  about({ host, sandbox, rules, tools }: Surroundings): void {
    if (host.roots().length === 0) this.say('folder', NO_FOLDER_NOTICE);
    const warning = sandboxWarning(sandbox);
    for (const text of [...ruleNotices(rules, tools), ...(warning === undefined ? [] : [warning])]) {
      this.say(text, { type: 'notice', level: 'warning', text });
    }
  }

  private say(key: string, event: EventBody): void {
    if (!this.said.has(key)) this.emit(event);
    this.said.add(key);
  }
}
