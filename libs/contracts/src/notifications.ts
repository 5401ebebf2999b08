import * as z from 'zod';
import { event, job } from './define';
import { Id } from './scalars';

/** One mail: its row in `emails` is the truth. 5xx answers of the mail server are final, all else is tried 8 times from 5 s. */
export const sendEmail = job({
  type: 'send_email',
  owner: 'notifications',
  queue: 'email',
  data: z.object({ email_id: Id }),
  attempts: 8,
  backoffMs: [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000],
});

export const emailDelivered = event(
  'email.delivered',
  'notifications',
  z.object({ email_id: Id, kind: z.string(), ticket_id: Id.nullable() }),
  { live: true },
);
export const emailFailed = event(
  'email.failed',
  'notifications',
  z.object({ email_id: Id, kind: z.string(), ticket_id: Id.nullable(), reason: z.string() }),
  { live: true },
);
