// Hooks around calls: real shell commands in whole turns, what they decide, and what they cannot.
import assert from 'node:assert/strict';
import { TOOLS } from '../../src/tools/index';
import { eventually } from '../support/eventually';
import { at, check, decides, kept, keeps, labelOf, meets, PEEKED, permits, replaces, says } from '../support/hookTest';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { countedTools } from '../support/sessionTest';

describe('O07: PreToolUse hooks', () => {
  check('deny by exit code 2, whose error output is the reason', {
    hooks: at('PreToolUse', 'echo "not on Fridays" >&2; exit 2'),
    results: [/^denied: The hook “.*” denied this call: not on Fridays$/],
    lastWords: /not on Fridays/,
  });
  check('deny in JSON, whatever other hooks allow or ask', {
    hooks: at('PreToolUse', decides('allow'), decides('ask'), decides('deny', 'no pokes')),
    results: [/^denied: .*no pokes$/],
  });
  check('the old form of a deny', {
    hooks: at('PreToolUse', says({ decision: 'block', reason: 'old but clear' })),
    results: [/^denied: .*old but clear$/],
  });
  check('ask a person even where everything runs', {
    hooks: at('PreToolUse', decides('allow'), decides('ask', 'look at it')),
    answer: 'once',
    reasons: [[`The hook “${labelOf(decides('ask', 'look at it'))}” asks: look at it`]],
    runs: ['poke:a'],
    results: [/^done: poke a$/],
  });
  check('ask again for each call, and a no is a no', {
    hooks: at('PreToolUse', decides('ask')),
    replies: [reply(toolUse('poke', { id: 'a' }), toolUse('poke', { id: 'b' })), reply(text('Done'))],
    answer: 'deny',
    reasons: Array(2).fill([`The hook “${labelOf(decides('ask'))}” asks: because`]),
    results: [/^denied: The person declined/, /^denied: The person declined/],
    also: ({ of }) =>
      assert.deepEqual(
        of('ask/opened').map(({ ask }) => 'grants' in ask),
        [false, false],
      ),
  });
  check('a word that is no decision asks a person', {
    hooks: at('PreToolUse', decides('perhaps')),
    answer: 'once',
    reasons: [[`The hook “${labelOf(decides('perhaps'))}” asks: because`]],
    runs: ['poke:a'],
    notices: [/answered with the decision "perhaps", which is none\./],
  });
  check('replace the input; the last in the order of the setting wins, and the model is told', {
    hooks: at('PreToolUse', `sleep 0.3; ${replaces({ id: 'x' })}`, replaces({ id: 'y' })),
    runs: ['poke:y'],
    results: [/^done: poke y$/],
    notices: [/replaced the input of poke: \{"id":"y"\}$/],
    lastWords: /replaced the input of poke \(toolu_[^)]*\), which is now: \{.*y/,
    also: ({ of }) =>
      assert.deepEqual(
        of('tool/queued').map(({ title }) => title),
        ['Poke a', 'Poke y'],
      ),
  });
  check('a replaced input is checked like the model’s own', {
    hooks: at('PreToolUse', replaces({ id: ['no'] })),
    results: [/^failed: The hook “.*” put in another input, and it does not fit: .*id.* The call did not run/s],
  });
  check('a replaced input that is no object', {
    hooks: at('PreToolUse', replaces('rm')),
    results: [/^failed: The hook “.*” put in another input, and it is no object\./],
  });
  check('add context, which follows the results', {
    hooks: at('PreToolUse', decides('allow', '', { additionalContext: 'Mind the step.' })),
    runs: ['poke:a'],
    results: [/^done: poke a$/],
    notices: [/told the model: Mind the step\.$/],
    lastWords: /tool_result.*From a hook of the person’s, about poke \(toolu_[^)]*\):\\nMind the step\./,
  });
  check('add context, also where the call does not come to run', {
    hooks: at('PreToolUse', decides('ask', 'look', { additionalContext: 'Mind the step.' })),
    answer: 'deny',
    reasons: [[`The hook “${labelOf(decides('ask', 'look'))}” asks: look`]],
    results: [/^denied: The person declined/],
    notices: [/told the model: Mind the step\.$/],
    lastWords: /tool_result.*Mind the step\./,
  });
  check('run at the same time', {
    hooks: at('PreToolUse', meets('one', 'two'), meets('two', 'one')),
    runs: ['poke:a'],
    notices: [],
  });
  check('run only for the tools that they name, by alias too and whatever the case', {
    hooks: {
      PreToolUse: [
        { matcher: 'pee', hooks: [{ type: 'command', command: 'exit 2' }] },
        { matcher: 'PEEK|edit', hooks: [{ type: 'command', command: 'exit 2 # both' }] },
        { matcher: 'write_file', hooks: [{ type: 'command', command: 'echo "alias" >&2; exit 2' }] },
      ],
    },
    tools: [...countedTools().tools, ...TOOLS],
    replies: [
      reply(toolUse('peek', { id: 'a' })),
      reply(toolUse('write', { file_path: 'a.txt', content: 'a' })),
      reply(text('Done')),
    ],
    results: [/^denied: .*It gave no reason\.$/, /^denied: .*alias$/],
  });
  check('stop the whole turn', {
    hooks: at('PreToolUse', says({ continue: false, stopReason: 'enough' })),
    replies: [reply(toolUse('poke', { id: 'a' }), toolUse('poke', { id: 'b' }))],
    ends: ['stopped'],
    results: [
      /^stopped: Not run: a hook stopped the turn: enough$/,
      /^stopped: Not run: a hook stopped the turn: enough$/,
    ],
    notices: [/stopped the turn: enough$/],
  });
});

