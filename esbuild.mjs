// Builds everything that runs: the extension, the panel, the headless runner and, with --tests, the tests.
//
//   node esbuild.mjs [--production] [--watch]
//   node esbuild.mjs --tests [--watch] [PATH...]    only the test entries below the paths, when some are given
//   node esbuild.mjs --benches
//
// What package.json calls a dependency is bundled wherever it is used; a devDependency is a tool and stays outside.
// To load a CommonJS package late, import it statically in a module of ours and that module dynamically: a dynamic import of
// the package itself gets no named exports from a split bundle.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { thirdPartyNotices } from './test/support/notices.mjs';

// A package that asks whether an AMD loader is there must not find one that somebody else has put into the extension host.
const NO_AMD = { define: 'undefined' };

const root = import.meta.dirname;
const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const { values: flags, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    production: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    tests: { type: 'boolean', default: false },
    benches: { type: 'boolean', default: false },
  },
});

// @vscode/ripgrep finds its binary relative to its own file, which a bundle does not have: the binary is copied instead.
const external = ['vscode', '@vscode/ripgrep', ...Object.keys(manifest.devDependencies)];

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  // The editor's task sees by the info lines that a watched build is done.
  logLevel: flags.watch ? 'info' : 'warning',
  metafile: true,
  minify: flags.production,
  sourcemap: !flags.production,
  // jsonc-parser's `main` is a UMD file that no bundler can follow.
  mainFields: ['module', 'main'],
  // As bytes in the bundle, so that nobody has to look for a file.
  loader: { '.wasm': 'binary' },
  legalComments: flags.production ? 'external' : 'none',
};

/** @type {esbuild.BuildOptions} */
const node = {
  ...common,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  external,
  // The parser of commands asks where it lies, though it is given all it needs.
  define: { ...NO_AMD, __filename: 'import.meta.filename' },
  // CommonJS dependencies such as ajv call require() from inside an ES module.
  banner: {
    js: "import { createRequire as createRequireForBundle } from 'node:module'; const require = createRequireForBundle(import.meta.url);",
  },
};

/** @type {Record<string, esbuild.BuildOptions>} */
const products = {
  extension: { ...node, entryPoints: ['src/extension.ts'], outdir: 'dist' },
  webview: {
    ...common,
    entryPoints: [{ in: 'webview/main.tsx', out: 'panel' }],
    outdir: 'dist/webview',
    platform: 'browser',
    target: 'chrome130',
    format: 'iife',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { ...common.loader, '.ttf': 'file' },
    assetNames: '[name]',
  },
  workers: {
    ...node,
    entryPoints: ['src/node/workers/pdf.ts', 'src/node/workers/image.ts'],
    outdir: 'dist/workers',
    // Each is one file. Photon finds its WebAssembly beside its own file.
    splitting: false,
    define: { ...NO_AMD, __filename: 'import.meta.filename', __dirname: 'import.meta.dirname' },
  },
  headless: { ...node, entryPoints: ['src/headless.ts'], outdir: 'out', chunkNames: 'headless/[name]-[hash]' },
};

const HOST_SUITE = /^test\/host\/(.*\/)?index\.ts$/;
const BENCH = /^test\/bench\/.*\.(bench|worker)\.ts$/;
const PLAIN_TEST = /^test\/(?!host\/).*\.test\.tsx?$|^test\/support\/.*\.tsx?$/;

/** @type {Record<string, esbuild.BuildOptions>} */
const testBuilds = {
  tests: {
    ...node,
    entryPoints: testEntries(PLAIN_TEST),
    outdir: 'out/test',
    outbase: 'test',
    sourcemap: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [leaveScripts((file) => pathToFileURL(file).href)],
  },
  // The editor's test loader calls require() on a suite, so each is one CommonJS file with the tests it lists inside.
  hostTests: {
    ...common,
    entryPoints: testEntries(HOST_SUITE),
    outdir: 'out/test',
    outbase: 'test',
    outExtension: { '.js': '.cjs' },
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external,
    define: {
      ...NO_AMD,
      'import.meta.url': 'bundleUrl',
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
    },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [leaveScripts((file) => file)],
  },
};

/** @type {Record<string, esbuild.BuildOptions>} */
const benchBuilds = {
  benches: {
    ...node,
    entryPoints: flags.benches ? testFiles(BENCH) : [],
    outdir: 'out/bench',
    outbase: 'test/bench',
    plugins: [leaveScripts((file) => pathToFileURL(file).href)],
  },
};

