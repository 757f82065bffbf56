// The search among tools: which are found, and which come first.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { rankTools } from '../../../../src/core/tool/search';

const tool = (name: string, description: string, searchHint = '', server = 'github') => ({
  ...{ name, description, searchHint, server },
});
const TOOLS = [
  tool('mcp__github__create_issue', 'Opens a new issue in a repository'),
  tool('mcp__github__list_issues', 'Lists the issues of a repository'),
  tool('mcp__github__createPullRequest', 'Proposes changes for review'),
  tool('mcp__wiki__search', 'Finds pages', '', 'wiki'),
  { name: 'refactor', description: 'Renames symbols', searchHint: 'rename move organise imports' },
];

function check(query: string, ...expected: readonly string[]): void {
  it(`X01: ${JSON.stringify(query)} finds ${expected.join(', ') || 'nothing'}`, () =>
    assert.deepEqual(
      rankTools(query, TOOLS).map(({ name }) => name.replace('mcp__github__', '')),
      expected,
    ));
}

describe('rankTools', () => {
  check('create issue', 'create_issue', 'createPullRequest', 'list_issues');
  check('createIssue', 'create_issue', 'createPullRequest', 'list_issues');
  check('ISSUES', 'list_issues', 'create_issue');
  check('+pull create', 'createPullRequest');
  check('+github +review', 'createPullRequest');
  check('rename', 'refactor');
  check('wiki', 'mcp__wiki__search');
  check('git', 'createPullRequest', 'create_issue', 'list_issues');
  check('mcp');
  check('+');
  check('zzz');
  check('a');
  check('+zzz issue');

  it('X01: any query finds tools of the list, each once, in the same order each time', () => {
    fc.assert(
      fc.property(fc.string(), (query) => {
        const found = rankTools(query, TOOLS);
        assert.equal(new Set(found).size, found.length);
        assert.ok(found.every((one) => TOOLS.includes(one)));
        assert.deepEqual(rankTools(query, [...TOOLS].reverse()), found);
      }),
    );
  });
});
