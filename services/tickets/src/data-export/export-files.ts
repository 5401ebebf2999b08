import { exportLineFiles, recordSchemas, type ExportLineFile, type RecordKind } from '@tandem/contracts';
import type * as z from 'zod';

export interface ExportFile {
  /** In the archive. */
  name: string;
  /** What its lines are; null for a file that no import reads. */
  kind: RecordKind | null;
  /** Of a line. */
  schema: z.ZodType;
  imported: boolean;
}

const imported = {
  'teammates.jsonl': 'teammate',
  'custom_fields.jsonl': 'custom_field',
  'sla_policies.jsonl': 'sla_policy',
  'canned_replies.jsonl': 'canned_reply',
  'views.jsonl': 'view',
  'rules.jsonl': 'rule',
  'article_categories.jsonl': 'article_category',
  'articles.jsonl': 'article',
  'article_versions.jsonl': 'article_version',
  'tickets.jsonl': 'ticket',
  'comments.jsonl': 'comment',
  'history.jsonl': 'history',
  'files.jsonl': 'file',
} as const satisfies Record<string, RecordKind>;
export type ExportFileName = keyof typeof imported | ExportLineFile;

type NamedFile = ExportFile & { name: ExportFileName };

const allFiles: readonly NamedFile[] = [
  ...(Object.keys(imported) as (keyof typeof imported)[]).map((name) => {
    const kind = imported[name];
    return { name, kind, schema: recordSchemas[kind], imported: true };
  }),
  ...(Object.keys(exportLineFiles) as ExportLineFile[]).map((name) => {
    const { schema } = exportLineFiles[name];
    return { name, kind: null, schema, imported: false };
  }),
];

const onlyOfCustomers: readonly ExportFileName[] = [
  'received_emails.jsonl',
  'other_tickets.jsonl',
  'sent_emails.jsonl',
  'task_copies.jsonl',
];
const ofCustomers: readonly ExportFileName[] = [
  'custom_fields.jsonl',
  'tickets.jsonl',
  'comments.jsonl',
  'history.jsonl',
  'files.jsonl',
  'original_emails.jsonl',
  ...onlyOfCustomers,
];

/** The files of an export in the order of the archive: those that an import reads, in the order in which they refer to each other, first. */
export const exportFiles: readonly NamedFile[] = allFiles.filter(({ name }) => !onlyOfCustomers.includes(name));
/** The files of an export of a customer. No import reads it: it would create the tickets a second time. */
export const customerExportFiles: readonly NamedFile[] = allFiles
  .filter(({ name }) => ofCustomers.includes(name))
  .map((file) => ({ ...file, imported: false }));
