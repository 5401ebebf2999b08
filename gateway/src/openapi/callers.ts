import { may, permissions, roles, type Operation, type Permission } from '@tandem/contracts';

const isPermission = (allow: Operation['allow']): allow is Permission => (permissions as readonly string[]).includes(allow);

/** Who may call an operation, in one sentence. */
export function callersOf({ allow, token }: Operation): string {
  if (allow === 'portal') return 'Anyone, for the organization of the host.';
  if (allow === 'widget') return 'Anyone, for the organization whose widget key is in `organization`.';
  if (allow === 'public') return 'Anyone.';
  if (allow === 'gateway') return 'The task tool, with its signature over the body.';
  if (allow === 'token') return `API tokens with the permission \`${token}\`.`;
  if (allow === 'signed-in' || !isPermission(allow)) return 'Signed-in users.';
  const members = roles.filter((role) => may(role, allow));
  const people = members.length === roles.length ? 'Members' : `Members with the role ${members.join(' or ')}`;
  return token === null ? `${people}.` : `${people}, and API tokens with the permission \`${token}\`.`;
}

/** Splits a summary into its first sentence and the rest. */
export function sentencesOf(summary: string): [first: string, rest: string] {
  const [first = '', ...rest] = summary.replace(/\.$/, '').split(/\. (?=[A-Z`])/);
  return [first, rest.length > 0 ? `${rest.join('. ')}.` : ''];
}
