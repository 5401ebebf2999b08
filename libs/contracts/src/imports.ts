import * as z from 'zod';
import { event, job, operation, type ServiceName } from './define';
import { PageQuery } from './pagination';
import { CommentRecord, TicketRecord } from './records';
import { Id, requiredText, text, Timestamp } from './scalars';
import { TicketPriority, TicketStatus } from './tickets';
import {
  csvKinds,
  importFailures,
  importLimits,
  importProblems,
  importSources,
  importStates,
  recordKinds,
  type ImportFailure,
  type ImportProblemCode,
} from './values/transfer';

const owner = 'tickets';

// ---- shapes ---------------------------------------------------------------------------------------------------

const Column = z.string().max(importLimits.sampleLength);
/** Our column → the column of the file, by its name in the first line. Columns that are not mapped are not imported. */
const Mapping = z.record(z.string().max(60), Column.nullable());

export const ImportFile = z.object({
  id: Id,
  file_name: z.string(),
  /** Bytes. */
  size: z.number().int(),
  /** What the rows of a CSV file are; null for all other files. */
  kind: z.enum(csvKinds).nullable(),
  is_uploaded: z.boolean(),
  /** Of a CSV file: the names in the first line, and the next lines in the same order, at most three. Null until it is uploaded. */
  columns: z.array(z.string()).nullable(),
  sample: z.array(z.array(z.string())).nullable(),
  /** Of a CSV file; suggested from the names of its columns until an admin changes it. */
  mapping: Mapping.nullable(),
});
export type ImportFile = z.infer<typeof ImportFile>;

/** A person in the source who worked on tickets, and the member who they are here. Without one, only their name is kept. */
export const ImportTeammate = z.object({
  key: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  user_id: Id.nullable(),
});
export type ImportTeammate = z.infer<typeof ImportTeammate>;

/** A value of the source that has no equivalent of the same name, with the number of tickets, and what it becomes. */
const valueMapping = <T extends z.ZodType>(to: T) => z.object({ value: z.string().max(200), tickets: z.number().int(), to });

const ImportOptions = z.object({
  /** Whether tickets keep their numbers if no other ticket has them. Otherwise they get the next numbers, in the order of their creation. */
  keep_numbers: z.boolean(),
  /** Whether custom fields, canned replies, views, rules and SLA policies of our own exports are imported. */
  settings: z.boolean(),
  /** Whether files are imported, which can take long. */
  files: z.boolean(),
});

/** By kind. `found` includes what cannot be read. `existing`: the record was created by an earlier import. `failed`: it is in the list of problems. */
const Counts = z.object({
  found: z.number().int(),
  created: z.number().int(),
  existing: z.number().int(),
  failed: z.number().int(),
});

export const Import = z.object({
  id: Id,
  source: z.enum(importSources),
  state: z.enum(importStates),
  /** The name of the first file, or the host. */
  name: z.string(),
  /** Of a source that is read through its API. The token is write-only. */
  address: z.string().nullable(),
  files: z.array(ImportFile),
  options: ImportOptions,
  /** Empty until it is checked; the most frequent ones first. */
  teammates: z.array(ImportTeammate),
  statuses: z.array(valueMapping(TicketStatus)),
  priorities: z.array(valueMapping(TicketPriority)),
  counts: z.partialRecord(z.enum(recordKinds), Counts),
  /** How many problems were found, by code; `listImportProblems` returns the first 10,000. */
  problems: z.partialRecord(z.enum(Object.keys(importProblems) as [ImportProblemCode]), z.number().int()),
  /** Of the current state: records, or bytes while a file is read. `total` is null if it is not known. */
  progress: z.object({ done: z.number().int(), total: z.number().int().nullable() }).nullable(),
  failure: z.enum(Object.keys(importFailures) as [ImportFailure]).nullable(),
  /** Null if the user was deleted. */
  created_by: Id.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** When it was done, cancelled, undone or failed. */
  finished_at: Timestamp.nullable(),
  /** Until when it can be undone; null if nothing was created, or it is undone. */
  undo_until: Timestamp.nullable(),
  /** Tickets that were changed after the import; an undo leaves them as they are. Set when it was undone. */
  kept_count: z.number().int().nullable(),
});
export type Import = z.infer<typeof Import>;

export const ImportProblem = z.object({
  code: z.enum(Object.keys(importProblems) as [ImportProblemCode]),
  kind: z.enum(recordKinds).nullable(),
  /** The ID in the source. */
  key: z.string().nullable(),
  /** The file, or the entry of an archive. */
  file: z.string().nullable(),
  /** From 1. */
  line: z.number().int().nullable(),
  /** The column or field. */
  field: z.string().nullable(),
  /** The start of the value. */
  value: z.string().nullable(),
});
export type ImportProblem = z.infer<typeof ImportProblem>;

