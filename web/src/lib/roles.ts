import { roles, type Role } from '@tandem/contracts/values';
import { t } from './staff-texts';

/** Display name and description of each role. */
export const roleTexts: Record<Role, { name: string; description: string }> = {
  admin: {
    name: t('lib.administrator'),
    description: t('lib.rights_of_administrators'),
  },
  manager: {
    name: t('lib.manager'),
    description: t('lib.rights_of_managers'),
  },
  agent: {
    name: t('lib.agent'),
    description: t('lib.rights_of_agents'),
  },
};

/** Select options, the role with the fewest rights first: it is the safe default. */
export const roleOptions = [...roles].reverse().map((role) => ({ value: role, label: roleTexts[role].name }));
