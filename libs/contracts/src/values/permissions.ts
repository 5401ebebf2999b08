/** Roles and what each may do: the only table of grants, read by every service, the gateway and the web. */
export const roles = ['admin', 'manager', 'agent'] as const;
export type Role = (typeof roles)[number];

/** Spec part 1, section 6: a route with a minimum role lets every higher rank in. */
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
  'integration.write',
  'task.link',
] as const;
export type Permission = (typeof permissions)[number];

/** Agents may change every ticket, and a ticket's task is part of it. Which lists there are to choose from, admins decide. */
const agent: Permission[] = ['ticket.read', 'ticket.write', 'task.link', 'organization.read', 'team.read'];
const manager: Permission[] = [...agent, 'analytics.read'];
const admin: Permission[] = [...manager, 'organization.write', 'team.write', 'audit.read', 'integration.write'];

export const grants: Record<Role, readonly Permission[]> = { agent, manager, admin };

export const may = (role: Role, permission: Permission): boolean => grants[role].includes(permission);
