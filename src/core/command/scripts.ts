// Which files of the workspace a command runs: what a person allows holds for what is in them (S14, S21).
import { readOptions, tableOf } from './options';

export interface Runs {
  /** As written. One that is not there counts as none. */
  readonly files: readonly string[];
  /** Names that a program looks for by itself, in a folder and in those above it. */
  readonly recipes: readonly Recipes[];
  /** An option of which nobody knows whether it names one more. */
  readonly unknown?: string;
}

export interface Recipes {
  /** As written; '' is where the command starts. */
  readonly folder: string;
  readonly names: readonly string[];
}

const NONE: Runs = { files: [], recipes: [] };

/** Files that tell a program what to run (S14), and the settings that say by what and from where. */
const RECIPES: readonly (readonly [program: RegExp, names: readonly string[]])[] = [
  [
    /^(npm|pnpm|yarn|bun|npx|pnpx|bunx|corepack)$/,
    [
      ...['package.json', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pnpmfile.mjs'],
      ...['pnpm-workspace.yaml', 'bunfig.toml'],
    ],
  ],
  [/^deno$/, ['deno.json', 'deno.jsonc', 'package.json']],
  [/^(gmake|make)$/, ['GNUmakefile', 'makefile', 'Makefile']],
  [/^just$/, ['justfile', 'Justfile', '.justfile']],
  [/^task$/, ['Taskfile.yml', 'Taskfile.yaml']],
  [/^rake$/, ['Rakefile']],
  [/^cargo$/, ['build.rs', 'Cargo.toml', '.cargo/config.toml', '.cargo/config']],
  [/^(pytest|py\.test)$/, ['conftest.py', 'pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg']],
  [/^(gradle|gradlew)$/, ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts']],
  [/^(mvn|mvnw)$/, ['pom.xml', '.mvn/jvm.config', '.mvn/maven.config', '.mvn/extensions.xml']],
];

/** Run what stands behind `run`. */
const PROJECT_RUNNERS = /^(uv|poetry|pipenv|pdm|rye|hatch)$/;
/** Options by which a package manager goes to another folder, or into one of the project’s packages. */
const FOLDER_OPTION = /^(?:--prefix|-C|--cwd|--dir|-w|--workspace)(?:=(.*))?$/;

/** `texts`: the program with its arguments. */
export function scriptsOf(texts: readonly string[]): Runs {
  const [program = '', ...args] = texts;
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (program === 'source' || program === '.') return { ...NONE, files: args.slice(0, 1) };
  if (PROJECT_RUNNERS.test(name) && args[0] === 'run') return scriptsOf(args.slice(1));
  const isOfSystem = !program.includes('/') || /^\/(usr|bin|opt|nix|snap)\//.test(program);
  const itself = isOfSystem ? [] : [program];
  const names = RECIPES.find(([programs]) => programs.test(name))?.[1];
  const recipes = names === undefined ? [] : ['', ...foldersIn(args)].map((folder) => ({ folder, names }));
  const table = tableOf(name);
  if (!table) return { files: itself, recipes };
  const { files, unknown } = readOptions(args, table);
  return { files: [...itself, ...files], recipes, ...(unknown === undefined ? {} : { unknown }) };
}

function foldersIn(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    const option = FOLDER_OPTION.exec(arg);
    const folder = option?.[1] ?? (option ? args[at + 1] : undefined);
    return folder === undefined || folder === '' ? [] : [folder];
  });
}
