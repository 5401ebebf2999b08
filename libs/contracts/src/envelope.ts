import * as z from 'zod';
import { Actor } from './context';
import { Id, Timestamp } from './scalars';

/** CloudEvents 1.0, structured JSON: the form in which JetStream stores events. */
export const Envelope = z.object({
  specversion: z.literal('1.0'),
  /** UUIDv7; also the `Nats-Msg-Id`, and the key of every inbox. */
  id: Id,
  type: z.string(),
  source: z.string(),
  time: Timestamp,
  /** The id of the event's subject: a ticket, a member, an organization. */
  subject: z.string(),
  datacontenttype: z.literal('application/json'),
  organizationid: Id.nullable(),
  actor: Actor,
  /** Counts per subject, from 1, without gaps. */
  sequence: z.number().int().positive(),
  requestid: z.string(),
  traceparent: z.string().nullish(),
  /** The actor's address and browser, for the audit log: only on events that are `audited`. */
  client: z.object({ ip: z.string(), user_agent: z.string() }).optional(),
  data: z.unknown(),
});
export type Envelope = z.infer<typeof Envelope>;

/** The NATS subject: `{prefix}.{organization or _}.{type}`. */
export const subjectOf = (prefix: string, organization_id: string | null, type: string) => `${prefix}.${organization_id ?? '_'}.${type}`;
