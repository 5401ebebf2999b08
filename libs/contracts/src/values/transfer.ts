/** Where data can be imported from. `csv`: spreadsheets of any tool; `tandem`: an export of this product. */
export const importSources = ['csv', 'tandem', 'zendesk', 'freshdesk', 'help_scout', 'chatwoot', 'zammad'] as const;
export type ImportSource = (typeof importSources)[number];

/** Sources that are read through their API, with an address and a token; files of all others are uploaded. */
export const apiSources = ['chatwoot', 'zammad'] as const satisfies readonly ImportSource[];
export const isApiSource = (source: ImportSource): boolean => (apiSources as readonly string[]).includes(source);

/** The names that people see. */
export const importSourceNames: Record<ImportSource, string> = {
  csv: 'CSV files',
  tandem: 'Tandem',
  zendesk: 'Zendesk',
  freshdesk: 'Freshdesk',
  help_scout: 'Help Scout',
  chatwoot: 'Chatwoot',
  zammad: 'Zammad',
};

/**
 * - `preparing`: files are uploaded and mapped
 * - `checking`: the source is read into the staging table; nothing is visible yet
 * - `ready`: checked; the counts and problems are complete
 * - `importing`: records are being created
 * - `done`
 * - `undoing`, `undone`: the records that it created are deleted
 * - `cancelled`: stopped by an admin; what was created stays until it is undone
 * - `failed`: it cannot continue; `failure` says why
 */
export const importStates = ['preparing', 'checking', 'ready', 'importing', 'done', 'undoing', 'undone', 'cancelled', 'failed'] as const;
export type ImportState = (typeof importStates)[number];
/** A worker is busy with it. An organization has one such import at a time. */
export const activeImportStates = ['checking', 'importing', 'undoing'] as const satisfies readonly ImportState[];

/** The files of a CSV import. `customers` adds names to customers of whom tickets have only the address. */
export const csvKinds = ['tickets', 'comments', 'customers', 'articles'] as const;
export type CsvKind = (typeof csvKinds)[number];

/** The columns that a CSV file can have; those in `required` must be mapped. `custom_fields.<key>` can be mapped as well. */
export const csvColumns = {
  tickets: {
    required: ['subject', 'customer_email'],
    optional: [
      'id', 'number', 'description', 'status', 'priority', 'category', 'tags', 'channel', 'customer_name', 'assignee', 'created_at', 'updated_at',
      'resolved_at',
    ],
  },
  comments: { required: ['ticket_id', 'content'], optional: ['id', 'author_email', 'author_name', 'is_internal', 'created_at'] },
  customers: { required: ['email', 'name'], optional: [] },
  articles: { required: ['title', 'body'], optional: ['id', 'summary', 'category', 'language', 'visibility', 'state', 'created_at', 'updated_at'] },
} as const satisfies Record<CsvKind, { required: readonly string[]; optional: readonly string[] }>; // prettier-ignore

/** The records that an import creates and an export contains, in the order in which they refer to each other. */
export const recordKinds = [
  'teammate', 'custom_field', 'sla_policy', 'canned_reply', 'view', 'rule', 'article_category', 'article', 'article_version', 'ticket', 'comment',
  'history', 'file', 'customer',
] as const; // prettier-ignore
export type RecordKind = (typeof recordKinds)[number];

/** The names that people see, of several. */
export const recordKindNames: Record<RecordKind, string> = {
  teammate: 'Teammates',
  custom_field: 'Custom fields',
  sla_policy: 'SLA policies',
  canned_reply: 'Canned replies',
  view: 'Views',
  rule: 'Rules',
  article_category: 'Article categories',
  article: 'Articles',
  article_version: 'Article versions',
  ticket: 'Tickets',
  comment: 'Comments',
  history: 'Timeline entries',
  file: 'Files',
  customer: 'Customers',
};

