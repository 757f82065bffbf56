// Questions that tests ask about sources: who goes by a name, which members nobody reads, which schema says too little.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import ts from 'typescript';
import { parseSource, placeOf, root, walk } from './sourceTree';

const NAME = /(\bname|Name|[tT]ool)$/;

/** Where a source compares something that is called a name with one of the names, or looks it up in a list of them. */
export function comparisonsWith(names: ReadonlySet<string>, source: ts.SourceFile): string[] {
  const found: string[] = [];
  const report = (node: ts.Node, subject: ts.Node, ...others: readonly ts.Node[]) => {
    const hit = others.some((other) => ts.isStringLiteralLike(other) && names.has(other.text));
    if (hit && NAME.test(subject.getText())) found.push(`${placeOf(node)}: ${node.getText()}`);
  };
  walk(source, (node) => {
    if (ts.isBinaryExpression(node) && /^[!=]==?$/.test(node.operatorToken.getText())) {
      report(node, node.left, node.right);
      report(node, node.right, node.left);
    }
    if (ts.isCaseClause(node)) report(node, node.parent.parent.expression, node.expression);
    if (ts.isCallExpression(node) && node.arguments[0]) report(node, node.arguments[0], ...listedIn(node.expression));
  });
  return found;
}

/** The elements of the list in `['a', 'b'].includes` and `new Set(['a', 'b']).has`. */
function listedIn(method: ts.Node): ts.Node[] {
  const lists: ts.Node[] = [];
  if (ts.isPropertyAccessExpression(method)) {
    walk(method.expression, (node) => {
      if (ts.isArrayLiteralExpression(node)) lists.push(...node.elements);
    });
  }
  return lists;
}

export interface Schema {
  readonly type?: unknown;
  readonly description?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Properties at any depth that do not say what they are. */
export function bareProperties(place: string, schema: Schema): string[] {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    ...(property.type && property.description ? [] : [`${place}.${name} lacks a type or a description`]),
    ...bareProperties(`${place}.${name}`, property),
  ]);
  return schema.items ? [...below, ...bareProperties(`${place}[]`, schema.items)] : below;
}

/** Members of an interface that no property access or destructuring outside its own file refers to, by type, not by name. */
export function unreadMembers(program: ts.Program, file: string, name: string): string[] {
  const checker = program.getTypeChecker();
  const home = program.getSourceFile(join(root, file));
  const declaration = home?.statements.filter(ts.isInterfaceDeclaration).find((node) => node.name.text === name);
  assert.ok(declaration, `${file} declares no interface ${name}`);
  const unread = new Map<ts.Node, string>(declaration.members.map((member) => [member, member.name!.getText()]));
  const read = (symbol: ts.Symbol | undefined) => symbol?.declarations?.forEach((node) => unread.delete(node));
  for (const source of program.getSourceFiles().filter((source) => source !== home && !source.isDeclarationFile)) {
    walk(source, (node) => {
      if (ts.isPropertyAccessExpression(node)) read(checker.getSymbolAtLocation(node.name));
      if (ts.isObjectBindingPattern(node)) {
        const type = checker.getTypeAtLocation(node);
        node.elements.forEach((element) => read(type.getProperty((element.propertyName ?? element.name).getText())));
      }
    });
  }
  return [...unread.values()];
}

/** What only one of two lists has, in words that name both. */
export function difference(here: string, left: readonly string[], there: string, right: readonly string[]): string[] {
  return [
    ...left.filter((name) => !right.includes(name)).map((name) => `${name} is in ${here}, but not in ${there}`),
    ...right.filter((name) => !left.includes(name)).map((name) => `${name} is in ${there}, but not in ${here}`),
  ];
}

/** The keys of the object literal that a file's table is made of, be it a constant or what a function returns. */
export function keysOfTable(file: string, name: string): string[] {
  const keys: string[] = [];
  walk(parseSource(file), (node) => {
    const named = (ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node)) && node.name?.getText() === name;
    if (!named) return;
    const table = firstObjectLiteral(node);
    table?.properties.forEach((property) => {
      if (property.name && (ts.isStringLiteral(property.name) || ts.isIdentifier(property.name)))
        keys.push(property.name.text);
    });
  });
  assert.ok(keys.length > 0, `${file} has no table called ${name}`);
  return keys;
}

function firstObjectLiteral(node: ts.Node): ts.ObjectLiteralExpression | undefined {
  if (ts.isObjectLiteralExpression(node)) return node;
  return ts.forEachChild(node, firstObjectLiteral);
}
