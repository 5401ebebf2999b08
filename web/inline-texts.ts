import type { ESTree } from 'vite';
import type { CompiledMessage } from './src/lib/format-message';

/** All nodes of a syntax tree. */
function* nodesIn(value: unknown): Generator<ESTree.Node> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value) yield value as ESTree.Node;
  for (const child of Object.values(value)) yield* nodesIn(child);
}

/** A call of `t`. */
export interface TextCall {
  start: number;
  end: number;
  key: string;
  /** The object literal with the values, and the expression of each. */
  argument: ESTree.Node | undefined;
  values: ReadonlyMap<string, ESTree.Node>;
}
/** Stops the build. */
export class TextProblem extends Error {}

/** The values of `{ name, count: tickets.length }`. */
function valuesOf(key: string, argument: ESTree.Node | undefined): Map<string, ESTree.Node> {
  const properties = argument === undefined ? [] : argument.type === 'ObjectExpression' ? argument.properties : [argument];
  return new Map(
    properties.map((property) => {
      if (property.type === 'Property' && !property.computed && property.key.type === 'Identifier')
        return [property.key.name, property.value];
      throw new TextProblem(`the values of ${key} must be an object literal`);
    }),
  );
}

/** The calls of `t` in a file, in the order of their ends: inner ones first. */
const callsIn = (program: ESTree.Program): TextCall[] =>
  [...nodesIn(program.body)]
    .flatMap((node): TextCall[] => {
      if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 't') return [];
      const [name, argument] = node.arguments;
      if (name?.type !== 'Literal' || typeof name.value !== 'string') throw new TextProblem('the key of a text must be a literal');
      return [{ start: node.start, end: node.end, key: name.value, argument, values: valuesOf(name.value, argument) }];
    })
    .sort((a, b) => a.end - b.end);

const escaped = (text: string): string => text.replace(/[\\`]|\$(?=\{)/g, '\\$&');

/** The code that shows a message: a string, a template, or a call of `formatMessage` if it has plurals or formats. */
function codeOf(message: CompiledMessage, { argument, values }: TextCall, sourceOf: (node: ESTree.Node) => string): string {
  if (typeof message === 'string') return JSON.stringify(message);
  if (values.size === 0) return JSON.stringify(message.join(''));
  if (message.some((part) => typeof part !== 'string' && part.length > 1))
    return `formatMessage(${JSON.stringify(message)}, ${sourceOf(argument!)})`;
  return `\`${message.map((part) => (typeof part === 'string' ? escaped(part) : `\${${sourceOf(values.get(part[0])!)}}`)).join('')}\``;
}

interface Replacement {
  start: number;
  end: number;
  code: string;
}
/** Part of the code, with the replacements inside of it. */
function replaced(code: string, start: number, end: number, replacements: readonly Replacement[]): string {
  let [result, at] = ['', start];
  for (const each of replacements) {
    // Inside of one that has been replaced, or of another part.
    if (each.start < at || each.end > end) continue;
    result += code.slice(at, each.start) + each.code;
    at = each.end;
  }
  return result + code.slice(at, end);
}
const outermostFirst = (a: Replacement, b: Replacement) => a.start - b.start || b.end - a.end;

/** The import of the runtime, if it is needed, instead of that of `t`. */
const importsIn = (program: ESTree.Program, needsRuntime: boolean): Replacement[] =>
  program.body.flatMap((node) => {
    if (node.type !== 'ImportDeclaration' || !node.source.value.endsWith('/staff-texts')) return [];
    const from = node.source.value.replace('staff-texts', 'format-message');
    return [{ start: node.start, end: node.end, code: needsRuntime ? `import { formatMessage } from '${from}';` : '' }];
  });

/** Replaces the calls of `t` in a file. `use` returns the compiled message of a call, or throws a `TextProblem`. */
export function withMessages(code: string, program: ESTree.Program, use: (call: TextCall) => CompiledMessage): string {
  const replacements: Replacement[] = [];
  for (const call of callsIn(program)) {
    const inner = [...replacements].sort(outermostFirst);
    const { start, end } = call;
    replacements.push({ start, end, code: codeOf(use(call), call, (node) => replaced(code, node.start, node.end, inner)) });
  }
  const needsRuntime = replacements.some((each) => each.code.startsWith('formatMessage('));
  return replaced(code, 0, code.length, [...replacements, ...importsIn(program, needsRuntime)].sort(outermostFirst));
}
