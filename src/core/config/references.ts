// Addresses in a text that are fetched by whoever opens the file (S40): an editor's language server asks for the schema that a JSON, XML or YAML names.
import { parseTree, type Node } from 'jsonc-parser';
import type { PlannedText } from './guard';

/** Those that the text has after the change and had not before. By content: the language of a file is the person's to set. */
export function referencesBrought({ before, after }: PlannedText): readonly string[] {
  const now = referencesIn(after);
  if (now.size === 0) return [];
  const then = before === undefined ? new Set<string>() : referencesIn(before);
  return [...now].filter((address) => !then.has(address));
}

function referencesIn(text: string): ReadonlySet<string> {
  const start = text.replace(LEADING, '').slice(0, 1);
  const named = start === '<' ? inXml(text) : start === '{' || start === '[' ? inJson(text) : inYaml(text);
  return new Set(named.filter(isRemote));
}

/** What may stand before the first value: marks, blanks, comments. */
const LEADING = /^(?:[\ufeff\s]+|\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/)*/;

/** A scheme or none; what is in the editor or on the disk itself is not remote, but a host in a file's address is. */
function isRemote(address: string): boolean {
  const found = /^\s*(?:([a-z][a-z0-9+.-]*):)?[\\/]{2}([^\\/]?)/i.exec(address);
  if (!found) return false;
  const [, scheme = '', host] = found;
  return !/^vscode/i.test(scheme) && (scheme.toLowerCase() !== 'file' || host !== '');
}

const SCHEMA_KEYS: ReadonlySet<string> = new Set(['$schema', '$ref', '$dynamicRef', '$recursiveRef']);

function inJson(text: string): string[] {
  try {
    const root = parseTree(text.replace(/^\ufeff/, ''), [], { allowTrailingComma: true });
    return root ? inNode(root) : [];
  } catch (error) {
    // Nested deeper than the stack: no language server gets through it either.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Node by node: of two fields of one name the value would have but the last. */
function inNode({ type, children = [] }: Node): string[] {
  const inner = children.flatMap(inNode);
  const [key, value] = children;
  const isNamed = type === 'property' && SCHEMA_KEYS.has(String(key?.value)) && value?.type === 'string';
  return isNamed ? [String(value.value), ...inner] : inner;
}

const XML_LOCATION = /\b(schemaLocation|noNamespaceSchemaLocation)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const XML_DECLARATION = /<(?:!DOCTYPE|!ENTITY|\?xml-model|\?xml-stylesheet)\b[^<]*/g;

function inXml(text: string): string[] {
  const locations = [...text.matchAll(XML_LOCATION)].flatMap(([, name, a = '', b = '']) => {
    const words = `${a}${b}`.trim().split(/\s+/);
    // Pairs of a namespace, which is but a name, and where its schema is.
    return name === 'schemaLocation' ? words.filter((_, at) => at % 2 === 1) : words;
  });
  const declared = [...text.matchAll(XML_DECLARATION)].flatMap(([declaration]) =>
    [...declaration.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, a, b = '']) => a ?? b),
  );
  return [...locations, ...declared];
}

function inYaml(text: string): string[] {
  return [...text.matchAll(/^[ \t]*#[ \t]*(?:yaml-language-server:[ \t]*)?\$schema[ \t]*[=:][ \t]*(\S+)/gm)].map(
    ([, address = '']) => address,
  );
}
