// What somebody may have typed into the setting.
import assert from 'node:assert/strict';
import { readServers } from '../../../../src/core/mcp/config';

function check(title: string, setting: unknown, problem: string): void {
  it(title, () => {
    const { servers, problems } = readServers({ good: { command: 'x' }, bad: setting });
    assert.deepEqual(problems, [`The MCP server bad is left out: ${problem}`]);
    assert.deepEqual(servers, [
      { name: 'good', key: 'good', endpoint: { kind: 'program', command: 'x', args: [], env: {} } },
    ]);
  });
}

describe('the setting mcp.servers', () => {
  check('not an object', 'npx x', 'its entry in lathe.mcp.servers must be an object.');
  check('nothing to start', {}, 'it needs either "command" or "url".');
  check('two things to start', { command: 'a', url: 'http://b' }, 'it needs either "command" or "url".');
  check('no program', { command: ' ' }, '"command" must be the name of a program.');
  check('arguments in one text', { command: 'a', args: '-y b' }, '"args" must be a list of strings.');
  check('numbers in the environment', { command: 'a', env: { PORT: 1 } }, '"env" must be an object of strings.');
  check('a file', { url: 'file:///etc' }, '"url" must be an address that begins with http:// or https://.');
  check('no address', { url: 'nowhere' }, '"url" must be an address that begins with http:// or https://.');
  check('headers in a list', { url: 'http://a', headers: ['A: b'] }, '"headers" must be an object of strings.');

  it('reads what is right', () => {
    const headers = { Authorization: 'x' };
    const setting = { 'b b': { url: 'https://a/mcp', headers }, a: { command: 'npx', args: ['-y'], env: { K: 'v' } } };
    assert.deepEqual(readServers(setting), {
      servers: [
        { name: 'a', key: 'a', endpoint: { kind: 'program', command: 'npx', args: ['-y'], env: { K: 'v' } } },
        { name: 'b b', key: 'b_b', endpoint: { kind: 'http', url: 'https://a/mcp', headers } },
      ],
      problems: [],
    });
    assert.deepEqual(readServers([]), { servers: [], problems: ['lathe.mcp.servers must be an object of servers.'] });
  });
});
