// Which model answers the next turn: the one that was chosen, else what the endpoint offers.
import { BUNDLED_MODELS, pickModel, unlisted } from '../provider/models';
import type { ModelInfo, Provider } from '../provider/types';

/** `chosen` is the id as the person set it; empty: none. */
export async function chooseModel(provider: Provider, chosen: string): Promise<ModelInfo> {
  const models = await provider.models();
  // The demo plays its part whatever is set for real endpoints.
  const wanted = provider.isDemo ? '' : chosen.trim();
  if (wanted !== '') return models.find(({ id }) => id === wanted) ?? unlisted(wanted);
  return pickModel(models) ?? pickModel(BUNDLED_MODELS) ?? unlisted('');
}
