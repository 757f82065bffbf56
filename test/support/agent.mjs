// One prompt through the product; HELP says how. `npm run -s agent` leaves out npm's own header.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { eventPrinter } from './events.mjs';

const HELP = `One prompt through Lathe.

  npm run -s agent -- --workspace DIR --prompt TEXT [--mode MODE] [--allow RULE]... [--ask RULE]... [--deny RULE]...
                      [--base-url URL] [--model ID] [--host node|vscode] [--untrusted] [--json]

--mode      what may be done; nobody is asked, so what would need a person is denied (default: ask);
            one of ask, acceptEdits, plan, review, explore, auto, bypass
--allow     a rule such as "bash(npm test:*)" or "edit(src/**)", given as often as there are rules; --ask and --deny likewise
--base-url  an endpoint that speaks the Anthropic Messages API (default: Anthropic's own)
--model     the model's id (default: the newest the endpoint lists that suits coding)
--host      work through VS Code or without it (default: node)
--untrusted as in a workspace that nobody trusts: only reading and searching (with --host node)
--json      one event per line, and nothing else, on standard output

ANTHROPIC_API_KEY holds the key for the endpoint. Without a key and --base-url the built-in demo model answers.
Exit code: 0 when the turn ends well, 1 when it does not, 2 for wrong arguments.
`;
const MODES = ['ask', 'acceptEdits', 'plan', 'review', 'explore', 'auto', 'bypass'];
const HOSTS = ['node', 'vscode'];
/** A turn in the editor may wait for models and commands; the run is ended after this all the same. */
const EDITOR_LIMIT_SECONDS = 3600;
const root = join(import.meta.dirname, '../..');

/** npm changes to the package's folder; relative paths are meant from where the person stands. */
const here = process.env.INIT_CWD ?? process.cwd();

function readOptions() {
  const { values } = parseArgs({
    options: {
      workspace: { type: 'string' },
      prompt: { type: 'string' },
      'base-url': { type: 'string' },
      model: { type: 'string' },
      mode: { type: 'string' },
      allow: { type: 'string', multiple: true, default: [] },
      ask: { type: 'string', multiple: true, default: [] },
      deny: { type: 'string', multiple: true, default: [] },
      host: { type: 'string', default: 'node' },
      untrusted: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { workspace, prompt, model, mode, allow, ask, deny, host, untrusted, json, help } = values;
  if (help) return { help };
  if (!workspace) throw new Error('Which folder? Give --workspace DIR.');
  if (!prompt?.trim()) throw new Error('What is to be done? Give --prompt TEXT.');
  if (!HOSTS.includes(host)) throw new Error(`--host is "${host}"; give one of ${HOSTS.join(', ')}.`);
  if (mode !== undefined && !MODES.includes(mode))
    throw new Error(`--mode is "${mode}"; give one of ${MODES.join(', ')}.`);
  if (untrusted && host !== 'node')
    throw new Error('--untrusted goes with --host node: the editor asks the person itself.');
  const baseUrl = values['base-url'];
  if (baseUrl !== undefined && !(/^https?:\/\//.test(baseUrl) && URL.canParse(baseUrl))) {
    throw new Error(`--base-url is "${baseUrl}"; give an address such as http://localhost:11434.`);
  }
  const folder = resolve(here, workspace);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`There is no folder ${folder}.`);
  const apiKey = process.env.ANTHROPIC_API_KEY || undefined;
  const trust = untrusted ? { untrusted } : {};
  const rules = { allow, ask, deny };
  return { run: { workspace: folder, prompt, baseUrl, model, mode, rules, apiKey, ...trust }, host, json };
}

async function runInNode(options, onEvent) {
  // Not a literal: what the build makes is not part of what is type-checked.
  const { runPrompt } = await import(new URL('../../out/headless.js', import.meta.url).href);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop.abort());
  // Whoever read the events has gone (`| head`): the turn ends as if it had been stopped, so that nothing is left running.
  process.stdout.on('error', () => stop.abort());
  const storeDir = join(process.env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'lathe');
  return runPrompt({ ...options, storeDir, signal: stop.signal, onEvent });
}

/** A suite inside the editor runs the prompt and sends its events through a socket, since the editor's own output goes everywhere. */
async function runInEditor(options, onEvent) {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-agent-'));
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\lathe-agent-${process.pid}` : join(folder, 'events');
  let end;
  const server = createServer((socket) => {
    createInterface({ input: socket }).on('line', (text) => {
      const message = JSON.parse(text);
      // `turn/finished` has an `end` too: what comes last is no event and has no type.
      if (message.type === undefined) end = message.end;
      else onEvent(message);
    });
  });
  try {
    await new Promise((ready) => server.listen(address, ready));
    const child = spawn(
      process.execPath,
      [
        join(root, 'test/support/vscode-host/run.mjs'),
        ...['--suite', join(root, 'out/test/host/agent/index.cjs'), '--workspace', options.workspace, '--in-place'],
        ...['--timeout', String(EDITOR_LIMIT_SECONDS)],
      ],
      { stdio: ['ignore', 'pipe', 2], env: { ...process.env, LATHE_AGENT: JSON.stringify({ ...options, address }) } },
    );
    // A suite's report is of no interest unless the turn never ended.
    let report = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (report += chunk));
    const code = await exitOf(child);
    if (end === undefined) {
      process.stderr.write(report);
      throw new Error(`VS Code ended with exit code ${code} before the turn did; its output is above.`);
    }
    return end;
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function exitOf(child) {
  return new Promise((done, fail) => child.on('close', done).on('error', fail));
}

async function main() {
  let options;
  try {
    options = readOptions();
  } catch (error) {
    console.error(`lathe: ${error.message}\n--help tells more.`);
    return 2;
  }
  const { run, host, json, help } = options;
  if (help) {
    console.log(HELP);
    return 0;
  }
  if (run.baseUrl === undefined && run.apiKey === undefined) {
    console.error('lathe: The built-in demo model answers. For a real one set ANTHROPIC_API_KEY or give --base-url.');
  }
  const print = json
    ? (event) => process.stdout.write(`${JSON.stringify(event)}\n`)
    : eventPrinter((text) => process.stdout.write(text));
  let isDenied = false;
  const onEvent = (event) => {
    if (event.type === 'ask/opened' && event.ask.kind === 'permission') isDenied = true;
    print(event);
  };
  try {
    await build(host === 'node' ? [] : ['--tests', 'test/host']);
    const end = await (host === 'node' ? runInNode(run, onEvent) : runInEditor(run, onEvent));
    // Bypass is the most there is: what asks even there has no mode that allows it.
    if (isDenied && run.mode !== 'bypass') {
      console.error('lathe: Nobody can be asked here, so something was denied. --mode says what may run all the same.');
    }
    return end === 'done' ? 0 : 1;
  } catch (error) {
    console.error(`lathe: ${error.message}`);
    return 1;
  }
}

process.exitCode = await main();
