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
 * A cell after RFC 4180. What a spreadsheet would take for a formula gets an apostrophe in front and stays text: addresses and user
 * agents are whatever a stranger sent.
 */
export function csvCell(value: string | null): string {
  if (value === null || value === '') return '';
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const line = (cells: (string | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;

export const csvHeader: string = line(columns.map(([name]) => name));
export const csvLine = (entry: AuditEntry): string => line(columns.map(([, value]) => value(entry)));
