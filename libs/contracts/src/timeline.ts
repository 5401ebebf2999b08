import * as z from 'zod';
import { operation } from './define';
import { PageQuery } from './pagination';
import { Id, Timestamp } from './scalars';
import { ActingRule, ActingToken, Assignee, byTicket, Changes } from './tickets';

/**
 * One entry in a ticket's history. `changed` has the old and new value of each field, except the description, which is only named.
 * `merged` is on the ticket into which a duplicate was merged (`changes.merged.to`: the duplicate's `id` and `ticket_number`); on the
 * duplicate, `changed` names the other ticket (`changes.merged_into.to`, in the same form). `reply_drafted` has the id
 * of the member for whom an API token drafted a reply (`changes.drafted_for.to`). SLA warnings and breaches name the timer
 * (`changes.clock`). `snoozed` has the end of the snooze (`changes.snoozed_until`, null: until the customer replies). `rules_paused` has
 * the end of the pause (`changes.rules_paused_until`). `imported` names the ticket in the source (`changes.imported_from.to`: its `source`,
 * `number` and `url`; the last two can be null). Comments are in the conversation, watchers on the ticket.
 */
export const Activity = z.object({
  id: Id,
  ticket_id: Id,
  kind: z.enum([
    'created',
    'changed',
    'merged',
    'reply_drafted',
    'sla_warning',
    'sla_breached',
    'escalated',
    'snoozed',
    'woken',
    'rules_paused',
    'imported',
  ]),
  /** The actor's type, as in an event's envelope. */
  actor_type: z.enum(['user', 'token', 'customer', 'task-tool', 'system']),
  user_id: Id.nullable(),
  author: Assignee.pick({ first_name: true, last_name: true }).nullable(),
  /** Set if `actor_type` is `token`. */
  token: ActingToken.nullable().default(null),
  /** Set if a rule made the change; `actor_type` is `system` then. */
  rule: ActingRule.nullable().default(null),
  changes: Changes,
  created_at: Timestamp,
});
export type Activity = z.infer<typeof Activity>;

export const readTimeline = operation({
  name: 'tickets.timeline',
  summary: 'List the changes of a ticket with their actors, the latest first.',
  owner: 'tickets',
  method: 'GET',
  path: '/tickets/:id/timeline',
  allow: 'ticket.read',
  token: 'tickets:read',
  input: { ...byTicket, query: PageQuery.strict() },
  output: Activity,
  paginated: true,
  problems: ['ticket.not_found'],
});
