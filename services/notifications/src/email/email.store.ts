import type { Language } from '@tandem/contracts';
import { anyOf, beforeCommit, executePrepared, fixedQuery, readInIndexOrder, type Tx } from '@tandem/db';
import { sql, type CompiledQuery, type RawBuilder, type Selectable } from 'kysely';
import type { EmailData, EmailKind, NotificationsSchema } from '../schema';
import { claimSeconds } from './email';

type EmailTx = Tx<NotificationsSchema>;
/** Emails of an organization are in its own rows; emails to users without one are in a separate table with the same columns. */
export type EmailTable = 'emails' | 'account_emails';
export const tableOf = (ctx: { organization_id: string | null }): EmailTable => (ctx.organization_id ? 'emails' : 'account_emails');

export type Email = Selectable<NotificationsSchema['emails']>;

export type NewEmailRow = Pick<
  Email,
  'id' | 'organization_id' | 'kind' | 'to_address' | 'data' | 'ticket_id' | 'event_id' | 'message_id' | 'due_at'
>;

/** Listed for prepared statements: PostgreSQL refuses to run a prepared `returning *` once a migration has added a column. */
const columns = [
  'id',
  'organization_id',
  'kind',
  'to_address',
  'data',
  'ticket_id',
  'event_id',
  'state',
  'claimed_until',
  'attempts',
  'last_error',
  'message_id',
  'created_at',
  'sent_at',
  'due_at',
] as const satisfies (keyof Email)[];

/** A statement for each of the two tables. */
const forEach = <Args extends unknown[], R>(
  build: (tx: EmailTx, table: EmailTable, ...args: Args) => { compile(executor: EmailTx): CompiledQuery<R> },
) => ({
  emails: fixedQuery((tx: EmailTx, ...args: Args) => build(tx, 'emails', ...args)),
  account_emails: fixedQuery((tx: EmailTx, ...args: Args) => build(tx, 'account_emails', ...args)),
});

/**
 * Inserts emails, some of them claimed: the caller sends those once they are on the disk. Returns the creation times, except those of emails
 * that an earlier delivery of their event has added.
 */
export async function insertEmails(
  tx: EmailTx,
  table: EmailTable,
  emails: readonly (NewEmailRow & { is_claimed: boolean })[],
): Promise<Map<string, string>> {
  // One text for any number of emails, so that it is prepared.
  const statement = sql<{ id: string; created_at: string }>`
    insert into ${sql.table(table)}
      (id, organization_id, kind, to_address, data, ticket_id, event_id, message_id, due_at, state, attempts, claimed_until)
    select id, organization_id, kind, to_address, data, ticket_id, event_id, message_id, due_at,
      case when is_claimed then 'sending' else 'pending' end, is_claimed::int,
      case when is_claimed then clock_timestamp() + make_interval(secs => ${claimSeconds}) end
    from jsonb_to_recordset(${JSON.stringify(emails)}::jsonb) as e (
      id uuid, organization_id uuid, kind text, to_address text, data jsonb, ticket_id uuid, event_id uuid, message_id text,
      due_at timestamptz, is_claimed boolean
    )
    on conflict (event_id, kind, to_address) do nothing
    returning id, created_at`;
  const { rows } = await executePrepared(tx, statement.compile(tx));
  return new Map(rows.map(({ id, created_at }) => [id, created_at]));
}

/** An email that was inserted claimed. */
export const claimedEmail = (row: NewEmailRow, created_at: string): Email => ({
  ...row,
  created_at,
  state: 'sending',
  attempts: 1,
  claimed_until: null,
  last_error: null,
  sent_at: null,
});

/**
 * Claims those of the emails that are to be sent, unless another worker's claim is still valid. The claim prevents two workers from sending
 * an email twice.
 */
export const claimEmails = async (tx: EmailTx, table: EmailTable, ids: readonly string[]): Promise<Email[]> =>
  (await executePrepared(tx, claims[table](tx, ids))).rows;

/** Constants in the text instead of parameters: otherwise PostgreSQL plans the statement again each time, which takes as long as running it. */
const isClaimable = sql<boolean>`(due_at is null or due_at <= now()) and (state = 'pending' or (state = 'sending' and claimed_until < now()))`;
const claimIn = (tx: EmailTx, table: EmailTable, ids: readonly string[]) =>
  tx
    .updateTable(table)
    .set((eb) => ({
      state: 'sending' as const,
      attempts: eb('attempts', '+', 1),
      claimed_until: sql<string>`now() + make_interval(secs => ${claimSeconds})`,
    }))
    .where('id', '=', anyOf('uuid', ids))
    .where(isClaimable)
    .returning(columns);
const claims = forEach(claimIn);

export const findEmail = (tx: EmailTx, table: EmailTable, id: string): Promise<Email | undefined> =>
  tx.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirst();

/**
 * Marks emails as sent and removes their sealed tokens, with the commit. Keeps `bounced`, because a bounce report can arrive before this
 * update.
 */
export function markSent(tx: EmailTx, table: EmailTable, ids: readonly string[]): void {
  beforeCommit(
    tx,
    sql`
    update ${sql.table(table)}
    set state = 'sent', sent_at = now(), claimed_until = null, last_error = null, data = data - 'sealed_token'
    where id = ${anyOf('uuid', ids)} and state <> 'bounced'`,
  );
}

export async function deleteEmail(tx: EmailTx, table: EmailTable, id: string): Promise<void> {
  await executePrepared(tx, deletions[table](tx, id));
}
const deletions = forEach((tx, table, id: string) => tx.deleteFrom(table).where('id', '=', id));

export async function saveEmailData(tx: EmailTx, id: string, data: EmailData[EmailKind]): Promise<void> {
  await tx
    .updateTable('emails')
    .set({ data: JSON.stringify(data) })
    .where('id', '=', id)
    .execute();
}

