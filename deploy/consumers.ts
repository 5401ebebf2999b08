import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from '@tandem/contracts';
import { durableName } from '@tandem/messaging';
import * as ts from 'typescript';

const root = join(__dirname, '..');

export interface ConsumerEntry {
  /** The durable's name. */
  durable: string;
  service: string;
  event: string;
  from: string;
}

/** Providers of libraries with consumers, by the function that a service calls to have one. */
const shared = Object.entries({
  organizationDeletion: 'organization-deletion',
  ticketDeletion: 'ticket-deletion',
  customerErasure: 'customer-erasure',
  exportPart: 'export-part',
}).map(([call, name]) => ({ call: new RegExp(`\\b${call}[<(]`), file: join(root, 'libs/messaging/src', `${name}.ts`) }));

/** Every `@Consumes` in the services' source, and in `shared` where they use it, sorted by durable. Read from the source: loading five services would need their servers. */
export function findConsumers(): ConsumerEntry[] {
  const services = readdirSync(join(root, 'services'));
  const entries = services.flatMap((service) => {
    const sources = sourcesOf(service);
    const used = shared.filter(({ call }) => sources.some((file) => call.test(readFileSync(file, 'utf8'))));
    return [...sources, ...used.map(({ file }) => file)].flatMap((file) => consumersIn(service, file));
  });
  return entries.sort((one, other) => one.durable.localeCompare(other.durable));
}

const decorators = new Set(['Consumes', 'ConsumesBatch']);

function sourcesOf(service: string): string[] {
  const folder = join(root, 'services', service, 'src');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts')).map((name) => join(folder, name));
}

function consumersIn(service: string, file: string): ConsumerEntry[] {
  const text = readFileSync(file, 'utf8');
  if (!text.includes('@Consumes')) return [];
  const entries: ConsumerEntry[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isDecorator(node) && ts.isCallExpression(node.expression) && decorators.has(node.expression.expression.getText())) {
      entries.push(entryOf(service, node.expression));
    }
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return entries;
}

function entryOf(service: string, call: ts.CallExpression): ConsumerEntry {
  const [event, options] = call.arguments;
  return {
    durable: durableName(service, literalOf(options, 'name')),
    service,
    event: typesOf((contracts as unknown as Record<string, EventTypes>)[event!.getText()]!),
    from: literalOf(options, 'from'),
  };
}

type EventTypes = { type: string } | { type: string }[];
const typesOf = (events: EventTypes): string =>
  [events]
    .flat()
    .map(({ type }) => type)
    .join(', ');

/** The text of a member that must be a literal: a name that is computed could change without a change of the list. */
function literalOf(options: ts.Node | undefined, member: string): string {
  if (!options || !ts.isObjectLiteralExpression(options)) throw new Error(`@Consumes needs an object literal: ${options?.getText()}`);
  for (const property of options.properties) {
    if (ts.isPropertyAssignment(property) && property.name.getText() === member && ts.isStringLiteral(property.initializer)) {
      return property.initializer.text;
    }
  }
  throw new Error(`@Consumes needs a literal '${member}': ${options.getText()}`);
}

export function consumersPage(consumers: ConsumerEntry[]): string {
  const rows = consumers.map(
    ({ durable, event, from }) =>
      `| \`${durable}\` | ${event
        .split(', ')
        .map((type) => `\`${type}\``)
        .join(', ')} | ${from} |`,
  );
  return `${[
    '# Durable consumers',
    '',
    'Written by `npm run docs` from every `@Consumes`. The name identifies the durable on the stream, its rows in `inbox` and its dead letters.',
    'A consumer with a new name is a new consumer: it starts at the position in its last column, and the durable of the old name keeps its events until',
    '`npm run consumers -- remove <name>` removes it.',
    '',
    '| consumer | event | starts at |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n')}\n`;
}

/**
 * The names and, for consumers that start at the current event, their events: for the commands that manage durables and restore backups.
 */
export const consumerNamesModule = (consumers: ConsumerEntry[]): string =>
  `${[
    '/** Written by `npm run docs` from every `@Consumes`. */',
    'export const consumerNames = [',
    ...consumers.map(({ durable }) => `  '${durable}',`),
    '];',
    '',
    '/** The event types of the consumers that start at the current event. */',
    'export const startsNow: Record<string, string[]> = {',
    ...consumers.filter(({ from }) => from === 'now').flatMap(startEntry),
    '};',
  ].join('\n')}\n`;

/** In the format of oxfmt, which breaks long lines. */
function startEntry({ durable, event }: ConsumerEntry): string[] {
  const types = event.split(', ').map((type) => `'${type}'`);
  const line = `  '${durable}': [${types.join(', ')}],`;
  return line.length <= 140 ? [line] : [`  '${durable}': [`, ...types.map((type) => `    ${type},`), '  ],'];
}
