import type { AuditEntry } from '@tandem/contracts';
import { auditEvents, type AuditCategory } from '@tandem/contracts/values';

export const categoryOptions: { value: AuditCategory; label: string }[] = [
  { value: 'security', label: 'Security' },
  { value: 'team', label: 'Team' },
  { value: 'settings', label: 'Settings' },
];

/** Nobody is signed in while signing in fails, and the system signs in nowhere. */
export const whoOf = ({ actor_email }: AuditEntry): string => actor_email ?? 'Not signed in';
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
