import * as z from 'zod';
import { job } from './define';
import { Id } from './scalars';

/** Unassigns the open tickets of a deactivated member, in batches; the row in `pending_unassignments` is the source of truth. */
export const unassignTickets = job({
  type: 'unassign_tickets',
  owner: 'tickets',
  queue: 'assignment',
  data: z.object({ user_id: Id }),
  attempts: 5,
  backoffMs: [1_000, 5_000, 30_000, 120_000],
});
