import * as z from 'zod';
import { event, job, operation, type ServiceName } from './define';
import { PageQuery } from './pagination';
import { Id, Timestamp } from './scalars';
import { Ticket, TicketFilter } from './tickets';
import { exportLimits, exportStates } from './values/transfer';

const owner = 'tickets';

// ---- shapes ---------------------------------------------------------------------------------------------------

export const Export = z.object({
  id: Id,
  state: z.enum(exportStates),
  /** Whether it contains only what is stored about one customer (`exportCustomer`). */
  is_of_customer: z.boolean(),
  /** The address of that customer; null once the archive is deleted. */
  customer_email: z.string().nullable(),
  /** Whether it contains the files of tickets and the pictures of articles. */
  has_files: z.boolean(),
  /** The size of the archive in bytes; null until it is done. */
  size: z.number().int().nullable(),
  /** Lines that were written, of all kinds; `total` is an estimate. */
  progress: z.object({ done: z.number().int(), total: z.number().int() }).nullable(),
  created_by: Id.nullable(),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
  /** Until when it can be downloaded. */
  expires_at: Timestamp.nullable(),
});
export type Export = z.infer<typeof Export>;

/**
 * `manifest.json` of an archive. `files` are in the order of the archive. `imported`: an import reads it; other files are for
 * people and other programs.
 */
export const ExportManifest = z.object({
  format: z.literal('tandem-export'),
  version: z.number().int(),
  created_at: Timestamp,
  organization: z.object({ id: Id, name: z.string(), subdomain: z.string().nullable() }),
  /** The archive contains only what is stored about this customer, for whom it is. No import reads it. */
  customer_email: z.string().nullable().default(null),
  has_files: z.boolean(),
  files: z.array(
    z.object({
      name: z.string(),
      /** The path of its JSON schema in the archive. */
      schema: z.string(),
      lines: z.number().int(),
      bytes: z.number().int(),
      sha256: z.string(),
      imported: z.boolean(),
    }),
  ),
  /** What the archive does not contain, and why: passwords, secrets of webhooks, tokens. */
  left_out: z.array(z.string()),
});
export type ExportManifest = z.infer<typeof ExportManifest>;

// ---- operations -----------------------------------------------------------------------------------------------

const byId = { params: z.object({ id: Id }) };
const admin = { owner, allow: 'data.transfer' } as const;

export const listExports = operation({
  name: 'tickets.listExports',
  summary: 'List exports of the whole organization and of customers, newest first.',
  ...admin,
  method: 'GET',
  path: '/exports',
  input: { query: PageQuery.strict() },
  output: Export,
  paginated: true,
});
export const createExport = operation({
  name: 'tickets.createExport',
  summary: 'Export everything in the organization as an archive, in the background.',
  ...admin,
  method: 'POST',
  path: '/exports',
  status: 201,
  idempotent: true,
  input: { body: z.strictObject({ has_files: z.boolean().default(true) }) },
  output: Export,
  problems: ['export.running', 'export.too_many'],
});
export const readExport = operation({
  name: 'tickets.readExport',
  summary: 'Read the state of an export.',
  ...admin,
  method: 'GET',
  path: '/exports/:id',
  input: byId,
  output: Export,
  problems: ['export.not_found'],
});
export const linkExport = operation({
  name: 'tickets.linkExport',
  summary: 'Create a signed URL that allows the archive to be downloaded for a few minutes.',
  ...admin,
  method: 'POST',
  path: '/exports/:id/link',
  input: byId,
  output: z.object({ url: z.string(), expires_at: Timestamp }),
  problems: ['export.not_found', 'export.not_ready'],
});
/** Binary. The gateway streams it from the owner. */
export const downloadExport = operation({
  name: 'tickets.downloadExport',
  summary: 'Download an export. The signed URL grants access for a few minutes.',
  owner,
  method: 'GET',
  path: '/export-files/:token',
  allow: 'public',
  handwritten: true,
  input: { params: z.object({ token: z.string().max(500) }) },
  output: z.unknown(),
  problems: ['file.link_expired'],
});
export const deleteExport = operation({
  name: 'tickets.deleteExport',
  summary: 'Stop an export, or delete its archive.',
  ...admin,
  method: 'DELETE',
  path: '/exports/:id',
  input: byId,
  output: z.object({}),
  problems: ['export.not_found'],
});
/** Text. The gateway reads the list page by page. */
export const exportTicketsAsCsv = operation({
  name: 'gateway.exportTickets',
  summary: `Download the tickets of a list as CSV, at most ${exportLimits.csvRows.toLocaleString('en-US')}, in the order of the list.`,
  owner: 'gateway',
  method: 'GET',
  path: '/tickets.csv',
  allow: 'ticket.read',
  token: 'tickets:read',
  handwritten: true,
  input: { query: TicketFilter.omit({ limit: true, cursor: true }).strict() },
  output: z.string(),
});

