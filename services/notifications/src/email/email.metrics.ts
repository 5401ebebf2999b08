import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { UnsentEmails } from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { counter, histogram, observableGauge, onScrape, type Observation } from '@tandem/platform';
import { sql } from 'kysely';
import type { NotificationsSchema } from '../schema';

const unsent = observableGauge(
  'tandem_emails_unsent',
  'Emails that are not sent yet: due, deferred (an attempt failed) or scheduled (due later); of the oldest 10,000',
  ['state'],
);
const oldestUnsent = observableGauge(
  'tandem_emails_oldest_unsent_seconds',
  'How long the oldest email that is due has been waiting; 0 if none is',
  [],
);
const outcomes = counter(
  'tandem_emails_total',
  'Emails by outcome: sent, deferred (an attempt failed, it will be retried), failed (given up) or bounced (refused after it was sent)',
  ['outcome'],
);
const delays = histogram('tandem_email_delay_seconds', 'Time from when an email was due until the mail server accepted it', [], {
  advice: { explicitBucketBoundaries: [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200] },
});

export type EmailOutcome = 'sent' | 'deferred' | 'failed' | 'bounced';

export const countEmail = (outcome: EmailOutcome): void => outcomes.add(1, { outcome });

export function countSent({ due_at, created_at }: { due_at: string | null; created_at: string }): void {
  countEmail('sent');
  delays.record(Math.max(0, Date.now() - Date.parse(due_at ?? created_at)) / 1000);
}

/** Reporting stops here, so that a scrape stays cheap while a mail server is down for a day. */
const maxCounted = 10_000;

/** Reports the unsent emails. */
@Injectable()
export class EmailMetrics implements OnApplicationBootstrap, BeforeApplicationShutdown {
  #stop: (() => void) | undefined;

  constructor(private readonly db: Database<NotificationsSchema>) {}

  onApplicationBootstrap(): void {
    this.#stop = onScrape('emails', [unsent, oldestUnsent], async (): Promise<Observation[]> => {
      const { oldest_seconds, ...states } = await this.db.asSystem('number of unsent emails', countUnsentAcrossOrganizations);
      return [
        ...Object.entries(states).map(([state, value]) => ({ gauge: unsent, value, labels: { state } })),
        { gauge: oldestUnsent, value: oldest_seconds },
      ];
    });
    for (const outcome of ['sent', 'deferred', 'failed', 'bounced']) outcomes.add(0, { outcome });
  }

  beforeApplicationShutdown(): void {
    this.#stop?.();
  }
}

/** Reads the two indexes of unfinished emails, oldest first. */
export async function countUnsentAcrossOrganizations(tx: Tx<NotificationsSchema>): Promise<UnsentEmails> {
  const unfinished = (table: 'emails' | 'account_emails') => sql`
    (select due_at, created_at, attempts from ${sql.table(table)} where state in ('pending', 'sending')
     order by created_at limit ${sql.lit(maxCounted)})`;
  const { rows } = await sql<UnsentEmails>`
    select count(*) filter (where is_due and attempts = 0) as due, count(*) filter (where is_due and attempts > 0) as deferred,
      count(*) filter (where not is_due) as scheduled,
      coalesce(extract(epoch from now() - min(coalesce(due_at, created_at)) filter (where is_due)), 0)::float as oldest_seconds
    from (
      select *, due_at is null or due_at <= now() as is_due
      from (${unfinished('emails')} union all ${unfinished('account_emails')}) as unfinished
    ) as unsent`.execute(tx);
  const [found] = rows;
  return { ...found!, oldest_seconds: Math.max(0, found!.oldest_seconds) };
}
