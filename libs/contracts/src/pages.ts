import { allEvents, allOperations } from './catalogue';
import type { Operation } from './define';
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
  return `${generated}# Events\n\nThe envelope is CloudEvents 1.0 (\`libs/contracts/src/envelope.ts\`); the payloads are beside the operations of each subject.\n\n${table(['type', 'from', 'told to open pages', 'customers may subscribe', 'in the audit log'], rows)}`;
}

/** Whether a member with this role may call the operation. */
function mayCall(op: Operation, role: Role): boolean {
  if (op.allow === 'gateway') return false;
  if (op.allow === 'public' || op.allow === 'portal' || op.allow === 'widget' || op.allow === 'signed-in') return true;
  return grants[role].includes(op.allow satisfies Permission);
}

/** `docs/permissions.md`: the matrix of all operations and roles. Changes of it must be reviewed. */
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
