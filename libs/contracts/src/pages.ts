import { allEvents, allOperations } from './catalogue';
import type { Operation } from './define';
import * as contracts from './index';
import { problems } from './values/errors';
import { grants, roles, type Permission, type Role } from './values/permissions';

const generated = '<!-- Written by `npm run docs` from libs/contracts. Do not edit. -->\n';
const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n') + '\n';

/** `docs/errors.md`: the meaning of each problem code. The `type` of a problem links to its row. */
export function errorsPage(): string {
  const rows = Object.entries(problems).map(([code, { status, title }]) => [`<a id="${code}"></a>\`${code}\``, String(status), title]);
  return `${generated}# Problems\n\nEvery failure is \`application/problem+json\` (RFC 9457) with one of these codes.\n\n${table(['code', 'status', 'title'], rows)}`;
}

/** `docs/events.md`: the events that services emit. */
export function eventsPage(): string {
  const yes = (value: boolean) => (value ? 'yes' : '');
  const rows = allEvents.map((event) => [`\`${event.type}\``, event.source, yes(event.live), yes(event.public), yes(event.audited)]);
  return `${generated}# Events\n\nThe envelope is CloudEvents 1.0 (\`libs/contracts/src/envelope.ts\`); the payloads are next to the operations of each subject.\n\n${table(['type', 'from', 'sent to open pages', 'customers may subscribe', 'in the audit log'], rows)}`;
}

/** Whether a member with this role may call the operation. */
function mayCall(op: Operation, role: Role): boolean {
  if (op.allow === 'gateway' || op.allow === 'token' || op.allow === 'operator') return false;
  if (op.allow === 'public' || op.allow === 'portal' || op.allow === 'widget' || op.allow === 'signed-in') return true;
  return grants[role].includes(op.allow satisfies Permission);
}

/** `docs/permissions.md`: the matrix of all operations and roles. Review every change to it. */
export function rolesPage(): string {
  const mark = (value: boolean) => (value ? '✓' : '');
  const rows = allOperations.map((op) => [
    `\`${op.method} ${op.path}\``,
    op.name,
    op.allow,
    mark(op.allow === 'public' || op.allow === 'portal' || op.allow === 'widget'),
    ...roles.map((role) => mark(mayCall(op, role))),
  ]);
  return `${generated}# Permissions\n\n${table(['route', 'operation', 'allow', 'anyone', ...roles], rows)}`;
}

/**
 * `src/endpoints.ts`: method and path of every operation that has a route, for the browser, which must not load zod. The types of an
 * operation are erased when the browser's code is built.
 */
export function endpointsModule(): string {
  const routes = Object.entries<unknown>(contracts)
    .flatMap(([name, value]) => allOperations.filter((op) => op === value && op.allow !== 'gateway').map((op) => [name, op] as const))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    '// Written by `npm run docs` from the operations. Do not edit.',
    "import type { clientSchemas } from './client-schemas';",
    "import type { ClientOperation, Endpoint } from './define';",
    "import type * as operations from './index';",
    '',
    ...routes.map(([name, op]) => `export const ${name} = '${op.method} ${op.path}' as Endpoint<${typeOf(name, op)}>;`),
    '',
  ].join('\n');
}

const typeOf = (name: string, op: Operation): string =>
  op.name in contracts.clientSchemas
    ? `ClientOperation<typeof operations.${name}, (typeof clientSchemas)['${op.name}']>`
    : `typeof operations.${name}`;

/** `src/live-events.ts`: the names of the events that pages receive. A page that handles them, by their type, handles all of them. */
export function liveEventsModule(): string {
  const names = allEvents.filter(({ live }) => live).map(({ type }) => `  '${type}',`);
  return [
    '// Written by `npm run docs` from the events. Do not edit.',
    '',
    '/** The events that open pages receive. */',
    'export const liveEventNames = [',
    ...names.sort(),
    '] as const;',
    'export type LiveEventName = (typeof liveEventNames)[number];',
    '',
  ].join('\n');
}
