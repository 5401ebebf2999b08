import { auditEvents, type AuditEntry } from '@tandem/contracts';

type Column = [name: string, value: (entry: AuditEntry) => string | null];

const columns: Column[] = [
  ['occurred_at', (entry) => entry.occurred_at],
  ['actor_email', (entry) => entry.actor_email],
  ['event', (entry) => auditEvents[entry.type].title],
  ['target', (entry) => entry.target],
  ['changes', (entry) => (entry.changes === null ? null : JSON.stringify(entry.changes))],
  ['category', (entry) => entry.category],
  ['severity', (entry) => entry.severity],
  ['type', (entry) => entry.type],
  ['ip', (entry) => entry.ip],
  ['user_agent', (entry) => entry.user_agent],
  ['actor_id', (entry) => entry.actor_id],
  ['id', (entry) => entry.id],
];

/**
 * A CSV cell (RFC 4180). A value that a spreadsheet would run as a formula is prefixed with an apostrophe: addresses and user agents are
 * untrusted input.
 */
export function csvCell(value: string | null): string {
  if (value === null || value === '') return '';
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const line = (cells: (string | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;

export const csvHeader: string = line(columns.map(([name]) => name));
export const csvLine = (entry: AuditEntry): string => line(columns.map(([, value]) => value(entry)));