/** Marks an email as not sent: `pending` for another attempt, or permanently `failed`. */
export async function markUnsent(tx: EmailTx, table: EmailTable, id: string, state: 'pending' | 'failed', reason: string): Promise<void> {
  await tx
    .updateTable(table)
    .set({ state, claimed_until: null, last_error: reason.slice(0, 500) })
    .where('id', '=', id)
    .execute();
}

/** Maximum number of emails that a sweep returns. */
const sweepLimit = 500;
/** Maximum number of emails that a sweep reads, divided among the organizations: at least one each. */
const maxRead = 2_000;

/** An expression of the index `emails_swept`, which the sweep reads. */
const sweepAt = sql`case when state = 'sending' then claimed_until else greatest(created_at, due_at) end`;
/** Unfinished for longer than a job needs to start, so Redis may have lost the job. */
const isUnfinished = sql`state in ('pending', 'sending') and ${sweepAt} < now() and (state = 'sending' or created_at < now() - interval '5 seconds')`;

type UnfinishedEmail = Pick<Email, 'id' | 'organization_id'>;

/**
 * Returns the oldest emails of each organization in turn, so that the backlog of one does not delay the others. Reads a bounded number of rows: it
 * visits one entry of the index per organization with unfinished emails, then a few emails of each.
 */
export async function findUnfinishedEmailsAcrossOrganizations(tx: EmailTx, limit = sweepLimit): Promise<UnfinishedEmail[]> {
  const next = (after: RawBuilder<unknown>) => sql`
    select organization_id from emails where state in ('pending', 'sending') and organization_id > ${after} order by organization_id limit 1`;
  await readInIndexOrder(tx);
  const { rows } = await sql<UnfinishedEmail>`
    with recursive senders as (
      (${next(sql`'00000000-0000-0000-0000-000000000000'::uuid`)})
      union all
      select (${next(sql`senders.organization_id`)}) from senders where senders.organization_id is not null
    )
    select id, organization_id
    from (select organization_id, least(${limit}, greatest(1, ${maxRead} / count(*) over ())) as share from senders where organization_id is not null) as s
    cross join lateral (
      select id, sweep_at, row_number() over (order by sweep_at) as turn
      from (
        select id, ${sweepAt} as sweep_at from emails where emails.organization_id = s.organization_id and ${isUnfinished}
        order by sweep_at limit s.share
      ) as oldest
    ) as unfinished
    order by turn, sweep_at limit ${limit}`.execute(tx);
  return rows;
}

/** Emails to users without an organization. */
export async function findUnfinishedAccountEmails(tx: EmailTx, limit = sweepLimit): Promise<UnfinishedEmail[]> {
  await readInIndexOrder(tx);
  const { rows } = await sql<UnfinishedEmail>`
    select id, organization_id from account_emails where ${isUnfinished} order by ${sweepAt} limit ${limit}`.execute(tx);
  return rows;
}

/** An organization's own text, which replaces the default one. */
export interface OwnText {
  language: Language;
  key: string;
  text: string;
}
/**
 * Returns no row until the organization's first event has arrived, otherwise one for each of the addresses to which an earlier email bounced, and one
 * without an address if there is none. `wording` has the organization's own texts in the given language and in its default language.
 */
export const findOrganization = async (
  tx: EmailTx,
  organization_id: string,
  to_addresses: readonly string[],
  language: Language | null | undefined,
) => {
  const addresses = to_addresses.map((address) => address.toLowerCase());
  return (await executePrepared(tx, organizationOf(tx, organization_id, addresses, language ?? null))).rows;
};

const organizationOf = fixedQuery((tx: EmailTx, organization_id: string, to_addresses: readonly string[], language: Language | null) =>
  tx
    .selectFrom('organizations')
    .leftJoin('branding', 'branding.organization_id', 'organizations.organization_id')
    .leftJoin('bounced_addresses as bounced', (join) =>
      join.onRef('bounced.organization_id', '=', 'organizations.organization_id').on('bounced.address', '=', anyOf('text', to_addresses)),
    )
    .leftJoin('sender_domains as sender', (join) =>
      join.onRef('sender.organization_id', '=', 'organizations.organization_id').on('sender.verified_at', 'is not', null),
    )
    .leftJoin('sender_keys as sender_key', (join) =>
      join.onRef('sender_key.organization_id', '=', 'sender.organization_id').on('sender_key.state', '=', 'active'),
    )
    .leftJoin('mail_servers as server', 'server.organization_id', 'organizations.organization_id')
    .select(['organizations.organization_id', 'name', 'subdomain', 'languages', 'is_demo', 'branding'])
    .select(['bounced.address as bounced_address', 'bounced.reason'])
    .select(
      sql<OwnText[]>`(select coalesce(json_agg(json_build_object('language', w.language, 'key', w.key, 'text', w.text)), '[]')
      from wording w where w.organization_id = organizations.organization_id and w.text is not null
      and w.language in (${language}::text, organizations.languages ->> 'default'))`.as('wording'),
    )
    .select(['sender.domain as sender_domain', 'sender.local_part as sender_local_part'])
    .select('sender.bounces_verified_at as sender_bounces_verified_at')
    .select(['sender_key.selector as sender_selector', 'sender_key.sealed_private_key as sender_sealed_key'])
    .select(['server.host as server_host', 'server.port as server_port', 'server.security as server_security'])
    .select(['server.username as server_username', 'server.sealed_password as server_sealed_password'])
    .select(['server.from_address as server_from_address', 'server.failing_since as server_failing_since'])
    .select('server.tested_at as server_tested_at')
    .where('organizations.organization_id', '=', organization_id),
);
