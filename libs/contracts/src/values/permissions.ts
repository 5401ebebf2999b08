/** Roles and their permissions: the only table of grants, used by every service, the gateway and the web. */
export const roles = ['admin', 'manager', 'agent'] as const;
export type Role = (typeof roles)[number];

/** A route with a minimum role also admits all higher ranks (docs/product-rules.md#roles). */
export const roleRank: Record<Role, number> = { admin: 3, manager: 2, agent: 1 };

export const permissions = [
  'ticket.read',
  'ticket.write',
  'organization.read',
  'organization.write',
  'team.read',
  'team.write',
  'audit.read',
  'analytics.read',
  'rule.read',
  'rule.write',
  'custom_field.write',
  'article.write',
  'article.publish',
  'integration.write',
  'task.link',
  'api_token.write',
  'webhook.write',
  'data.transfer',
  'data.erase',
] as const;
export type Permission = (typeof permissions)[number];

/** Agents may change every ticket, including the link to a task. The available lists are configured by admins. */
const agent: Permission[] = ['ticket.read', 'ticket.write', 'article.write', 'task.link', 'organization.read', 'team.read'];
const manager: Permission[] = [...agent, 'article.publish', 'analytics.read', 'rule.read'];
const admin: Permission[] = [
  ...manager,
  'organization.write',
  'rule.write',
  'custom_field.write',
  'team.write',
  'audit.read',
  'integration.write',
  'api_token.write',
  'webhook.write',
  'data.transfer',
  'data.erase',
];

export const grants: Record<Role, readonly Permission[]> = { agent, manager, admin };

export const may = (role: Role, permission: Permission): boolean => grants[role].includes(permission);
