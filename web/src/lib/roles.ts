import { roles, type Role } from '@tandem/contracts/values';
import { roleNames } from './role-names';
import { t } from './staff-texts';

/** Display name and description of each role. */
export const roleTexts: Record<Role, { name: string; description: string }> = {
  admin: {
    name: roleNames.admin,
    description: t('lib.rights_of_administrators'),
  },
  manager: {
    name: roleNames.manager,
    description: t('lib.rights_of_managers'),
  },
  agent: {
    name: roleNames.agent,
    description: t('lib.rights_of_agents'),
  },
};

/** Select options, the role with the fewest rights first: it is the safe default. */
export const roleOptions = [...roles].reverse().map((role) => ({ value: role, label: roleNames[role] }));
