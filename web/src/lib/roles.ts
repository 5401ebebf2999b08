import { roles, type Role } from '@tandem/contracts/values';

/** Display name and description of each role. */
export const roleTexts: Record<Role, { name: string; description: string }> = {
  admin: {
    name: 'Administrator',
    description: 'Full access: organization settings, integrations, users and roles, all tickets, analytics.',
  },
  manager: {
    name: 'Manager',
    description: 'Views and manages all tickets, analytics and assignments, but cannot change organization settings.',
  },
  agent: {
    name: 'Agent',
    description: 'Handles assigned tickets, updates status and priority, adds comments and internal notes, with limited analytics.',
  },
};

/** Select options, the role with the fewest rights first: it is the safe default. */
export const roleOptions = [...roles].reverse().map((role) => ({ value: role, label: roleTexts[role].name }));
