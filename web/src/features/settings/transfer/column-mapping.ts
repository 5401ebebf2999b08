import type { CustomField, ImportFile } from '@tandem/contracts';
import { csvColumns, customFieldName, type CsvKind } from '@tandem/contracts/values';
import { t } from '../../../lib/staff-texts';

type CsvColumn = (typeof csvColumns)[CsvKind]['required' | 'optional'][number];
export type Mapping = Record<string, string | null>;

const columnLabels: Record<CsvColumn, string> = {
  subject: t('settings.transfer.column_subject'),
  customer_email: t('settings.transfer.column_customer_email'),
  id: t('settings.transfer.column_id'),
  number: t('settings.transfer.column_number'),
  description: t('settings.transfer.column_description'),
  status: t('settings.transfer.column_status'),
  priority: t('settings.transfer.column_priority'),
  category: t('settings.transfer.column_category'),
  tags: t('settings.transfer.column_tags'),
  channel: t('settings.transfer.column_channel'),
  customer_name: t('settings.transfer.column_customer_name'),
  assignee: t('settings.transfer.column_assignee'),
  created_at: t('settings.transfer.column_created_at'),
  updated_at: t('settings.transfer.column_updated_at'),
  resolved_at: t('settings.transfer.column_resolved_at'),
  ticket_id: t('settings.transfer.column_ticket_id'),
  content: t('settings.transfer.column_content'),
  author_email: t('settings.transfer.column_author_email'),
  author_name: t('settings.transfer.column_author_name'),
  is_internal: t('settings.transfer.column_is_internal'),
  email: t('settings.transfer.column_email'),
  name: t('settings.transfer.column_name'),
  title: t('settings.transfer.column_title'),
  body: t('settings.transfer.column_body'),
  summary: t('settings.transfer.column_summary'),
  language: t('settings.transfer.column_language'),
  visibility: t('settings.transfer.column_visibility'),
  state: t('settings.transfer.column_state'),
};

/** A column that an import reads. */
export interface TargetColumn {
  key: string;
  label: string;
  isRequired: boolean;
}

/** What the rows of a file can have, the required columns first. Tickets also have the custom fields of the organization. */
export function targetsOf(kind: CsvKind, fields: readonly CustomField[]): TargetColumn[] {
  const { required, optional }: { required: readonly CsvColumn[]; optional: readonly CsvColumn[] } = csvColumns[kind];
  const target = (key: CsvColumn, isRequired: boolean) => ({ key, label: columnLabels[key], isRequired });
  const custom = kind === 'tickets' ? fields.filter(({ deleted_at }) => deleted_at === null) : [];
  return [
    ...required.map((key) => target(key, true)),
    ...optional.map((key) => target(key, false)),
    ...custom.map(({ key, label }) => ({ key: customFieldName(key), label, isRequired: false })),
  ];
}

/** The labels of the required columns that are not mapped. */
export function missingColumns({ kind, mapping }: Pick<ImportFile, 'kind' | 'mapping'>): string[] {
  if (!kind) return [];
  const required: readonly CsvColumn[] = csvColumns[kind].required;
  return required.filter((key) => !mapping?.[key]).map((key) => columnLabels[key]);
}

/** The columns of the file that are not imported. */
export function unusedColumns({ columns, mapping }: Pick<ImportFile, 'columns' | 'mapping'>): string[] {
  const used = new Set(Object.values(mapping ?? {}));
  return [...new Set(columns ?? [])].filter((column) => column !== '' && !used.has(column));
}

const maxSampleLength = 60;
/** The first values of a column that are not empty. */
export function samplesOf({ columns, sample }: Pick<ImportFile, 'columns' | 'sample'>, column: string): string[] {
  const at = columns?.indexOf(column) ?? -1;
  const values = at < 0 ? [] : (sample ?? []).map((row) => (row[at] ?? '').replace(/\s+/g, ' ').trim());
  return values
    .filter(Boolean)
    .map((value) => (value.length > maxSampleLength ? `${value.slice(0, maxSampleLength - 1).toWellFormed()}…` : value));
}

const plainName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, ''); // prettier-ignore

/** A mapping for rows of another kind: the columns that have the name of ours. The server suggests one only for the kind that it recognizes. */
export function mappingByName(kind: CsvKind, { columns }: Pick<ImportFile, 'columns'>): Mapping {
  return Object.fromEntries(
    targetsOf(kind, []).map(({ key, label }) => [
      key,
      columns?.find((column) => plainName(column) === key || plainName(column) === plainName(label)) ?? null,
    ]),
  );
}
