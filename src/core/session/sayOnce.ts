// Notices about what the session runs in: each is told once, at the start of the turn in which it first holds.
import type { EventBody } from '../../common/events';
import type { SettingName } from '../../common/settings';
import type { Host } from '../host';
import { ruleNotices } from '../permission/settingRules';
import { sandboxWarning } from '../sandbox';
import type { SandboxState } from '../shell';
import { NO_FOLDER_NOTICE } from './notices';

export interface Surroundings {
  readonly host: Pick<Host, 'roots' | 'settings'>;
  readonly sandbox: SandboxState;
  readonly rules: Parameters<typeof ruleNotices>[0];
  readonly tools: Parameters<typeof ruleNotices>[1];
}

/** Held state: what was said. */
export class SayOnce {
  private readonly said = new Set<string>();

  constructor(private readonly emit: (event: EventBody) => void) {}

  async about({ host, sandbox, rules, tools }: Surroundings): Promise<void> {
    if (host.roots().length === 0) this.say('folder', NO_FOLDER_NOTICE);
    const warning = sandboxWarning(sandbox);
    const ignored = (await host.settings.ignored?.()) ?? [];
    const own = ignored.length === 0 ? [] : [ignoredNotice(ignored)];
    for (const text of [...ruleNotices(rules, tools), ...(warning === undefined ? [] : [warning]), ...own]) {
      this.say(text, { type: 'notice', level: 'warning', text });
    }
  }

  private say(key: string, event: EventBody): void {
    if (!this.said.has(key)) this.emit(event);
    this.said.add(key);
  }
}

/** A repository that does so may mean harm, or not know better (S51). */
function ignoredNotice(names: readonly SettingName[]): string {
  const listed = names.map((name) => `lathe.${name}`).join(', ');
  const [verb, it] = names.length === 1 ? ['is', 'It has'] : ['are', 'They have'];
  return `The settings of this workspace name ${listed}, which ${verb} yours alone to set. ${it} no effect here.`;
}
