// The test command: runs the stages below one after another and ends with one line, `N passed, N failed`.
//
//   npm test -- [--only STAGE,STAGE...] [--grep PATTERN] [--bail]
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { failuresIn, listFailures } from './failures.mjs';

const root = join(import.meta.dirname, '../..');
const EDITOR = 'test/support/vscode-host/run.mjs';
/** Between asking a stage to end and killing it: the editor host has processes of its own to end. */
const KILL_GRACE_MS = 10_000;
const LAST_WORDS_MS = 200;
/** Of what failed, right before the summary. */
const FAILURES_MAX_LINES = 100;

// A stage of tests is counted by the totals it prints, takes the options named and needs the build; any other is one check.
const STAGES = [
  { name: 'lint', minutes: 8, commands: [tool('eslint', '.', '--max-warnings', '0', ...cache('eslint/'))] },
  { name: 'format', minutes: 3, commands: [tool('prettier', '.', '--check', '--log-level', 'warn')] },
  { name: 'types', minutes: 5, commands: [tool('typescript:tsc', '-b')] },
  { name: 'knip', minutes: 3, commands: [tool('knip', '--no-progress')] },
  { name: 'build', minutes: 3, commands: [['esbuild.mjs'], ['esbuild.mjs', '--tests']] },
  { name: 'unit', minutes: 8, tests: ['grep', 'bail'], commands: [mocha('out/test/unit/**/*.test.js')] },
  { name: 'scenario', minutes: 8, tests: ['grep', 'bail'], commands: [mocha('out/test/scenario/**/*.test.js')] },
  { name: 'host', minutes: 15, tests: ['grep'], commands: [[EDITOR, '--suite', 'out/test/host/index.cjs']] },
  { name: 'e2e', minutes: 15, tests: ['grep', 'bail'], commands: [mocha('out/test/e2e/**/*.test.js')] },
];

/** The arguments for node that run a package's program: `package` or `package:program`. */
function tool(spec, ...args) {
  const [name, program = name] = spec.split(':');
  const folder = `node_modules/${name}`;
  const manifest = join(root, folder, 'package.json');
  if (!existsSync(manifest)) return [`${folder} (run npm install first)`];
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  return [join(folder, typeof bin === 'string' ? bin : bin[program]), ...args];
}

function cache(place) {
  return ['--cache', '--cache-location', `node_modules/.cache/${place}`];
}

function mocha(files) {
  // What holds for a single test too stands in .mocharc.json.
  return ['--enable-source-maps', ...tool('mocha', '--forbid-only', '--forbid-pending', files)];
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { only: { type: 'string' }, grep: { type: 'string' }, bail: { type: 'boolean', default: false } },
    });
    const only = values.only?.split(',').map((name) => name.trim());
    const unknown = only?.filter((name) => !STAGES.some((stage) => stage.name === name)) ?? [];
    if (unknown.length > 0) {
      throw new Error(
        `no stage is called ${unknown.join(', ')}: there are ${STAGES.map(({ name }) => name).join(', ')}`,
      );
    }
    return { ...values, only };
  } catch (error) {
    finish(0, 1, error.message);
  }
}

/** What was asked for, and the build wherever tests are: they run what it made. */
function selectStages(only) {
  if (!only) return STAGES;
  const wanted = STAGES.filter((stage) => only.includes(stage.name));
  return wanted.some((stage) => stage.tests)
    ? STAGES.filter((stage) => wanted.includes(stage) || stage.name === 'build')
    : wanted;
}

// Tests never reach a real endpoint, whatever keys the person's shell holds.
function environment() {
  const env = { ...process.env };
  for (const name of Object.keys(env)) if (name.startsWith('ANTHROPIC_')) delete env[name];
  if (process.stdout.isTTY) env.FORCE_COLOR = '1';
  return env;
}

/** The command that runs now, so that Ctrl+C can end it. */
let running;
let interruptedBy;

function signalGroup(child, name) {
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, name);
  } catch {
    // Already gone.
  }
}

/** Ends a whole process group: politely, then for good. */
function end(child) {
  signalGroup(child, 'SIGTERM');
  setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_GRACE_MS).unref();
}

