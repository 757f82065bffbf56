// Which model answers the next turn: the one that was chosen, else what the endpoint offers.
import { BUNDLED_MODELS, pickModel, unlisted } from '../provider/models';
import type { ModelInfo, Provider } from '../provider/types';
import type { Session, SessionOptions } from './types';

/** A provider, and the one of its models that was chosen. */
export interface Answerer {
  readonly provider: Provider;
  readonly model: ModelInfo;
}

/** Held state of a session: what answers, from the first turn that could begin on. */
export class Answering {
  /** Set by the turn that goes on with it: a connection that came too late answers nothing. */
  current: Answerer | undefined;

  constructor(private readonly options: Pick<SessionOptions, 'host' | 'provider' | 'model'>) {}

  /** Asked anew for each turn. Rejects with a ProviderFault where the endpoint does not answer. */
  async connect(): Promise<Answerer> {
    const provider = await this.options.provider();
    return { provider, model: await chooseModel(provider, this.chosen()) };
  }

  get seesImages(): boolean {
    return this.current?.model.readsImages ?? false;
  }

  describe(contextTokens: number): ReturnType<Session['model']> {
    const { provider, model } = this.current ?? {};
    return {
      label: model?.label ?? this.chosen(),
      isDemo: provider?.isDemo ?? false,
      contextTokens,
      contextWindow: model?.contextWindow ?? 0,
    };
  }

  private chosen(): string {
    return this.options.model ?? this.options.host.settings.get('model');
  }
}

/** `chosen` is the id as the person set it; empty: none. */
async function chooseModel(provider: Provider, chosen: string): Promise<ModelInfo> {
  const models = await provider.models();
  // The demo plays its part whatever is set for real endpoints.
  const wanted = provider.isDemo ? '' : chosen.trim();
  if (wanted !== '') return models.find(({ id }) => id === wanted) ?? unlisted(wanted);
  return pickModel(models) ?? pickModel(BUNDLED_MODELS) ?? unlisted('');
}
