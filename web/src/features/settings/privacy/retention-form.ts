import type { RetentionPolicy } from '@tandem/contracts';
import { privacyLimits, type RetentionAction } from '@tandem/contracts/values';
import { createExternalStore } from '../../../lib/external-store';
import { t } from '../../../lib/staff-texts';
import type { RetentionChanges } from './privacy.api';

/** The fields of the form; `months` as it was typed. */
export interface RetentionDraft {
  is_active: boolean;
  action: RetentionAction;
  months: string;
  kept_categories: string[];
}

/** Unsaved changes. They survive switching tabs. */
export const unsavedRetention = createExternalStore<Partial<RetentionDraft>>(() => ({}));

export const draftOf = (saved: RetentionPolicy): RetentionDraft => ({
  is_active: saved.is_active,
  action: saved.action,
  months: String(saved.months),
  kept_categories: saved.kept_categories,
});

/** The policy to save, or undefined if the months are invalid. */
export function policyOf({ is_active, action, months, kept_categories }: RetentionDraft): RetentionChanges | undefined {
  const text = months.trim();
  const number = Number(text);
  const isValid = /^\d+$/.test(text) && number >= privacyLimits.minMonths && number <= privacyLimits.maxMonths;
  return isValid ? { is_active, action, months: number, kept_categories } : undefined;
}

const names: Record<keyof RetentionDraft, string> = {
  is_active: t('settings.privacy.apply_to_old_tickets'),
  action: t('settings.privacy.action'),
  months: t('settings.privacy.months'),
  kept_categories: t('settings.privacy.kept_categories'),
};
/** The labels of the changed fields. */
export const changedNames = (saved: RetentionPolicy, draft: RetentionDraft): string[] => {
  const before = draftOf(saved);
  return (Object.keys(names) as (keyof RetentionDraft)[])
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(draft[name]))
    .map((name) => names[name]);
};

/** The counting of the server stops here (`maxCount` of its retention service). */
const maxCount = 100_000;

/** '1,204 tickets would be deleted next night.' */
export function previewText({ tickets, nights }: { tickets: number; nights: number }, action: RetentionAction = 'delete'): string {
  if (tickets === 0) return t('settings.privacy.no_tickets_match', { action });
  if (tickets >= maxCount) return t('settings.privacy.many_tickets_match', { count: maxCount, action });
  if (nights <= 1) return t('settings.privacy.tickets_match', { count: tickets, action });
  return t('settings.privacy.tickets_match_nights', { count: tickets, action, nights, perNight: privacyLimits.perNight });
}
