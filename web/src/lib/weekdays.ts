import type { Weekday } from '@tandem/contracts/values';
import { t } from './staff-texts';

export const dayNames: Record<Weekday, string> = {
  mon: t('lib.monday'),
  tue: t('lib.tuesday'),
  wed: t('lib.wednesday'),
  thu: t('lib.thursday'),
  fri: t('lib.friday'),
  sat: t('lib.saturday'),
  sun: t('lib.sunday'),
};
