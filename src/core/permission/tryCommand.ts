// What would be decided about a command now, without running it: for the person who writes rules.
import type { Mode } from '../../common/modes';
import { ownRepositories } from '../command/repositories';
import { touchedTargets } from '../command/targets';
import { onlyReads, type CommandLine } from '../command/types';
import { loadGrammar, notUnderstood, understand } from '../command/understand';
import type { Host } from '../host';
import { decide } from './decide';
import { locateAll } from './locate';
import { readSettingRules } from './settingRules';
import type { Target, Verdict } from './types';

export interface TriedCommand {
  readonly verdict: Verdict;
  readonly line: CommandLine;
  /** What it would read and change, as people read paths. */
  readonly touches: readonly { readonly op: 'read' | 'write' | 'delete'; readonly shown: string }[];
}

/** `shellTool`: as the rules call it. The rules are those of the settings, without what was allowed for a session. Runs nothing. */
export async function tryCommand(
  command: string,
  at: { readonly host: Host; readonly mode: Mode; readonly cwd: string; readonly shellTool: string },
): Promise<TriedCommand> {
  const { host, mode, cwd } = at;
  await loadGrammar();
  const { name: shell } = host.shell;
  const known =
    shell === 'powershell' ? notUnderstood(command, shell) : understand(command, await ownRepositories(cwd, host));
  const { targets: touched, line } = await touchedTargets(known, cwd, host);
  const isInside = (await host.shell.sandbox?.())?.kind === 'on';
  const execute: Target = { op: 'execute', command, cwd, line, ...(isInside ? { place: 'inside' } : {}) };
  const { targets } = await locateAll([execute, ...touched], host);
  const verdict = decide({
    tool: { name: at.shellTool, kind: 'shell', modes: 'all' },
    isReadOnly: onlyReads(line),
    targets,
    mode,
    rules: readSettingRules(host.settings).rules,
    platform: host.platform,
    isTrusted: host.isTrusted(),
  });
  const touches = targets.flatMap((target) =>
    'path' in target ? [{ op: target.op, shown: target.located.shown }] : [],
  );
  return { verdict, line, touches };
}
