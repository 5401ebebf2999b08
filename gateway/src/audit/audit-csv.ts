import { auditEvents, type AuditEntry } from '@tandem/contracts';
import { csvOf, type CsvColumn } from '../csv/csv';

const columns: CsvColumn<AuditEntry>[] = [
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

const csv = csvOf(columns);
export const csvHeader: string = csv.header;
export const csvLine: (entry: AuditEntry) => string = csv.line;