/** Columns of the CSV file that lists do not have. */
export const TicketCsvColumns = Ticket.pick({ id: true, channel: true, custom_fields: true });
export type TicketCsvColumns = z.infer<typeof TicketCsvColumns>;
export const readTicketCsvColumns = operation({
  name: 'tickets.readCsvColumns',
  summary: 'The channel and the custom fields of some tickets, for their CSV file.',
  owner,
  method: 'POST',
  path: '/internal/csv-columns',
  allow: 'gateway',
  handwritten: true,
  input: { body: z.strictObject({ ids: z.array(Id).max(100) }) },
  output: z.array(TicketCsvColumns),
});

// ---- events and jobs ------------------------------------------------------------------------------------------

/** For the audit log. Its subject is the export. */
export const exportChanged = event(
  'export.changed',
  owner,
  z.object({
    what: z.enum(['created', 'finished', 'failed', 'downloaded', 'deleted']),
    has_files: z.boolean(),
    /** Why it failed, as a sentence. */
    reason: z.string().nullable().default(null),
    /** Who requested it, so that they are notified when it is ready. */
    created_by: Id.nullable().default(null),
    is_of_customer: z.boolean().default(false),
  }),
  { audited: true },
);
/** Each of the other services sends its part of an export (`…ExportPart`). Its subject is the export. */
export const exportRequested = event(
  'export.requested',
  owner,
  z.object({
    export_id: Id,
    /** Only what is stored about this customer. */
    customer_email: z.string().nullable().default(null),
  }),
);

/**
 * Lines of one file of an export. `index` counts the events of this service for this export from 0; the event with `is_last` ends its part.
 * Its subject is the export.
 */
export const ExportPart = z.object({
  export_id: Id,
  index: z.number().int(),
  /** The name of the file in the archive, such as `members.jsonl`. Null with `is_last`. */
  file: z.string().nullable(),
  /** Lines of JSON without line breaks. */
  lines: z.array(z.string()),
  is_last: z.boolean(),
});
export type ExportPart = z.infer<typeof ExportPart>;
const part = <const S extends Exclude<ServiceName, 'tickets'>>(service: S) => event(`${service}.export_part` as const, service, ExportPart);
export const identityExportPart = part('identity');
export const notificationsExportPart = part('notifications');
export const integrationsExportPart = part('integrations');
export const analyticsExportPart = part('analytics');

/** Writes the archive once all parts have arrived. */
export const writeExport = job({
  type: 'write_export',
  owner,
  queue: 'exports',
  data: z.object({ export_id: Id }),
  attempts: 5,
  backoffMs: [1_000, 10_000, 60_000],
});
/** Deletes archives after their time, and ends exports whose parts do not arrive. */
export const pruneExports = job({
  type: 'prune_exports',
  owner,
  // Not behind the jobs that write archives.
  queue: 'export-prune',
  data: z.object({}),
  attempts: 3,
  backoffMs: [60_000],
  tenant: false,
});
/** Sends the part of a service; the row in its database has the position. */
const sendPart = <const S extends Exclude<ServiceName, 'tickets'>>(service: S) =>
  job({
    type: `send_${service}_export_part` as const,
    owner: service,
    queue: `${service}-exports`,
    data: z.object({ export_id: Id }),
    attempts: 5,
    backoffMs: [1_000, 10_000, 60_000],
  });
export const sendIdentityExportPart = sendPart('identity');
export const sendNotificationsExportPart = sendPart('notifications');
export const sendIntegrationsExportPart = sendPart('integrations');
export const sendAnalyticsExportPart = sendPart('analytics');
