import { X509Certificate } from 'node:crypto';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@tandem/db';
import { observableGauge, onScrape, type Observation } from '@tandem/platform';
import { sql } from 'kysely';
import type { TicketsSchema, TicketsTx } from '../schema';
import { mailInTlsOf, type MailInConfig } from './variables';

const waiting = observableGauge('tandem_inbound_emails_waiting', 'Received emails that have not been processed; at most 10,000', []);
const oldestWaiting = observableGauge(
  'tandem_inbound_emails_oldest_seconds',
  'Age of the oldest received email that has not been processed; 0 if there is none',
  [],
);
const mailboxes = observableGauge('tandem_mailboxes', 'Mailboxes that are read by IMAP, by the result of their last check (ok, failing)', [
  'state',
]);
const oldestPoll = observableGauge(
  'tandem_mailbox_oldest_poll_seconds',
  'Time since the check of the mailbox that was checked longest ago; mailboxes are checked every minute',
  [],
);
const certificateExpiry = observableGauge(
  'tandem_certificate_expiry_timestamp_seconds',
  'When a certificate of the process expires (mail-in: MAIL_IN_TLS_CERT); absent without one',
  ['certificate'],
);

/** Reporting stops here, so that a scrape stays cheap while the processing of email is down. */
const maxCounted = 10_000;

/** Reports unprocessed emails, and the state of mailboxes and of the certificate. */
@Injectable()
export class MailInMetrics implements OnApplicationBootstrap, BeforeApplicationShutdown {
  #stop: (() => void)[] = [];

  constructor(
    private readonly db: Database<TicketsSchema>,
    @Inject('CONFIG') private readonly config: MailInConfig,
  ) {}

  onApplicationBootstrap(): void {
    const tls = mailInTlsOf(this.config);
    // The listener also reads the file at startup, so this is the certificate that it uses.
    const expiresAt = tls && Date.parse(new X509Certificate(tls.cert).validTo) / 1000;
    this.#stop = [
      onScrape('incoming email', [waiting, oldestWaiting], () =>
        this.db.asSystem('received emails that wait', measureWaitingAcrossOrganizations),
      ),
      onScrape('mailboxes', [mailboxes, oldestPoll], () => this.db.asSystem('states of mailboxes', measureMailboxesAcrossOrganizations)),
      onScrape('certificates', [certificateExpiry], () =>
        expiresAt === undefined ? [] : [{ gauge: certificateExpiry, value: expiresAt, labels: { certificate: 'mail-in' } }],
      ),
    ];
  }

  beforeApplicationShutdown(): void {
    for (const stop of this.#stop) stop();
  }
}

/** Reads the index of unprocessed emails. */
export async function measureWaitingAcrossOrganizations(tx: TicketsTx): Promise<Observation[]> {
  const { rows } = await sql<{ count: number; oldest_seconds: number | null }>`
    select count(*), extract(epoch from now() - min(received_at))::float as oldest_seconds
    from (
      select received_at from inbound_mails where outcome is null order by received_at limit ${sql.lit(maxCounted)}
    ) as unprocessed`.execute(tx);
  return [
    { gauge: waiting, value: rows[0]!.count },
    { gauge: oldestWaiting, value: Math.max(0, rows[0]!.oldest_seconds ?? 0) },
  ];
}

/** Reads all mailboxes: an organization has at most one. */
async function measureMailboxesAcrossOrganizations(tx: TicketsTx): Promise<Observation[]> {
  const { rows } = await sql<{ ok: number; failing: number; oldest_seconds: number | null }>`
    select count(*) filter (where last_error is null) as ok, count(*) filter (where last_error is not null) as failing,
      extract(epoch from now() - min(coalesce(last_polled_at, updated_at)))::float as oldest_seconds
    from mailboxes where is_active`.execute(tx);
  const { ok, failing, oldest_seconds } = rows[0]!;
  return [
    { gauge: mailboxes, value: ok, labels: { state: 'ok' } },
    { gauge: mailboxes, value: failing, labels: { state: 'failing' } },
    { gauge: oldestPoll, value: Math.max(0, oldest_seconds ?? 0) },
  ];
}
