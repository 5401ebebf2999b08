import * as z from 'zod';
import { operation } from './define';
import { PageQuery } from './pagination';
import { Id, Timestamp } from './scalars';
import { Assignee, byTicket, Changes } from './tickets';

/**
 * One thing that happened to a ticket. `changed` says what became of which field, of the description only that it changed; `merged` stands
 * on the ticket that took a duplicate in (`changes.merged.to`: its `id` and `ticket_number`), and on the duplicate `changed` names the other
 * (`changes.merged_into.to`, the same); the clocks' warnings and breaches name the clock (`changes.clock`). Comments stand in the
 * conversation, watchers with the ticket.
 */
export const Activity = z.object({
  id: Id,
  ticket_id: Id,
  kind: z.enum(['created', 'changed', 'merged', 'sla_warning', 'sla_breached', 'escalated']),
  /** As in an event's envelope: user, token, customer, task-tool, system. */
  actor_type: z.enum(['user', 'token', 'customer', 'task-tool', 'system']),
  user_id: Id.nullable(),
  author: Assignee.pick({ first_name: true, last_name: true }).nullable(),
  changes: Changes,
  created_at: Timestamp,
});
export type Activity = z.infer<typeof Activity>;

export const readTimeline = operation({
  name: 'tickets.timeline',
  summary: 'Who changed what on a ticket, from what to what; the latest first.',
  owner: 'tickets',
  method: 'GET',
  path: '/tickets/:id/timeline',
  allow: 'ticket.read',
  input: { ...byTicket, query: PageQuery.strict() },
  output: Activity,
  paginated: true,
  problems: ['ticket.not_found'],
});
