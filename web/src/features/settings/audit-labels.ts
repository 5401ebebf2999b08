import type { AuditEntry } from '@tandem/contracts';
import { auditEvents, type AuditCategory } from '@tandem/contracts/values';
import { t } from '../../lib/staff-texts';

export const categoryOptions: { value: AuditCategory; label: string }[] = [
  { value: 'security', label: t('settings.security') },
  { value: 'team', label: t('settings.team') },
  { value: 'settings', label: t('settings.settings') },
];

/** Whether Tandem itself caused the entry (such as the sample data), not a network request. */
export const isSystemEntry = ({ actor_email, ip }: AuditEntry): boolean => actor_email === null && ip === null;
/** A failed sign-in has no user. */
export const actorLabel = (entry: AuditEntry): string =>
  isSystemEntry(entry) ? t('settings.tandem') : (entry.actor_email ?? t('settings.not_signed_in'));
export const locationLabel = (entry: AuditEntry): string =>
  isSystemEntry(entry) ? t('settings.tandem') : (entry.ip ?? t('settings.unknown'));
/** A newer server may send event types that this page does not know. */
export const eventTitle = ({ type }: AuditEntry): string =>
  (auditEvents as Partial<Record<string, { title: string }>>)[type]?.title ?? type;

const nameOf = (key: string) => key.replaceAll('_', ' ');

/** Lists and objects as words, such as 'default en; offered en, de'. */
function valueOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length > 0 ? value.map(valueOf).join(', ') : 'none';
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  return Object.entries(value)
    .map(([key, each]) => `${nameOf(key)} ${valueOf(each)}`)
    .join('; ');
}

/** Formats `{ role: { from: 'agent', to: 'admin' } }`; the arrow between the values is hidden from screen readers. */
export const changeLabels = ({ changes }: AuditEntry): { name: string; from: string; to: string }[] =>
  Object.entries(changes ?? {}).map(([name, { from, to }]) => ({ name: nameOf(name), from: valueOf(from), to: valueOf(to) }));