describe('O07: a hook’s allow', () => {
  const files = { 'a.txt': 'a' };
  const write = (path: string) => [reply(toolUse('write', { file_path: path, content: '{}' })), reply(text('Done'))];
  const allow = { ...at('PreToolUse', decides('allow')), ...at('PermissionRequest', permits('allow')) };

  check('is not one over the mode', {
    hooks: allow,
    tools: TOOLS,
    mode: 'plan',
    files,
    replies: write('b.txt'),
    results: [/^denied: The session is in Plan mode/],
  });
  check('is not one over what governs the agent', {
    hooks: allow,
    tools: TOOLS,
    mode: 'bypass',
    files,
    replies: write('AGENTS.md'),
    answer: 'deny',
    reasons: [['Changes what governs the agent: AGENTS.md']],
    results: [/^denied: The person declined/],
  });
  check('is not one over a protected path', {
    hooks: allow,
    tools: TOOLS,
    mode: 'acceptEdits',
    files,
    replies: write('package.json'),
    answer: 'deny',
    reasons: [['Changes what runs by itself later: package.json']],
    results: [/^denied: The person declined/],
  });
  check('before a call does not keep the person from being asked', {
    hooks: at('PreToolUse', decides('allow')),
    mode: 'ask',
    answer: 'deny',
    reasons: [['Uses the counter']],
    results: [/^denied: The person declined/],
  });
  check('when the person is about to be asked is one, where a rule could say it', {
    hooks: at('PermissionRequest', permits('allow')),
    mode: 'ask',
    runs: ['poke:a'],
    notices: [/^The hook “.*” allowed: Poke a$/],
  });
  check('is not one over another hook’s question', {
    hooks: { ...at('PreToolUse', decides('ask', 'a person, please')), ...at('PermissionRequest', permits('allow')) },
    answer: 'once',
    reasons: [[`The hook “${labelOf(decides('ask', 'a person, please'))}” asks: a person, please`]],
    runs: ['poke:a'],
  });
  check('for another input is none', {
    hooks: at('PermissionRequest', permits('allow', { updatedInput: { id: 'b' } })),
    mode: 'ask',
    answer: 'once',
    reasons: [['Uses the counter']],
    runs: ['poke:a'],
    notices: [/allowed with another input, which is not possible here/],
  });
});

describe('O07: PermissionRequest hooks', () => {
  check('deny before the person is asked', {
    hooks: at('PermissionRequest', permits('deny', { message: 'ask me on Monday' })),
    mode: 'ask',
    results: [/^denied: The hook “.*” denied this call: ask me on Monday$/],
  });
  check('do not run where nobody has to be asked', {
    hooks: at('PermissionRequest', 'exit 2'),
    runs: ['poke:a'],
    results: [/^done/],
  });
});

