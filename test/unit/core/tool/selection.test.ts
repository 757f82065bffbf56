// Which tools settings leave: by name, alias, glob or server, and only the basic ones.
import assert from 'node:assert/strict';
import { liveSelection } from '../../../../src/core/tool/selection';
import { createSettings, type SettingValues } from '../../../../src/node/settings';
import { TOOLS } from '../../../../src/tools/index';

const CONNECTED = ['mcp__github__get_issue', 'mcp__github__close', 'mcp__git__log'].map((name) => ({
  ...{ name, aliases: [], basic: false },
}));
const ALL = [...TOOLS, ...CONNECTED];
const NAMES = ALL.map(({ name }) => name);

function check(title: string, settings: SettingValues, expected: readonly string[]): void {
  it(title, () => {
    const offBecause = liveSelection(createSettings(settings))();
    assert.deepEqual(
      ALL.filter((tool) => offBecause(tool) === undefined).map(({ name }) => name),
      expected,
    );
  });
}

const without = (...names: readonly string[]) => NAMES.filter((name) => !names.includes(name));

describe('selection of tools', () => {
  check('K04: everything is on by default', {}, NAMES);
  check('K04: disabled by name', { 'tools.disabled': ['bash'] }, without('bash'));
  check('K04: disabled by alias, in any case', { 'tools.disabled': ['Execute-Command'] }, without('bash'));
  check(
    'K04: disabled by glob',
    { 'tools.disabled': ['MCP__github__*', '*write'] },
    without('mcp__github__get_issue', 'mcp__github__close', 'todowrite', 'write'),
  );
  check('K04: a server covers its tools and no others', { 'tools.disabled': ['mcp__git'] }, without('mcp__git__log'));
  check('K04: enabled alone', { 'tools.enabled': ['read', 'mcp__git__*'] }, ['read', 'mcp__git__log']);
  check('K04: disabled wins over enabled', { 'tools.enabled': ['read', 'grep'], 'tools.disabled': ['gr*'] }, ['read']);
  check('K04: blank patterns say nothing', { 'tools.enabled': ['', ' '], 'tools.disabled': [' '] }, NAMES);
  check('K06: the basic tools alone', { 'tools.simple': true }, ['bash', 'edit', 'read']);
  check('K06: less what is disabled', { 'tools.simple': true, 'tools.disabled': ['shell'] }, ['edit', 'read']);

  it('K04 K06: says which setting it is, as it is at that moment', () => {
    const settings: { -readonly [N in keyof SettingValues]: SettingValues[N] } = {};
    const selection = liveSelection(createSettings(settings));
    const said = () => selection()({ name: 'grep', aliases: [], basic: false });
    const off = (name: string) => `grep is turned off in the settings (lathe.tools.${name}). Go on without it.`;
    assert.equal(said(), undefined);
    settings['tools.enabled'] = ['read'];
    assert.equal(said(), off('enabled'));
    settings['tools.simple'] = true;
    assert.equal(said(), off('simple'));
    settings['tools.disabled'] = ['*'];
    assert.equal(said(), off('disabled'));
    settings['tools.disabled'] = [];
    settings['tools.simple'] = false;
    settings['tools.enabled'] = ['grep'];
    assert.equal(said(), undefined);
  });
});
