import { roles, type Role } from '@tandem/contracts/values';

/** What a role is called, and what it may do, in the words of spec part 2, section 6. */
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

/** For a select, the role with the fewest rights first: it is the one to begin with. */
export const roleOptions = [...roles].reverse().map((role) => ({ value: role, label: roleTexts[role].name }));
