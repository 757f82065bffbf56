// Which tools the person's settings leave to the model, as they are at the moment of a call [K04, K06].
import picomatch from 'picomatch';
import type { Settings } from '../../common/settings';
import { foldName } from './names';
import type { Tool } from './tool';

type Selectable = Pick<Tool, 'name' | 'aliases' | 'basic'>;

/** For the model: why the tool is not there; undefined when it is. */
export type OffBecause = (tool: Selectable) => string | undefined;

/** Answers what holds now: the settings are read each time, what they match is worked out anew only when they have changed. */
export function liveSelection(settings: Settings): () => OffBecause {
  let key: string | undefined;
  let judge: OffBecause = () => undefined;
  return () => {
    const now = selectionKey(settings);
    if (now !== key) judge = remembered(selectionOf(settings));
    key = now;
    return judge;
  };
}

/** The same text for the same selection. */
export function selectionKey(settings: Settings): string {
  const lists = [settings.get('tools.enabled'), settings.get('tools.disabled')];
  return JSON.stringify([...lists, settings.get('tools.simple')]);
}

function selectionOf(settings: Settings): OffBecause {
  const isEnabled = matcherOf(settings.get('tools.enabled'));
  const isDisabled = matcherOf(settings.get('tools.disabled'));
  const isSimple = settings.get('tools.simple');
  return (tool) => {
    if (isDisabled?.(tool)) return off(tool, 'disabled');
    if (isSimple && !tool.basic) return off(tool, 'simple');
    return isEnabled && !isEnabled(tool) ? off(tool, 'enabled') : undefined;
  };
}

function off({ name }: Selectable, setting: 'enabled' | 'disabled' | 'simple'): string {
  return `${name} is turned off in the settings (lathe.tools.${setting}). Go on without it.`;
}

/** Names and aliases in any case, globs, and `mcp__server` for all tools of a server. Undefined when there is no pattern. */
function matcherOf(patterns: readonly string[]): ((tool: Selectable) => boolean) | undefined {
  const matchers = patterns
    .map((pattern) => pattern.trim())
    .filter(Boolean)
    .map(matchName);
  if (matchers.length === 0) return undefined;
  return ({ name, aliases }) => [name, ...aliases].some((known) => matchers.some((matches) => matches(known)));
}

function matchName(pattern: string): (name: string) => boolean {
  if (!/^[\w-]+$/.test(pattern)) return picomatch(pattern, { nocase: true });
  const folded = foldName(pattern);
  const prefix = `${pattern}__`.toLowerCase();
  return (name) => foldName(name) === folded || (prefix.startsWith('mcp__') && name.toLowerCase().startsWith(prefix));
}

function remembered(judge: OffBecause): OffBecause {
  const known = new WeakMap<object, { readonly because: string | undefined }>();
  return (tool) => {
    const judged = known.get(tool) ?? { because: judge(tool) };
    known.set(tool, judged);
    return judged.because;
  };
}
