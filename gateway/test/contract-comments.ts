import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const folder = join(__dirname, '../../libs/contracts/src');

/** The comment on a constant of the contracts (`''`) and those on the members that it defines, at any depth. */
type Comments = Record<string, string>;
interface Definition {
  comments: Comments;
  /** Constants whose members it inherits. */
  from: string[];
}

/** Prose without markup for programmers. */
function textOf(node: ts.Node, source: ts.SourceFile): string | undefined {
  const ranges = ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [];
  const last = ranges
    .map(({ pos, end }) => source.text.slice(pos, end))
    .filter((text) => text.startsWith('/**'))
    .at(-1);
  return last
    ?.replace(/^\/\*\*|\*\/$/g, '')
    .replace(/\n\s*\* ?/g, ' ')
    .replace(/\s*\((?:docs\/|`?[\w-]+\.ts)[^)]*\)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function definitionOf(value: ts.Expression, source: ts.SourceFile, comments: Comments): Definition {
  const from: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
      const text = textOf(node, source);
      if (text !== undefined) comments[node.name.getText(source)] ??= text;
      // A member's own schema is not the schema of the whole.
      if (ts.isShorthandPropertyAssignment(node) || !containsObject(node.initializer)) return;
    }
    if (ts.isIdentifier(node)) from.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(value);
  return { comments, from };
}
const containsObject = (node: ts.Node): boolean =>
  ts.isObjectLiteralExpression(node) || (ts.forEachChild(node, (child) => containsObject(child) || undefined) ?? false);

/** The comments of the contracts, by the constant that has them. The API document shows them, so each text is written once. */
export function contractComments(): Record<string, Comments> {
  const definitions = new Map<string, Definition & { file: string; isExported: boolean }>();
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
  for (const file of files.sort()) {
    const source = ts.createSourceFile(file, readFileSync(join(folder, file), 'utf8'), ts.ScriptTarget.Latest, true);
    for (const statement of source.statements.filter(ts.isVariableStatement)) {
      const own = textOf(statement, source);
      const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (!ts.isIdentifier(name) || initializer === undefined) continue;
        const definition = definitionOf(initializer, source, own === undefined ? {} : { '': own });
        definitions.set(isExported ? name.text : `${file}:${name.text}`, { ...definition, file, isExported });
      }
    }
  }
  const merged = (key: string, passed: ReadonlySet<string> = new Set()): Comments => {
    const { comments, from, file } = definitions.get(key)!;
    const inherited = from
      .map((name) => (definitions.has(`${file}:${name}`) ? `${file}:${name}` : name))
      .filter((name) => definitions.has(name) && !passed.has(name) && name !== key)
      .map((name) => merged(name, new Set([...passed, key])));
    const { '': _, ...members } = Object.assign({}, ...inherited) as Comments;
    return { ...members, ...comments };
  };
  const all = [...definitions].filter(([, { isExported }]) => isExported).map(([key]) => [key, merged(key)] as const);
  return Object.fromEntries(all.filter(([, comments]) => Object.keys(comments).length > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}
