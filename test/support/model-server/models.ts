// The models that the scripted server offers, and the pages in which the API lists them.
import type { ModelCapabilities, ModelInfo } from '@anthropic-ai/sdk/resources/models';

const DEFAULT_PAGE_ITEMS = 20;

export interface ModelPage {
  data: ModelInfo[];
  has_more: boolean;
  first_id: string | null;
  last_id: string | null;
}

export const DEFAULT_MODELS: readonly ModelInfo[] = [
  model('claude-sonnet-5-5', 'Claude Sonnet 5.5', { line: 'sonnet', max_input_tokens: 1_000_000, max_tokens: 128_000 }),
  model('claude-haiku-5-5', 'Claude Haiku 5.5', { line: 'haiku', max_input_tokens: 200_000, max_tokens: 64_000 }),
  model('claude-opus-5', 'Claude Opus 5', { line: 'opus', max_input_tokens: 200_000, max_tokens: 64_000 }),
  model('claude-opus-4-1', 'Claude Opus 4.1', {
    line: 'opus',
    max_input_tokens: 200_000,
    max_tokens: 32_000,
    lifecycle: 'deprecated',
    deprecated_at: '2026-06-01T00:00:00Z',
    retires_at: '2027-01-22T00:00:00Z',
  }),
];

/** Makes a model as the API describes it: it can do everything, unless `changes` say otherwise. */
export function model(id: string, displayName: string, changes: Partial<ModelInfo> = {}): ModelInfo {
  return {
    id,
    type: 'model',
    display_name: displayName,
    created_at: '2026-01-01T00:00:00Z',
    deprecated_at: null,
    retires_at: null,
    lifecycle: 'active',
    line: null,
    max_input_tokens: 200_000,
    max_tokens: 64_000,
    capabilities: fullCapabilities(),
    ...changes,
  };
}

/** Cuts the page that a query asks for: `limit`, `after_id`, `before_id`, `lifecycle[]`. */
export function pageOfModels(models: readonly ModelInfo[], query: URLSearchParams): ModelPage {
  const wanted = [...query.getAll('lifecycle'), ...query.getAll('lifecycle[]')];
  const stages = wanted.length > 0 ? wanted : ['active', 'deprecated'];
  const listed = models.filter((item) => stages.includes(item.lifecycle));
  const limit = Number(query.get('limit') ?? DEFAULT_PAGE_ITEMS);
  const before = query.get('before_id');
  if (before !== null) {
    const end = Math.max(0, positionOf(listed, before));
    const start = Math.max(0, end - limit);
    return pageOf(listed.slice(start, end), start > 0);
  }
  const after = query.get('after_id');
  const start = after === null ? 0 : positionOf(listed, after) + 1;
  return pageOf(listed.slice(start, start + limit), start + limit < listed.length);
}

function positionOf(models: readonly ModelInfo[], id: string): number {
  return models.findIndex((item) => item.id === id);
}

function pageOf(data: ModelInfo[], has_more: boolean): ModelPage {
  return { data, has_more, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}

function fullCapabilities(): ModelCapabilities {
  const yes = { supported: true };
  return {
    batch: yes,
    citations: yes,
    code_execution: yes,
    context_management: {
      supported: true,
      clear_thinking_20251015: yes,
      clear_tool_uses_20250919: yes,
      compact_20260112: yes,
    },
    effort: { supported: true, low: yes, medium: yes, high: yes, xhigh: yes, max: yes },
    image_input: yes,
    pdf_input: yes,
    server_tools: { supported: true, code_execution: yes, web_search: yes },
    structured_outputs: yes,
    thinking: { supported: true, types: { adaptive: yes, between_tools: yes, disabled: yes, enabled: yes } },
  };
}
