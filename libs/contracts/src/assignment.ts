import * as z from 'zod';
import { job } from './define';
import { Id } from './scalars';

/** Takes the open tickets of a deactivated member back, some at a time; the row in `releases` is the truth. */
export const releaseTickets = job({
  type: 'release_tickets',
  owner: 'tickets',
  queue: 'assignment',
  data: z.object({ user_id: Id }),
  attempts: 5,
  backoffMs: [1_000, 5_000, 30_000, 120_000],
});
