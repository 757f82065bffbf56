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

  interface Kept {
    readonly name: string;
    readonly value: string;
    readonly left?: string;
  }
  const isOurs = (folder: string) => /^\/work(\/|$)/.test(folder);
  const check = (title: string, { name, value, left }: Kept) =>
    it(`S09: ${name}: ${title}`, () => assert.equal(commandEnvironment({ [name]: value }, 'r1', isOurs)[name], left));

  check('empty and relative folders are left out', { name: 'PATH', value: '.::/bin:b:/x', left: '/bin:/x' });
  check('the workspace’s own come last', { name: 'PATH', value: '/work/.venv/bin:/bin', left: '/bin:/work/.venv/bin' });
  for (const name of ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'PYTHONPATH', 'PERL5LIB', 'NODE_PATH', 'RUBYLIB']) {
    check('what the person has set stays', { name, value: '/opt/lib:/home/me/lib', left: '/opt/lib:/home/me/lib' });
    check('no code comes from the workspace', { name, value: '/work/lib:/opt/lib', left: '/opt/lib' });
    check('nor from where a program is started', { name, value: '.:lib::/work' });
  }
  check('a configuration of Git’s in the workspace', { name: 'XDG_CONFIG_HOME', value: '/work/.config' });
  check('one that is the person’s', { name: 'XDG_CONFIG_HOME', value: '/home/me/.config', left: '/home/me/.config' });
  const NEVER = [
    ...['DYLD_INSERT_LIBRARIES', 'LD_PRELOAD', 'GIT_OBJECT_DIRECTORY', 'GIT_COMMON_DIR', 'GIT_EXEC_PATH', 'GIT_TRACE'],
    ...['GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_PARAMETERS', 'MAKEFILES', 'TAR_OPTIONS', 'LUA_INIT_5_4'],
    ...['DOTNET_STARTUP_HOOKS', 'PYTHONWARNINGS', 'BASH_ENV', 'ENV', 'PS4', 'NODE_OPTIONS', 'CORECLR_PROFILER'],
  ];
  for (const name of NEVER) check('runs or loads other code', { name, value: '/opt/x' });
});
