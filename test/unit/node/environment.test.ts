// The environment of commands: what programs need, no keys, nothing that runs code.
import assert from 'node:assert/strict';
import { commandEnvironment } from '../../../src/node/environment';

describe('commandEnvironment', () => {
  const kept = {
    PATH: '/bin',
    HOME: '/h',
    SSH_AUTH_SOCK: '/s',
    NODE_ENV: 'test',
    KEYBOARD: 'x',
    TOKENIZERS_PARALLELISM: '1',
    PWD: '/w',
    XDG_SESSION_ID: '3',
    HTTPS_PROXY: 'http://me:word@proxy:3128',
    REPO: 'https://example.com/a@b',
  };
  const keys = {
    FIRST: 'sk-ant-x',
    SECOND: 'ghp_0123456789',
    THIRD: '-----BEGIN OPENSSH PRIVATE KEY-----\nx',
    BROKER_URL: 'amqp://me:word@host/x',
  };
  const dropped = [
    ...[
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_BASE_URL',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_PROFILE',
      'GITHUB_TOKEN',
      'npm_config_token',
    ],
    ...[
      'MY_SECRET',
      'DB_PASSWORD',
      'GOOGLE_APPLICATION_CREDENTIALS',
      'STRIPE_KEY',
      'OPENAI_API_KEY',
      'SECRET_KEY_BASE',
    ],
    ...['BASH_ENV', 'ENV', 'BASH_FUNC_ls%%', 'LD_PRELOAD', 'NODE_OPTIONS', 'GIT_EXTERNAL_DIFF', 'GIT_SSH_COMMAND'],
    ...['MYSQL_PWD', 'DB_PASS', 'CI_JOB_JWT', 'SLACK_WEBHOOK_URL', 'BW_SESSION', 'OP_SESSION_me', 'TOKENS', 'COOKIE'],
    ...[
      'PYTHONSTARTUP',
      'PYTHONBREAKPOINT',
      'PERL5OPT',
      'RUBYOPT',
      'JAVA_TOOL_OPTIONS',
      'GCONV_PATH',
      'LD_AUDIT',
      'PS4',
    ],
    ...['VSCODE_IPC_HOOK', 'ELECTRON_RUN_AS_NODE', 'SHELLOPTS', 'PROMPT_COMMAND'],
  ];
  it('S09: keeps what programs need and drops keys and code', () => {
    const env = { ...kept, ...keys, ...Object.fromEntries(dropped.map((name) => [name, 'x'])) };
    const found = commandEnvironment(env, 'r1');
    assert.deepEqual(
      [...dropped, ...Object.keys(keys)].filter((name) => name in found),
      [],
    );
    for (const [name, value] of Object.entries(kept)) assert.equal(found[name], value, name);
    assert.equal(found.LATHE_RUN, 'r1');
  });
});
