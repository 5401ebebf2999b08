import * as z from 'zod';
import { event, job, operation } from './define';
import { Id, requiredText, Timestamp } from './scalars';
import { byTicket, Changes, Ticket, TicketPriority } from './tickets';
import { slaClocks, slaClockStates, slaDefaults, slaLimits, slaPauses } from './values/sla';

const owner = 'tickets';

/** At most one policy per priority is active; it applies to tickets that are created or change priority from then on. */
export const SlaPolicy = z.object({
  id: Id,
  organization_id: Id,
  name: z.string(),
  priority_level: TicketPriority,
  response_time_hours: z.number().int(),
  resolution_time_hours: z.number().int(),
  escalation_enabled: z.boolean(),
  escalation_time_hours: z.number().int(),
  is_active: z.boolean(),
  created_at: Timestamp,
});
export type SlaPolicy = z.infer<typeof SlaPolicy>;

const hours = z
  .number('Enter whole hours')
  .int('Enter whole hours')
  .min(1, 'At least 1 hour')
  .max(slaLimits.hours, `At most ${slaLimits.hours} hours`);
const fields = {
  name: requiredText(slaLimits.name, 'Give the policy a name'),
  priority_level: TicketPriority,
  response_time_hours: hours,
  resolution_time_hours: hours,
  escalation_enabled: z.boolean(),
  escalation_time_hours: hours,
  is_active: z.boolean(),
};
export const CreateSlaPolicy = z.strictObject({
  ...fields,
  response_time_hours: hours.default(slaDefaults.response_time_hours),
  resolution_time_hours: hours.default(slaDefaults.resolution_time_hours),
  escalation_enabled: fields.escalation_enabled.default(slaDefaults.escalation_enabled),
  escalation_time_hours: hours.default(slaDefaults.escalation_time_hours),
  is_active: fields.is_active.default(slaDefaults.is_active),
});
export type CreateSlaPolicy = z.infer<typeof CreateSlaPolicy>;
export const UpdateSlaPolicy = z.strictObject(fields).partial();
export type UpdateSlaPolicy = z.infer<typeof UpdateSlaPolicy>;
const byId = { params: z.object({ id: Id }) };

export const SlaClock = z.object({
  clock: z.enum(slaClocks),
  state: z.enum(slaClockStates),
  /** Null while waiting for the customer, because the end of the pause is unknown. */
  due_at: Timestamp.nullable(),
  /** When the target was met. */
  met_at: Timestamp.nullable(),
  /** Remaining working time in minutes; negative if overdue. */
  remaining_minutes: z.number().int(),
  paused_by: z.enum(slaPauses).nullable(),
  /** When the timer continues: at the next business hours. Null while waiting for the customer. */
  resumes_at: Timestamp.nullable(),
});
export type SlaClock = z.infer<typeof SlaClock>;
export const TicketSla = z.object({
  policy: z.object({ id: Id, name: z.string(), response_time_hours: z.number().int(), resolution_time_hours: z.number().int() }),
  clocks: z.array(SlaClock),
  /** Whether only business hours count: then the remaining time differs from wall-clock time. */
  counts_working_time: z.boolean().default(false),
  /** The total pause while waiting for the customer, in minutes of working time. */
  paused_minutes: z.number().int(),
  /** When the ticket is escalated unless it is resolved first. Null: never. */
  escalates_at: Timestamp.nullable(),
});
export type TicketSla = z.infer<typeof TicketSla>;

export const listSlaPolicies = operation({
  name: 'tickets.listSlaPolicies',
  summary: 'List SLA policies, the most urgent priority first.',
  owner,
  method: 'GET',
  path: '/sla-policies',
  allow: 'ticket.read',
  output: z.array(SlaPolicy),
});
export const createSlaPolicy = operation({
  name: 'tickets.createSlaPolicy',
  summary: 'Add a service-level policy; if active, it replaces the active policy of its priority.',
  owner,
  method: 'POST',
  path: '/sla-policies',
  allow: 'organization.write',
  status: 201,
  idempotent: true,
  input: { body: CreateSlaPolicy },
  output: SlaPolicy,
  problems: ['sla_policy.too_many'],
});
export const updateSlaPolicy = operation({
  name: 'tickets.updateSlaPolicy',
  summary: 'Change, activate or deactivate an SLA policy. Existing due times do not change.',
  owner,
  method: 'PATCH',
  path: '/sla-policies/:id',
  allow: 'organization.write',
  input: { ...byId, body: UpdateSlaPolicy },
  output: SlaPolicy,
  problems: ['sla_policy.not_found'],
});
export const deleteSlaPolicy = operation({
  name: 'tickets.deleteSlaPolicy',
  summary: 'Remove an SLA policy. Existing due times do not change.',
  owner,
  method: 'DELETE',
  path: '/sla-policies/:id',
  allow: 'organization.write',
  input: byId,
  output: z.object({}),
  problems: ['sla_policy.not_found'],
});
export const readTicketSla = operation({
  name: 'tickets.sla',
  summary: 'Read the timers of a ticket and why they are paused; null without a policy.',
  owner,
  method: 'GET',
  path: '/tickets/:id/sla',
  allow: 'ticket.read',
  token: 'tickets:read',
  input: byTicket,
  output: TicketSla.nullable(),
  problems: ['ticket.not_found'],
});

/** Checks one ticket with a due timer; its row in `sla_clocks` is the source of truth. */
export const checkSla = job({
  type: 'check_sla',
  owner,
  queue: 'sla',
  data: z.object({ ticket_id: Id }),
  attempts: 5,
  backoffMs: [1_000, 5_000, 30_000, 120_000],
});

const Clocked = z.object({
  ticket: Ticket,
  clock: z.enum(slaClocks),
  due_at: Timestamp,
  /** The organization's settings: emails show due times in this zone. Older events lack these two members. */
  time_zone: z.string().default('UTC'),
  counts_working_time: z.boolean().default(false),
});
/** Emitted once per timer, unless a change of priority restarts it. */
const seen = { live: true, public: true };
export const ticketSlaWarning = event('ticket.sla.warning', owner, Clocked, seen);
export const ticketSlaBreached = event('ticket.sla.breached', owner, Clocked, seen);
export const ticketEscalated = event('ticket.escalated', owner, z.object({ ticket: Ticket }), seen);
/** For the audit log. */
export const slaPolicyChanged = event(
  'sla_policy.changed',
  owner,
  z.object({ what: z.enum(['created', 'updated', 'deleted']), policy: SlaPolicy, changes: Changes }),
  { audited: true },
);
