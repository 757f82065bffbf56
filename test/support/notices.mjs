// The notices that the licences of bundled packages ask for: each package that a build took something from, with its licence's text.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/**
 * @param {string} root folder that holds node_modules
 * @param {readonly { inputs: Readonly<Record<string, unknown>> }[]} metafiles what esbuild has listed
 * @param {readonly string[]} copied packages whose files are shipped without being bundled
 * @returns {string} throws when a package names no licence at all: then it must not be shipped
 */
export function thirdPartyNotices(root, metafiles, copied) {
  const bundled = metafiles.flatMap(({ inputs }) => Object.keys(inputs)).flatMap((input) => packageOf(input) ?? []);
  const folders = [...new Set([...bundled, ...copied.map((name) => `node_modules/${name}`)])].sort();
  return folders.map((folder) => noticeOf(root, folder)).join(`\n\n${'-'.repeat(80)}\n\n`) + '\n';
}

/** The package's folder: the innermost, since packages may lie in one another's node_modules. @param {string} input */
function packageOf(input) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input.replace(/^(\.\.\/)+.*?(?=node_modules\/)/, ''))?.[1];
}

/** @param {string} root @param {string} folder */
function noticeOf(root, folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const files = readdirSync(join(root, folder)).filter((file) => LICENCE_FILE.test(file));
  if (!license && files.length === 0) throw new Error(`${folder} names no licence.`);
  const texts = files
    .filter((file) => existsSync(join(root, folder, file)))
    .map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n');
}
