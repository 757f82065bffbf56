// The project's own sources as data, for tests about how it is built: paths, texts, imports, syntax trees.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';

/** The folder with package.json; found upwards, because the built tests lie elsewhere than their sources. */
export const root = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}

const CODE = /\.(ts|tsx|mjs|cjs|css)$/;

/** Code files below a folder, relative to the root, with forward slashes, sorted; none when the folder is missing. */
export function codeFiles(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => posix.join(folder, file.replaceAll('\\', '/')))
    .filter((file) => CODE.test(file) && !file.startsWith('test/fixtures/'))
    .sort();
}

export function isTypeScript(file: string): boolean {
  return /\.tsx?$/.test(file);
}

export function readSource(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

export function parseSource(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readSource(file), ts.ScriptTarget.Latest, true);
}

/** What a file imports: static, type-only, dynamic and re-exported alike. Relative ones are resolved against the root. */
export function importsOf(file: string): string[] {
  const { importedFiles, typeReferenceDirectives } = ts.preProcessFile(readSource(file), true, true);
  return [...importedFiles, ...typeReferenceDirectives].map(({ fileName }) =>
    fileName.startsWith('.') ? posix.join(posix.dirname(file), fileName) : fileName,
  );
}

/** Visits a node and everything below it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Where a node begins, as `file:line`. */
export function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** A program over one floor's sources, for questions that need types. */
export function programOf(floor: string): ts.Program {
  const configFile = join(root, floor, 'tsconfig.json');
  const { config } = ts.readConfigFile(configFile, (file) => readFileSync(file, 'utf8')) as { config: unknown };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(configFile));
  return ts.createProgram(fileNames, options);
}