/** Why a record cannot be imported as it is (`error`: it is left out), or is imported with a change (`warning`). */
export const importProblems = {
  'line.unreadable': { severity: 'error', title: 'This line cannot be read' },
  'line.too_long': { severity: 'error', title: 'This line is too long' },
  'line.ragged': { severity: 'error', title: 'This line has more or fewer columns than the first' },
  'entry.unreadable': { severity: 'error', title: 'This file of the archive cannot be read' },
  'value.missing': { severity: 'error', title: 'A required value is missing' },
  'value.invalid': { severity: 'error', title: 'A value is not valid' },
  'value.shortened': { severity: 'warning', title: 'A text is too long and will be shortened' },
  'value.replaced': { severity: 'warning', title: 'A value is not known and will be replaced' },
  'value.left_out': { severity: 'warning', title: 'A value cannot be kept and will be left out' },
  'time.invalid': { severity: 'error', title: 'A date cannot be read, or is not between 1970 and today' },
  'time.order': { severity: 'warning', title: 'A time is before the creation of the ticket and will be corrected' },
  'email.invalid': { severity: 'error', title: 'The customer has no valid email address' },
  'id.repeated': { severity: 'error', title: 'Another record of this import has the same ID' },
  'parent.missing': { severity: 'error', title: 'The ticket or article that it belongs to is not part of the import' },
  'number.taken': { severity: 'warning', title: 'Another ticket has this number; the ticket gets a new one' },
  'file.missing': { severity: 'warning', title: 'A file is not part of the archive and will be left out' },
  'file.too_large': { severity: 'warning', title: 'A file is larger than 20 MB and will be left out' },
  'file.refused': { severity: 'warning', title: 'A file of this type cannot be stored and will be left out' },
  'file.unreachable': { severity: 'warning', title: 'A file could not be downloaded and will be left out' },
  'record.limit': { severity: 'error', title: 'The organization has as many of these as it can have' },
  'record.left_out': { severity: 'warning', title: 'Records of this kind are not imported' },
} as const satisfies Record<string, { severity: 'error' | 'warning'; title: string }>;
export type ImportProblemCode = keyof typeof importProblems;

/** Why an import failed as a whole. */
export const importFailures = {
  'source.unreadable': 'The file has another format than expected. Choose the right source, or export the data again.',
  'source.encrypted': 'The archive is encrypted. Remove the password and upload it again.',
  'source.too_large': 'The archive is larger than an import can be when it is unpacked.',
  'source.too_many_records': 'The source has more records than one import can have. Split it into several.',
  'source.empty': 'The source contains nothing that can be imported.',
  'source.unreachable': 'The address did not respond. Check it and try again.',
  'source.refused': 'The address does not accept the token, or the token may not read everything.',
  'source.not_found': 'There is no such account at this address.',
  'source.changed': 'The uploaded file is no longer stored. Upload it again.',
} as const;
export type ImportFailure = keyof typeof importFailures;

export const importLimits = {
  /** Of one uploaded file, in bytes. */
  fileBytes: 2 * 1024 ** 3,
  /** Of one archive when it is unpacked, files of tickets included. */
  unpackedBytes: 50 * 1024 ** 3,
  /** Entries of an archive. */
  entries: 2_000_000,
  /** Of one line of JSON, or one row of CSV. */
  lineBytes: 64 * 1024 ** 2,
  /** Files of an import. */
  files: 8,
  /** Records of an import, of all kinds. */
  records: 5_000_000,
  /** Columns of a CSV file. */
  columns: 200,
  /** Of a cell in `sample`, in characters. */
  sampleLength: 200,
  /** Problems that are stored; further ones are only counted. */
  problems: 10_000,
  /** Different teammates, and different values of a status or priority. */
  teammates: 500,
  values: 100,
  name: 100,
  address: 200,
  token: 500,
  /** How long an import can be undone, in hours from its end. */
  undoHours: 24,
  /** How long an import that was not started keeps its files and staged records, in days. */
  keepDays: 7,
} as const;

/** `running`: created in the background; `expired`: the archive was deleted after 7 days. */
export const exportStates = ['running', 'done', 'failed', 'expired'] as const;
export const exportLimits = {
  /** How long an archive can be downloaded, in days. */
  keepDays: 7,
  /** How long a service may take to send its part, in minutes. */
  partMinutes: 60,
  /** Lines of a part in one event, in bytes of JSON. */
  partBytes: 400_000,
  /** Exports of an organization per day. */
  perDay: 10,
  /** Rows of a ticket list as CSV. */
  csvRows: 100_000,
} as const;
/** The version of the format of exports. */
export const exportVersion = 1;
