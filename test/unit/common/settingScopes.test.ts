// Who may set what: a setting that widens what the agent may do, or where keys go, is the person's own.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS, type SettingName } from '../../../src/common/settings';
import { root } from '../../support/sourceTree';

interface Manifest {
  readonly contributes: {
    readonly configuration: { readonly properties: Record<string, { readonly enum?: string[] }> };
  };
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: unknown; readonly restrictedConfigurations: unknown };
  };
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const NAMES = Object.keys(SETTINGS) as SettingName[];

/** All that a workspace may say, and it only narrows. Whatever joins this list has to be looked at by that. */
const NARROWING: readonly SettingName[] = ['permission.ask', 'permission.deny'];

function scopesOf(names: readonly SettingName[]): string[] {
  return names.map((name) => SETTINGS[name].scope);
}

describe('the scopes of settings', () => {
  it('S51 S52: nothing that widens is a workspace’s', () => {
    assert.deepEqual(
      NAMES.filter((name) => scopesOf([name])[0] === 'resource'),
      NARROWING,
    );
  });
  it('S51: the mode, the rules that allow, hooks and servers are the person’s', () => {
    const scopes = scopesOf(['permission.mode', 'permission.allow', 'hooks', 'mcp.servers', 'tools.enabled']);
    assert.deepEqual([...new Set(scopes)], ['application']);
  });
  it('S52: so is where prompts and the key go', () => {
    assert.deepEqual(scopesOf(['baseUrl', 'model']), ['application', 'application']);
    const secrets = NAMES.filter((name) => /key|token|header|secret/i.test(name));
    assert.deepEqual(secrets, ['maxOutputTokens'], 'no setting holds a key');
  });
  it('S51: what commands run on is the machine’s', () => {
    assert.deepEqual(scopesOf(['shell.backend', 'shell.sandbox']), ['machine', 'machine']);
  });
  it('S51: no setting makes bypass the mode of a new session', () => {
    const { configuration } = manifest.contributes;
    assert.equal(configuration.properties['lathe.permission.mode']?.enum?.includes('bypass'), false);
  });
  it('S50: what a workspace may say counts only once it is trusted', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    assert.deepEqual(
      restrictedConfigurations,
      NARROWING.map((name) => `lathe.${name}`),
    );
  });
});
