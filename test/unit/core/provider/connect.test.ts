// Who answers: the demo model, Anthropic or the endpoint that is set.
import assert from 'node:assert/strict';
import { SETTINGS, type SettingName, type SettingValue } from '../../../../src/common/settings';
import { connector } from '../../../../src/core/provider/connect';
import { demoProvider } from '../../../../src/core/provider/demo';
import { pickModel, readModel } from '../../../../src/core/provider/models';
import { createIds } from '../../../../src/node/ids';
import { systemClock } from '../../../../src/node/clock';

const log = { info: () => {}, warn: () => {}, error: () => {} };

function connect(state: { baseUrl: string; apiKey: string | undefined }) {
  const settings = {
    get: <N extends SettingName>(name: N): SettingValue<N> =>
      name === 'baseUrl' ? state.baseUrl : SETTINGS[name].default,
  };
  return connector({
    host: { web: { fetch }, log, settings },
    apiKey: () => Promise.resolve(state.apiKey),
    demo: () => Promise.resolve(demoProvider({ clock: systemClock, ids: createIds(systemClock) })),
  });
}

describe('connector', () => {
  const check = (name: string, baseUrl: string, apiKey: string | undefined, label: string): void => {
    it(name, async () => assert.equal((await connect({ baseUrl, apiKey })()).label, label));
  };
  check('neither key nor endpoint: the demo', '', undefined, 'Demo model');
  check('an empty key is none', '', ' ', 'Demo model');
  check('a key: Anthropic', '', 'sk-1', 'Anthropic');
  check('an endpoint needs no key', 'http://localhost:11434', undefined, 'localhost:11434');
  check('an endpoint with a key', 'https://models.example.com/anthropic', 'sk-1', 'models.example.com');

  it('keeps the provider until key or endpoint change', async () => {
    const state = { baseUrl: '', apiKey: 'sk-1' };
    const provider = connect(state);
    const first = await provider();
    assert.equal(await provider(), first);
    state.apiKey = 'sk-2';
    assert.notEqual(await provider(), first);
  });
});

describe('models', () => {
  const check = (name: string, ids: string[], expected: string | undefined): void => {
    it(name, () => assert.equal(pickModel(ids.flatMap((id) => readModel({ id }) ?? []))?.id, expected));
  };
  check('the newest sonnet', ['claude-opus-9', 'claude-sonnet-9', 'claude-sonnet-8'], 'claude-sonnet-9');
  check('a coder where there is no sonnet', ['llama4', 'qwen3-coder'], 'qwen3-coder');
  check('else the first', ['llama4', 'gemma'], 'llama4');
  check('none', [], undefined);

  it('reads a list that has ids only, and leaves out what is on its way out', () => {
    assert.deepEqual(readModel({ id: 'llama4', object: 'model' }), {
      id: 'llama4',
      label: 'llama4',
      contextWindow: 0,
      maxOutputTokens: 0,
      readsImages: true,
      thinks: false,
    });
    assert.equal(readModel({ id: 'old', lifecycle: 'deprecated' }), undefined);
    assert.equal(readModel({ name: 'no id' }), undefined);
  });
});
