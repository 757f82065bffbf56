// A key goes where it belongs: to the endpoint it was given for.
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { editorKeys } from '../../../src/vscode/secrets';

const ANTHROPIC = 'https://api.anthropic.com';

/** The editor's secret storage, as a map. */
function storage(): vscode.SecretStorage {
  const kept = new Map<string, string>();
  return {
    keys: async () => [...kept.keys()],
    get: async (key) => kept.get(key),
    store: async (key, value) => void kept.set(key, value),
    delete: async (key) => void kept.delete(key),
    onDidChange: () => ({ dispose() {} }),
  };
}

describe('keys', () => {
  it('are kept per endpoint, however it is written', async () => {
    const keys = editorKeys(storage(), {});
    await keys.set('', 'a');
    await keys.set('http://localhost:1/v1/', 'b');
    const endpoints = [
      '',
      ANTHROPIC,
      `${ANTHROPIC}/`,
      'http://LOCALHOST:1/v1',
      'http://localhost:1',
      'http://localhost:2/v1',
    ];
    const found = await Promise.all(endpoints.map((endpoint) => keys.get(endpoint)));
    assert.deepEqual(found, ['a', 'a', 'a', 'b', undefined, undefined]);
    await keys.remove(ANTHROPIC);
    assert.equal(await keys.get(''), undefined);
  });

  it('of the environment go to the endpoint of the environment only', async () => {
    const env = { ANTHROPIC_API_KEY: 'env' };
    const own = editorKeys(storage(), env);
    const other = editorKeys(storage(), { ...env, ANTHROPIC_BASE_URL: 'http://localhost:1' });
    assert.deepEqual(await Promise.all([own.get(''), own.get('http://localhost:1'), other.get('http://localhost:1')]), [
      'env',
      undefined,
      'env',
    ]);
  });
});
