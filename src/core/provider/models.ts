// The models an endpoint serves: as it lists them, else a bundled list; and which one is used when none is chosen.
import type { ModelInfo } from './types';

/** Source: the SDK's model list of November 2026; used only while an endpoint cannot be asked. */
export const BUNDLED_MODELS: readonly ModelInfo[] = [
  bundled('claude-sonnet-5-5', 'Claude Sonnet 5.5', 1_000_000, 128_000),
  bundled('claude-opus-5-5', 'Claude Opus 5.5', 200_000, 64_000),
  bundled('claude-haiku-5-5', 'Claude Haiku 5.5', 200_000, 64_000),
];

function bundled(id: string, label: string, contextWindow: number, maxOutputTokens: number): ModelInfo {
  return { id, label, contextWindow, maxOutputTokens, readsImages: true, thinks: true };
}

/** The one that is used when the person has chosen none: the newest that suits coding. Endpoints list the newest first. */
export function pickModel(models: readonly ModelInfo[]): ModelInfo | undefined {
  return (
    models.find(({ id }) => /sonnet/i.test(id)) ?? models.find(({ id }) => /opus|coder|code/i.test(id)) ?? models[0]
  );
}

/** A model that the endpoint does not list may well be served all the same: nothing is claimed for it but what its name says. */
export function unlisted(id: string): ModelInfo {
  return { id, label: id, contextWindow: 0, maxOutputTokens: 0, readsImages: seesByName(id), thinks: false };
}

/** Families that see, for endpoints that do not say. Any other is taken to see nothing: an image it does not take would fail each later request. */
const SEEING = /claude|gpt-?(?:4o|4\.1|5)|gemini|llava|pixtral|vision|[-_]vl|gemma-?3|llama-?4/i;

function seesByName(id: string): boolean {
  return SEEING.test(id);
}

/** Every field may be missing: compatible endpoints list ids only. Undefined for what should not be used any more. */
export function readModel(listed: unknown): ModelInfo | undefined {
  const { id, display_name, max_input_tokens, max_tokens, capabilities, lifecycle } = Object(listed) as ListedModel;
  if (typeof id !== 'string' || id === '' || (lifecycle !== undefined && lifecycle !== 'active')) return undefined;
  return {
    id,
    label: display_name || id,
    contextWindow: max_input_tokens ?? 0,
    maxOutputTokens: max_tokens ?? 0,
    readsImages: capabilities?.image_input?.supported ?? seesByName(id),
    thinks: capabilities?.thinking?.types?.adaptive?.supported ?? false,
  };
}

interface Capability {
  readonly supported?: boolean;
}

interface ListedModel {
  readonly id?: unknown;
  readonly display_name?: string;
  readonly max_input_tokens?: number | null;
  readonly max_tokens?: number | null;
  readonly lifecycle?: string;
  readonly capabilities?: {
    readonly image_input?: Capability | null;
    readonly thinking?: { readonly types?: { readonly adaptive?: Capability } } | null;
  } | null;
}