/** Runs one command and answers what it printed and, unless it went well, the fault. */
function run(args, minutes) {
  const script = args.find((arg) => !arg.startsWith('-'));
  if (!existsSync(join(root, script))) return { output: '', fault: `needs ${script}, which does not exist` };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    running = child;
    let output = '';
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        output += text;
        process[name].write(text);
      });
    }
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      end(child);
    }, minutes * 60_000);
    const done = (fault) => {
      clearTimeout(timer);
      running = undefined;
      resolve({ output: stripVTControlCharacters(output), fault });
    };
    child.on('error', (error) => done(`could not start: ${error.message}`));
    child.on('exit', (code, signal) => {
      // What outlived the command would hold its pipes open for ever. Its last words get a moment to arrive.
      signalGroup(child, 'SIGTERM');
      setTimeout(() => {
        signalGroup(child, 'SIGKILL');
        if (interruptedBy) return done(`was stopped by ${interruptedBy}`);
        if (timedOut) return done(`did not end within ${minutes} minutes and was stopped`);
        if (signal) return done(`was ended by ${signal}`);
        done(code === 0 ? undefined : `ended with exit code ${code}`);
      }, LAST_WORDS_MS);
    });
  });
}

/** The totals that mocha or the editor's runner printed, wherever in the output they are. */
function countTests(output) {
  const sum = (pattern) => [...output.matchAll(pattern)].reduce((total, [, a, b]) => total + Number(a ?? b), 0);
  return {
    passed: sum(/^\W*(\d+) passing \(|^(\d+) passed, \d+ failed$/gm),
    failed: sum(/^\W*(\d+) failing$|^\d+ passed, (\d+) failed$/gm),
  };
}

/** The options that a stage understands, as arguments. */
function passOn(stage, { grep, bail }) {
  const takes = (name) => stage.tests?.includes(name);
  return [...(grep && takes('grep') ? ['--grep', grep] : []), ...(bail && takes('bail') ? ['--bail'] : [])];
}

async function runStage(stage, options) {
  const total = { passed: 0, failed: 0, fault: undefined, failures: [] };
  for (const command of stage.commands) {
    const { output, fault } = await run([...command, ...passOn(stage, options)], stage.minutes);
    const counts = stage.tests ? countTests(output) : { passed: 0, failed: 0 };
    total.passed += counts.passed;
    total.failed += counts.failed;
    if (fault && counts.failed === 0) total.fault = fault;
    if (fault) total.failures = failuresIn(output, total.fault);
    if (fault) break;
  }
  if (stage.tests && !total.fault && !options.grep && total.passed + total.failed === 0) total.fault = 'ran no test';
  if (total.fault) total.failed += 1;
  else if (!stage.tests) total.passed = 1;
  return total;
}

/** Again, where the end of a log still shows it. */
function printFailures(results) {
  const failures = results.flatMap(({ name, fault, failures: found = [] }) =>
    (found.length > 0 || !fault ? found : [fault]).map((text) => `${name} ${text}`),
  );
  if (failures.length === 0) return;
  console.log(`\n── failed ${'─'.repeat(64)}\n${listFailures(failures, FAILURES_MAX_LINES)}`);
}

function finish(passed, failed, message) {
  if (message) console.log(message);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

async function main() {
  const options = readOptions();
  const stages = selectStages(options.only);
  const results = [];
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      interruptedBy = signal;
      if (running) end(running);
    });
  }
  for (const stage of stages) {
    console.log(`\n── ${stage.name} ${'─'.repeat(70 - stage.name.length)}`);
    const startedMs = Date.now();
    const broken = stage.tests && results.some(({ name, failed }) => name === 'build' && failed > 0);
    const result = broken
      ? { passed: 0, failed: 1, fault: 'was not run, because the build failed' }
      : await runStage(stage, options);
    if (result.fault) console.log(`✗ ${stage.name} ${result.fault}`);
    results.push({ name: stage.name, ...result, seconds: (Date.now() - startedMs) / 1000 });
    if (interruptedBy || (options.bail && result.failed > 0)) break;
  }
  printFailures(results);
  console.log(`\n── summary ${'─'.repeat(63)}`);
  for (const { name, passed, failed, seconds } of results) {
    const counts = `${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed`;
    console.log(`${failed ? '✗' : '✓'} ${name.padEnd(9)} ${counts} ${seconds.toFixed(1).padStart(8)} s`);
  }
  const left = stages.slice(results.length).map(({ name }) => name);
  finish(sum('passed'), sum('failed'), left.length > 0 ? `not run: ${left.join(', ')}` : undefined);
}

await main();