/** The .mjs files that tests import stay where they are: they run unbuilt too, and find their neighbours by their place. */
function leaveScripts(address) {
  return {
    name: 'leave scripts',
    setup(build) {
      build.onResolve({ filter: /^\..*\.mjs$/ }, ({ path, resolveDir }) => ({
        path: address(join(resolveDir, path)),
        external: true,
      }));
    },
  };
}

/** The entries that match, below the paths asked for. */
function testEntries(pattern) {
  if (!flags.tests) return [];
  return testFiles(pattern).filter(
    (file) => paths.length === 0 || paths.some((path) => file.startsWith(path.replace(/^\.\//, ''))),
  );
}

function testFiles(pattern) {
  return readdirSync(join(root, 'test'), { recursive: true })
    .map((file) => `test/${file.split(sep).join('/')}`)
    .filter((file) => pattern.test(file) && !file.startsWith('test/fixtures/') && !file.endsWith('.d.ts'))
    .sort();
}

const entryPath = (entry) => (typeof entry === 'string' ? entry : entry.in);

/** Removes what an earlier build left in a folder this build owns: stale chunks, and tests whose source is gone. */
function removeStale(folder, metafile) {
  const fresh = new Set(Object.keys(metafile.outputs));
  if (!existsSync(join(root, folder))) return;
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    const file = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/');
    if (entry.isFile() && !fresh.has(file)) rmSync(join(root, file));
  }
}

/** The platform's rg as dist/bin/rg: it lives in a package of its own per platform, which has no JavaScript to import. */
function copyRipgrep() {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const platformPackage = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  const fromRipgrep = createRequire(require.resolve('@vscode/ripgrep'));
  const target = join(root, 'dist/bin', name);
  copy(join(dirname(fromRipgrep.resolve(`${platformPackage}/package.json`)), 'bin', name), target);
  chmodSync(target, 0o755);
}

function copyPhoton() {
  const file = 'photon_rs_bg.wasm';
  const from = join(dirname(require.resolve('@silvia-odwyer/photon-node')), file);
  copy(from, join(root, 'dist/workers', file));
}

function copyIcons() {
  const folder = dirname(require.resolve('@vscode/codicons/dist/codicon.css'));
  for (const file of ['codicon.css', 'codicon.ttf']) copy(join(folder, file), join(root, 'dist/webview', file));
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  // A running editor may hold the old file open: writing into it would fail, replacing it does not.
  rmSync(to, { force: true });
  copyFileSync(from, to);
}

async function build(name, options) {
  if (flags.watch) {
    const context = await esbuild.context(options);
    await context.watch();
    console.log(`watching ${name}`);
    return undefined;
  }
  const { metafile } = await esbuild.build(options);
  return metafile;
}

async function buildAll(builds) {
  const metafiles = {};
  for (const [name, options] of Object.entries(builds)) {
    const entryPoints = options.entryPoints.filter((entry) => existsSync(join(root, entryPath(entry))));
    if (entryPoints.length > 0) metafiles[name] = await build(name, { ...options, entryPoints });
  }
  return metafiles;
}

async function main() {
  if (flags.tests) {
    const { tests, hostTests } = await buildAll(testBuilds);
    const outputs = { ...tests?.outputs, ...hostTests?.outputs };
    if (!flags.watch && paths.length === 0) removeStale('out/test', { outputs });
    return;
  }
  if (flags.benches) {
    const { benches } = await buildAll(benchBuilds);
    if (benches) removeStale('out/bench', benches);
    return;
  }
  const { extension, webview, workers, headless } = await buildAll(products);
  copyRipgrep();
  copyPhoton();
  copyIcons();
  if (extension) {
    removeStale('dist/chunks', extension);
    // Read by the test that asserts what is loaded at activation.
    mkdirSync(join(root, 'out'), { recursive: true });
    writeFileSync(join(root, 'out/meta.json'), JSON.stringify(extension));
  }
  if (extension && webview && workers) {
    const notices = thirdPartyNotices(root, [extension, webview, workers], ['@vscode/ripgrep', '@vscode/codicons']);
    writeFileSync(join(root, 'dist/ThirdPartyNotices.txt'), notices);
  }
  if (headless) removeStale('out/headless', headless);
}

await main().catch((error) => {
  // esbuild has already printed its own errors, with the lines they are in.
  if (!error.errors) console.error(error);
  process.exitCode = 1;
});
