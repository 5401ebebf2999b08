import type { Role } from '@tandem/contracts/values';
import { t } from './staff-texts';

export const roleNames: Record<Role, string> = { admin: t('lib.administrator'), manager: t('lib.manager'), agent: t('lib.agent') };
