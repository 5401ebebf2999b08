import * as z from 'zod';
import { job, operation } from './define';
import { PageQuery } from './pagination';
import { Id, Timestamp } from './scalars';
import { auditCategories, auditTypes, severities } from './values/audit';

const owner = 'identity';

/** The type of an entry in the audit log. */
export const AuditEventType = z.enum(auditTypes);

/** One entry of an organization's audit log: who did what, when and from where, with the values before and after. */
export const AuditEntry = z.object({
  id: Id,
  type: AuditEventType,
  category: z.enum(auditCategories),
  severity: z.enum(severities),
  occurred_at: Timestamp,
  /** Null without a signed-in user (a failed sign-in) and for actions of the system. */
  actor_id: Id.nullable(),
  /** The address at that time. For an API token `API · {name}`, or `MCP · {name}` for an assistant. */
  actor_email: z.string().nullable(),
  /** The object of the entry, as text: an address, an organization's name. */
  target: z.string().nullable(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  /** Only changed fields: `{ role: { from: 'agent', to: 'admin' } }`. Never a secret. */
  changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })).nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditFilter = z.strictObject({
  category: z.enum(auditCategories).optional(),
  type: AuditEventType.optional(),
  severity: z.enum(severities).optional(),
  /** The user who did it. */
  actor_id: Id.optional(),
  from: Timestamp.optional(),
  to: Timestamp.optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

export const listAuditLog = operation({
  name: 'identity.listAuditLog',
  summary: "List the organization's audit log, newest first.",
  owner,
  method: 'GET',
  path: '/audit-log',
  allow: 'audit.read',
  paginated: true,
  input: { query: z.strictObject({ ...AuditFilter.shape, ...PageQuery.shape }) },
  output: AuditEntry,
});
/** Reads all pages of `listAuditLog` and writes them as one file. */
export const downloadAuditLog = operation({
  name: 'gateway.downloadAuditLog',
  summary: "Download the organization's audit log as a CSV file, newest first.",
  owner: 'gateway',
  method: 'GET',
  path: '/audit-log.csv',
  allow: 'audit.read',
  handwritten: true,
  input: { query: AuditFilter },
  output: z.string(),
});
export const listSecurityEvents = operation({
  name: 'identity.listSecurityEvents',
  summary: 'List the latest security events of the organization: sign-ins, failures, lock-outs and suspicious sessions.',
  owner,
  method: 'GET',
  path: '/security-events',
  allow: 'audit.read',
  input: { query: z.strictObject({ limit: z.coerce.number().int().min(1).max(100).default(20) }) },
  output: z.array(AuditEntry),
});
export const recordLockOut = operation({
  name: 'identity.recordLockOut',
  summary: 'Record that an address was locked out after too many failed sign-ins; for the gateway only.',
  owner,
  method: 'POST',
  path: '/internal/lock-outs',
  allow: 'gateway',
  handwritten: true,
  input: { body: z.strictObject({ email: z.string().max(254) }) },
  output: z.object({}),
});

/** Deletes entries older than the retention time; the job finds them in the table. */
export const pruneAuditLog = job({
  type: 'prune_audit_log',
  owner,
  queue: 'identity',
  data: z.object({}),
  attempts: 3,
  backoffMs: [10_000, 60_000],
  tenant: false,
});
