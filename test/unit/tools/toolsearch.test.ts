// The tool `toolsearch`: the forms of a query, and what an answer holds.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/common/json';
import { TOOLS } from '../../../src/tools/index';
import { offeredTool } from '../../support/offeredTool';
import { withTools } from '../../support/toolTest';

const ISSUE_SCHEMA = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] } as const;
const WIDE = { type: 'object', properties: { text: { type: 'string', description: 'x'.repeat(12_000) } } } as const;

const OFFERED = [
  offeredTool({ server: 'github', name: 'create_issue', description: 'Opens an issue', schema: ISSUE_SCHEMA }),
  offeredTool({ server: 'github', name: 'list_issues', description: 'Lists issues' }),
  ...Array.from({ length: 30 }, (_, at) => offeredTool({ server: 'wide', name: `page${at}`, schema: WIDE })),
  offeredTool({
    ...{ server: 'huge', name: 'monster' },
    schema: { type: 'object', properties: { text: { type: 'string', description: 'y'.repeat(60_000) } } },
  }),
];
const NONE = /^There are no further tools: all that can be used are in your tool list\.$/;
const EMPTY = '{"type":"object","properties":{}}';
const ISSUE = `mcp__github__create_issue\nOpens an issue\nInput schema: ${JSON.stringify(ISSUE_SCHEMA)}`;
const ISSUES = `mcp__github__list_issues\nLists issues\nInput schema: ${EMPTY}`;

function check(title: string, input: JsonObject, expected: string | RegExp, status = 'done'): void {
  it(`X01: ${title}`, () =>
    withTools(
      {},
      async ({ call }) => {
        const result = await call('toolsearch', input);
        const text = expected instanceof RegExp && expected.test(result.text) ? expected : result.text;
        assert.deepEqual({ text, status: result.status }, { text: expected, status });
        assert.ok(result.text.length <= 31_000, `${result.text.length} characters`);
      },
      { connected: () => OFFERED },
    ));
}

describe('toolsearch', () => {
  check('by exact name in any case', { query: 'MCP__GitHub__create-issue' }, ISSUE);
  check('by words, best first', { query: 'create issue' }, `${ISSUE}\n\n${ISSUES}`);
  check(
    'as many as are wanted',
    { query: 'issue', max_results: 1 },
    `${ISSUE}\n(1 more matches: name them, or narrow the query.)`,
  );
  check('what every match must have', { query: '+list +issue' }, ISSUES);
  check(
    'several by name',
    { query: 'select:mcp__github__list_issues, mcp__github__create_issue' },
    `${ISSUES}\n\n${ISSUE}`,
  );
  check(
    'names that are not there get the nearest',
    { query: 'select:mcp__github__list_isues,mcp__github__create_issue' },
    `${ISSUE}\nThere is no tool called "mcp__github__list_isues". The nearest are: mcp__github__list_issues.`,
  );
  check(
    'none of the names',
    { query: 'select:xyzzyx' },
    /^There is no tool called "xyzzyx"\. There are: bash, call, /,
    'failed',
  );
  check('no names at all', { query: 'select:' }, 'No tool is named after select:.', 'failed');
  check(
    'a tool of the list',
    { query: 'Bash' },
    /^bash\nRuns [^]*\nIn your tool list already, to be called by name: bash\.$/,
  );
  check(
    'nothing that matches',
    { query: 'zzz qqq' },
    /^No tool matches "zzz qqq"\. Further tools there are: delete, .*, mcp__github__create_issue, .* and \d more\.$/,
  );
  it('X01: nothing but what is in the list', () =>
    withTools({}, async ({ call }) => assert.match((await call('toolsearch', { query: 'any' })).text, NONE), {
      settings: { 'tools.disabled': TOOLS.filter(({ deferred }) => deferred).map(({ name }) => name) },
    }));
  check('a blank query', { query: '  ' }, 'The query is blank. Say in a few words what the tool has to do.', 'failed');
  check(
    'whole schemas only, as many as fit',
    { query: 'page', max_results: 20 },
    /^mcp__wide__page0\n[^]*\n\(28 more match: name them, or narrow the query\.\)$/,
  );
  check(
    'a schema too long for any answer is cut, and stored whole',
    { query: 'monster' },
    /^mcp__huge__monster\n[^]*output[^]*c1/,
  );

  it('X01: reads only, so that it runs in plan mode and beside others', () =>
    withTools(
      {},
      async ({ call, asks }) => {
        assert.equal((await call('ToolSearch', { query: 'issue', max_results: '2' })).status, 'done');
        assert.deepEqual(asks, []);
      },
      { connected: () => OFFERED, mode: 'plan' },
    ));

  it('K04: what is turned off is not found', () =>
    withTools(
      {},
      async ({ call }) => {
        assert.equal((await call('toolsearch', { query: 'issue' })).text, ISSUES);
        assert.equal(
          (await call('toolsearch', { query: 'select:mcp__github__create_issue' })).text,
          'mcp__github__create_issue is turned off in the settings (lathe.tools.disabled). Go on without it.',
        );
      },
      { connected: () => OFFERED, settings: { 'tools.disabled': ['*create_issue'] } },
    ));
});