describe('O07: hooks after a call', () => {
  const tell = (event: string) => says({ hookSpecificOutput: { hookEventName: event, additionalContext: 'Noted.' } });

  check('add context', {
    hooks: at('PostToolUse', tell('PostToolUse')),
    runs: ['poke:a'],
    results: [/^done: poke a$/],
    notices: [/told the model: Noted\.$/],
    lastWords: /poke a.*From a hook of the person’s, about poke \(toolu_[^)]*\):\\nNoted\./,
  });
  check('tell the model that they object; the result stays as it is', {
    hooks: at('PostToolUse', 'echo "lint: 2 errors" >&2; exit 2'),
    runs: ['poke:a'],
    results: [/^done: poke a$/],
    notices: [/objects to Poke a: lint: 2 errors$/],
    lastWords: /A hook of the person’s objects to poke \(toolu_[^)]*\): lint: 2 errors/,
  });
  check('are told what failed, by an event of its own', {
    hooks: { ...at('PostToolUse', 'exit 2'), ...at('PostToolUseFailure', `${keeps()}; ${tell('PostToolUseFailure')}`) },
    tools: TOOLS,
    replies: [reply(toolUse('bash', { command: 'exit 7' })), reply(text('Done'))],
    notices: [/told the model: Noted\.$/],
    lastWords: /Noted\./,
    also: async (test) => {
      const { hook_event_name, tool_name, tool_input, error, is_interrupt } = await kept(test);
      assert.deepEqual(
        { hook_event_name, tool_name, tool_input, is_interrupt },
        {
          hook_event_name: 'PostToolUseFailure',
          tool_name: 'bash',
          tool_input: { command: 'exit 7' },
          is_interrupt: false,
        },
      );
      assert.match(String(error), /7/);
    },
  });
});

describe('O07: what a hook is told', () => {
  check('before a call', {
    hooks: at('PreToolUse', keeps()),
    runs: ['poke:a'],
    also: async (test) => {
      const { tool_use_id, ...input } = await kept(test);
      assert.match(String(tool_use_id), /^toolu_/);
      assert.deepEqual(input, {
        session_id: test.session.id,
        cwd: test.workspace.root,
        permission_mode: 'bypassPermissions',
        hook_event_name: 'PreToolUse',
        tool_name: 'poke',
        tool_input: { id: 'a' },
      });
    },
  });
  check('after a call', {
    hooks: at('PostToolUse', keeps()),
    runs: ['poke:a'],
    also: async (test) => {
      const { tool_response, tool_input } = await kept(test);
      assert.deepEqual(
        { tool_response, tool_input },
        { tool_response: { success: true, content: 'poke a' }, tool_input: { id: 'a' } },
      );
    },
  });
  check('when a person is asked', {
    hooks: at('Notification', keeps()),
    mode: 'ask',
    answer: 'once',
    reasons: [['Uses the counter']],
    runs: ['poke:a'],
    also: async (test) => {
      await eventually('the notification', () =>
        kept(test).then(
          () => true,
          () => false,
        ),
      );
      const { message, title, notification_type } = await kept(test);
      assert.deepEqual(
        { message, title, notification_type },
        { message: 'Lathe asks for your approval: Poke a', title: 'Lathe', notification_type: 'permission_prompt' },
      );
    },
  });
});

describe('O06: one path', () => {
  check('a call that only reads passes the same hooks', {
    hooks: at('PreToolUse', 'exit 2'),
    replies: PEEKED,
    results: [/^denied/],
  });
  check('an input that does more than the first one cannot take its place', {
    hooks: at('PreToolUse', replaces({ command: 'touch made' })),
    tools: TOOLS.map((tool) => (tool.kind === 'shell' ? { ...tool, readOnly: isLook, concurrent: isLook } : tool)),
    replies: [reply(toolUse('bash', { command: 'ls' })), reply(text('Done'))],
    results: [/^failed: .*it does more than read where the call only read/],
    also: async ({ workspace }) => assert.deepEqual(await workspace.tree(), {}),
  });
});

function isLook(input: { readonly command?: string }): boolean {
  return input.command === 'ls';
}
