import type { AuditEntry } from '@tandem/contracts';
import { auditEvents, type AuditCategory } from '@tandem/contracts/values';

export const categoryOptions: { value: AuditCategory; label: string }[] = [
  { value: 'security', label: 'Security' },
  { value: 'team', label: 'Team' },
  { value: 'settings', label: 'Settings' },
];

/** What nobody asked for over the network: Tandem's own doing, such as the sample data. */
export const isOwn = ({ actor_email, ip }: AuditEntry): boolean => actor_email === null && ip === null;
/** Nobody is signed in while signing in fails. */
export const whoOf = (entry: AuditEntry): string => (isOwn(entry) ? 'Tandem' : (entry.actor_email ?? 'Not signed in'));
export const whereOf = (entry: AuditEntry): string => (isOwn(entry) ? 'Tandem' : (entry.ip ?? 'Unknown'));
/** A newer server may know of more than this page. */
export const whatOf = ({ type }: AuditEntry): string => (auditEvents as Partial<Record<string, { title: string }>>)[type]?.title ?? type;

function valueOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** `{ role: { from: 'agent', to: 'admin' } }` in words, for the eye and (the arrow is silent) for the ear. */
export const changesOf = ({ changes }: AuditEntry): { name: string; from: string; to: string }[] =>
  Object.entries(changes ?? {}).map(([name, { from, to }]) => ({ name: name.replaceAll('_', ' '), from: valueOf(from), to: valueOf(to) }));