/** A ticket as it would be created. */
export const ImportPreview = z.object({
  ticket: TicketRecord,
  comments: z.array(CommentRecord),
  comment_count: z.number().int(),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

// ---- operations -----------------------------------------------------------------------------------------------

const byId = { params: z.object({ id: Id }) };
const admin = { owner, allow: 'data.transfer' } as const;
const notFound = 'import.not_found' as const;

export const listImports = operation({
  name: 'tickets.listImports',
  summary: 'List imports, newest first.',
  ...admin,
  method: 'GET',
  path: '/imports',
  input: { query: PageQuery.strict() },
  output: Import,
  paginated: true,
});
export const createImport = operation({
  name: 'tickets.createImport',
  summary: 'Prepare an import. Nothing is imported yet.',
  ...admin,
  method: 'POST',
  path: '/imports',
  status: 201,
  idempotent: true,
  input: {
    body: z.strictObject({
      source: z.enum(importSources),
      /** For a source that is read through its API. */
      address: z
        .url({ protocol: /^https?$/, error: 'Enter an address like https://support.example.com' })
        .max(importLimits.address)
        .optional(),
      token: requiredText(importLimits.token, 'Enter the token').optional(),
    }),
  },
  output: Import,
  problems: ['import.too_many'],
});
export const readImport = operation({
  name: 'tickets.readImport',
  summary: 'Read an import.',
  ...admin,
  method: 'GET',
  path: '/imports/:id',
  input: byId,
  output: Import,
  problems: [notFound],
});
/** Only while it is `preparing` or `ready`. A change of the mapping of a CSV file requires another check. */
export const updateImport = operation({
  name: 'tickets.updateImport',
  summary: 'Change how an import that has not started maps columns, people and values.',
  ...admin,
  method: 'PATCH',
  path: '/imports/:id',
  input: {
    ...byId,
    body: z
      .strictObject({
        options: ImportOptions.partial(),
        mappings: z.array(z.strictObject({ file_id: Id, kind: z.enum(csvKinds), mapping: Mapping })).max(importLimits.files),
        teammates: z.array(z.strictObject({ key: text(200), user_id: Id.nullable() })).max(importLimits.teammates),
        statuses: z.array(z.strictObject({ value: text(200), to: TicketStatus })).max(importLimits.values),
        priorities: z.array(z.strictObject({ value: text(200), to: TicketPriority })).max(importLimits.values),
      })
      .partial()
      .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change'),
  },
  output: Import,
  problems: [notFound, 'import.state', 'import.mapping', 'assignee.not_a_member'],
});
export const announceImportFile = operation({
  name: 'tickets.announceImportFile',
  summary: 'Announce a file of an import; the response contains the upload URL.',
  ...admin,
  method: 'POST',
  path: '/imports/:id/files',
  status: 201,
  input: {
    ...byId,
    body: z.strictObject({
      file_name: requiredText(200, 'The file needs a name'),
      size: z.number().int().min(1, 'The file is empty').max(importLimits.fileBytes, 'Files can be up to 2 GB'),
      /** For a CSV file; by default it is recognized by its columns. */
      kind: z.enum(csvKinds).optional(),
    }),
  },
  /** `upload_url` is a path of this API for one PUT of exactly the announced size, until `expires_at`. */
  output: z.object({ file_id: Id, upload_url: z.string(), expires_at: Timestamp }),
  problems: [notFound, 'import.state', 'import.too_many_files'],
});
/** The gateway streams the file to the owner. */
export const uploadImportFile = operation({
  name: 'tickets.uploadImportFile',
  summary: 'Upload an announced file of an import. The signed URL grants access.',
  owner,
  method: 'PUT',
  path: '/import-files/:token',
  allow: 'public',
  handwritten: true,
  input: { params: z.object({ token: z.string().max(500) }) },
  output: z.object({}),
  problems: ['file.link_expired', 'request.too_large'],
});
export const removeImportFile = operation({
  name: 'tickets.removeImportFile',
  summary: 'Remove a file from an import that has not started.',
  ...admin,
  method: 'DELETE',
  path: '/imports/:id/files/:file_id',
  input: { params: z.object({ id: Id, file_id: Id }) },
  output: z.object({}),
  problems: [notFound, 'import.state'],
});
export const checkImport = operation({
  name: 'tickets.checkImport',
  summary: 'Read the source in the background, without creating anything, and list its problems.',
  ...admin,
  method: 'POST',
  path: '/imports/:id/check',
  input: byId,
  output: Import,
  problems: [notFound, 'import.state', 'import.mapping', 'import.no_file', 'import.active'],
});
/** The first tickets in the order of their creation. */
export const previewImport = operation({
  name: 'tickets.previewImport',
  summary: 'Show the first 20 tickets of a checked import as they would be created.',
  ...admin,
  method: 'GET',
  path: '/imports/:id/preview',
  input: byId,
  output: z.array(ImportPreview),
  problems: [notFound, 'import.state'],
});
export const listImportProblems = operation({
  name: 'tickets.listImportProblems',
  summary: 'List the problems of an import in the order of the source.',
  ...admin,
  method: 'GET',
  path: '/imports/:id/problems',
  input: {
    ...byId,
    query: PageQuery.extend({ code: z.enum(Object.keys(importProblems) as [ImportProblemCode]).optional() }).strict(),
  },
  output: ImportProblem,
  paginated: true,
  problems: [notFound],
});
export const startImport = operation({
  name: 'tickets.startImport',
  summary: 'Create the records of a checked import in the background. No email is sent, no rule runs and no task is created.',
  ...admin,
  method: 'POST',
  path: '/imports/:id/start',
  input: byId,
  output: Import,
  problems: [notFound, 'import.state', 'import.active'],
});
export const cancelImport = operation({
  name: 'tickets.cancelImport',
  summary: 'Stop an import. What it has created stays until it is undone.',
  ...admin,
  method: 'POST',
  path: '/imports/:id/cancel',
  input: byId,
  output: Import,
  problems: [notFound, 'import.state'],
});
export const undoImport = operation({
  name: 'tickets.undoImport',
  summary: 'Delete what an import has created, except tickets and articles that were changed since. Possible for 24 hours.',
  ...admin,
  method: 'POST',
  path: '/imports/:id/undo',
  input: byId,
  output: Import,
  problems: [notFound, 'import.state', 'import.undo_expired', 'import.active'],
});

// ---- events and jobs ------------------------------------------------------------------------------------------

/** For the audit log. Its subject is the import. */
export const importChanged = event(
  'import.changed',
  owner,
  z.object({
    what: z.enum(['created', 'started', 'finished', 'cancelled', 'failed', 'undo_started', 'undone']),
    source: z.enum(importSources),
    name: z.string(),
    /** Tickets that it has created. */
    tickets: z.number().int(),
  }),
  { audited: true },
);
/** Open lists load again: imported tickets have no events of their own. Its subject is the import. */
export const ticketsImported = event('tickets.imported', owner, z.object({ import_id: Id }), { live: true });
/**
 * Tickets no longer exist: an import was undone, a customer was erased, or the retention time has passed. Other services delete what they store
 * about them. `keep_figures`: analytics keeps counts and times, without texts. `is_anonymized`: the tickets still exist, without their customer
 * and all texts; other services do the same. Its subject is the organization.
 */
export const ticketsDeleted = event(
  'tickets.deleted',
  owner,
  z.object({
    ticket_ids: z.array(Id).max(500),
    keep_figures: z.boolean().default(false),
    is_anonymized: z.boolean().default(false),
    erasure_id: Id.nullable().default(null),
  }),
  { live: true },
);

/** Reads the source into the staging table, creates the records, or deletes them: whatever the state of the import requires. */
export const runImport = job({
  type: 'run_import',
  owner,
  queue: 'imports',
  data: z.object({ import_id: Id }),
  attempts: 5,
  backoffMs: [1_000, 10_000, 60_000],
});
/** Deletes what a service stores about deleted tickets, again and again until late events have arrived. */
const ticketDeletionIn = <const S extends ServiceName>(service: S) =>
  job({
    type: `delete_tickets_in_${service}` as const,
    owner: service,
    queue: `${service}-deletions`,
    data: z.strictObject({}),
    attempts: 5,
    backoffMs: [1_000, 5_000, 30_000],
  });
export const deleteTicketsInTickets = ticketDeletionIn('tickets');
export const deleteTicketsInNotifications = ticketDeletionIn('notifications');
export const deleteTicketsInIntegrations = ticketDeletionIn('integrations');
export const deleteTicketsInAnalytics = ticketDeletionIn('analytics');
/** Deletes files and staged records that are no longer needed. */
export const pruneImports = job({
  type: 'prune_imports',
  owner,
  queue: 'imports',
  data: z.object({}),
  attempts: 3,
  backoffMs: [60_000],
  tenant: false,
});
