// The grammar of bash, loaded when the first command is to be understood. It is WebAssembly that stands in the bundle as data.
import { Language, Parser } from '@vscode/tree-sitter-wasm';
import bashWasm from '@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm';
import runtimeWasm from '@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm';

/** A node of the tree as plain data. Offsets count UTF-16 units in the text. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** False for operators and keywords, whose type is their text. */
  readonly isNamed: boolean;
  readonly children: readonly SyntaxNode[];
}

export interface SyntaxTree {
  readonly root: SyntaxNode;
  readonly hasError: boolean;
}

export type ParseBash = (text: string) => SyntaxTree | undefined;

/** The parser gives undefined for a text that has more nodes than a command has any use for. */
export async function createBashParser(): Promise<ParseBash> {
  // Emscripten's option, which the types leave out.
  await Parser.init({ wasmBinary: runtimeWasm } as object as Parameters<typeof Parser.init>[0]);
  const parser = new Parser();
  parser.setLanguage(await Language.load(bashWasm));
  return (text) => {
    const tree = parser.parse(text);
    if (!tree) return undefined;
    const hasError = tree.rootNode.hasError;
    const root = tree.rootNode.descendantCount > MAX_NODES ? undefined : plain(tree.walk());
    tree.delete();
    return root && { root, hasError };
  };
}

/** A line of 10,000 characters has fewer. */
const MAX_NODES = 20_000;

type Cursor = ReturnType<NonNullable<ReturnType<Parser['parse']>>['walk']>;

/** By a cursor, since each access to a node crosses into WebAssembly. Without recursion, since a text may be nested as deeply as it is long. */
function plain(cursor: Cursor): SyntaxNode {
  const copy = () => ({
    type: cursor.nodeType,
    start: cursor.startIndex,
    end: cursor.endIndex,
    isNamed: cursor.nodeIsNamed,
    children: [] as SyntaxNode[],
  });
  const root = copy();
  const path = [root];
  for (;;) {
    if (cursor.gotoFirstChild()) {
      const node = copy();
      path.at(-1)?.children.push(node);
      path.push(node);
      continue;
    }
    while (!cursor.gotoNextSibling()) {
      path.pop();
      if (!cursor.gotoParent()) {
        cursor.delete();
        return root;
      }
    }
    path.pop();
    const node = copy();
    path.at(-1)?.children.push(node);
    path.push(node);
  }
}
