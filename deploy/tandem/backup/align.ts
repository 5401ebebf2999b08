import type { ServiceName } from '@tandem/contracts';
import type pg from 'pg';
import { quoted, services } from '../installation';
import { startsNow } from '../../local/cli/consumer-names';
import { loadTable } from './load';
import { dumpOf, type Manifest } from './manifest';

/** The five databases of one restore, each in a transaction of its owner. */
export type Clients = Record<(typeof services)[number], pg.Client>;

export interface AlignOptions {
  directory: string;
  manifest: Manifest;
  /** Added to the last ticket number of every organization: numbers that were assigned after the backup are not assigned again. */
  numberGap: number;
  /** What happens to emails that were pending when the backup ended. */
  unsentEmails: 'send' | 'hold';
}

export interface Aligned {
  unknown_organizations: number;
  unknown_tickets: number;
  unknown_members: number;
  held_emails: number;
  cleared_tasks: number;
}

/** Larger than the number of events about one subject, or of webhook events, between a backup and a restore. */
const sequenceGap = 1_000_000;
const idsPerQuery = 10_000;

/**
 * Makes databases that were dumped at different times consistent: identity decides which organizations and members exist, tickets which
 * tickets. Data that cannot be copied here is marked, so that its owner sends it again when the services start.
 */
export async function align(clients: Clients, options: AlignOptions): Promise<Aligned> {
  const unknown_organizations = await removeUnknownOrganizations(clients);
  const unknown_members = await deactivateUnknownMembers(clients);
  await advanceTicketNumbers(clients, options.numberGap);
  const unknown_tickets = await removeUnknownTickets(clients);
  const cleared_tasks = await alignTasks(clients);
  await forgetAnalytics(clients.analytics);
  const held_emails = await restoreRecentEmails(clients.notifications, options);
  await clients.notifications.query('update webhook_positions set last = last + $1', [sequenceGap]);
  // Tickets from before the backup have lower versions than followers from after it.
  await clients.notifications.query('update ticket_followers set version = 0');
  await removeUnknownSettings(clients);
  // Tickets may number its events about an organization from 1 again.
  await clients.identity.query('update organizations set ticket_prefix_sequence = 0');
  for (const service of services) await startNewEpoch(clients, service, dumpOf(options.manifest, service).dumped_at);
  return { unknown_organizations, unknown_tickets, unknown_members, held_emails, cleared_tasks };
}

const idsOf = async (client: pg.Client, query: string, values: unknown[] = []): Promise<string[]> =>
  (await client.query<{ id: string }>(query, values)).rows.map(({ id }) => id);

const tablesWith = (client: pg.Client, column: string): Promise<string[]> =>
  idsOf(
    client,
    `select c.relname as id from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = $1 and not a.attisdropped`,
    [column],
  );

/** An organization that signed up after the dump of identity no longer has any users. */
async function removeUnknownOrganizations({ identity, ...others }: Clients): Promise<number> {
  const known = new Set(await idsOf(identity, 'select id from organizations'));
  const unknown = new Set<string>();
  for (const [service, client] of Object.entries(others)) {
    const table = service === 'integrations' ? 'connections' : 'organizations';
    for (const id of await idsOf(client, `select distinct organization_id as id from ${table}`)) if (!known.has(id)) unknown.add(id);
  }
  if (unknown.size === 0) return 0;
  for (const client of Object.values(others)) {
    for (const table of await tablesWith(client, 'organization_id'))
      await client.query(`delete from ${quoted(table)} where organization_id = any($1)`, [[...unknown]]);
  }
  return unknown.size;
}

/** Members that joined after the dump of identity. Their tickets are assigned again, as after a deactivation. */
async function deactivateUnknownMembers({ identity, tickets, notifications }: Clients): Promise<number> {
  const known = new Set(await idsOf(identity, 'select user_id as id from members'));
  const unknown = new Set<string>();
  for (const client of [tickets, notifications])
    for (const id of await idsOf(client, 'select user_id as id from members where is_active')) if (!known.has(id)) unknown.add(id);
  if (unknown.size === 0) return 0;
  const ids = [...unknown];
  for (const client of [tickets, notifications]) await client.query('update members set is_active = false where user_id = any($1)', [ids]);
  await tickets.query(
    `insert into pending_unassignments (organization_id, user_id) select organization_id, user_id from members where user_id = any($1)
     on conflict do nothing`,
    [ids],
  );
  return unknown.size;
}

async function advanceTicketNumbers({ tickets, notifications, integrations }: Clients, gap: number): Promise<void> {
  const highest = new Map<string, number>();
  for (const [client, table] of [
    [notifications, 'ticket_followers'],
    [integrations, 'ticket_copies'],
  ] as const) {
    const { rows } = await client.query<{ organization_id: string; number: string }>(
      `select organization_id, max(substring(ticket_number from '-([0-9]{1,9})$')::bigint) as number from ${table} group by 1`,
    );
    for (const { organization_id, number } of rows)
      highest.set(organization_id, Math.max(highest.get(organization_id) ?? 0, Number(number)));
  }
  await tickets.query(
    `update ticket_counters c set last_number = greatest(c.last_number, coalesce(h.number, 0)) + $3,
       unused_numbers = c.unused_numbers + greatest(c.last_number, coalesce(h.number, 0)) + $3 - c.last_number
     from ticket_counters o left join unnest($1::uuid[], $2::integer[]) as h (organization_id, number) using (organization_id)
     where o.organization_id = c.organization_id and (c.last_number > 0 or h.number > 0)`,
    [[...highest.keys()], [...highest.values()], gap],
  );
}

/** Removes copies and links of tickets that were created after the dump of tickets. Sent emails stay in the log. */
async function removeUnknownTickets({ tickets, notifications, integrations }: Clients): Promise<number> {
  const unknown = new Set<string>();
  for (const client of [notifications, integrations]) {
    const tables = (await tablesWith(client, 'ticket_id')).filter((table) => !['emails', 'account_emails'].includes(table));
    const own = new Set<string>();
    for (const table of tables) {
      for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
        const ids = await idsOf(
          client,
          `select distinct ticket_id as id from ${quoted(table)} where ticket_id > $1 order by 1 limit ${idsPerQuery}`,
          [after],
        );
        const known = new Set(await idsOf(tickets, 'select id from tickets where id = any($1)', [ids]));
        for (const id of ids) if (!known.has(id)) own.add(id);
        if (ids.length < idsPerQuery) break;
        after = ids.at(-1)!;
      }
    }
    for (const table of tables) await client.query(`delete from ${quoted(table)} where ticket_id = any($1)`, [[...own]]);
    for (const id of own) unknown.add(id);
  }
  return unknown.size;
}

/**
 * Removes the tasks from tickets for which integrations has no link. If a rule creates the link again, integrations searches for the task
 * before it creates another one, because it may exist. Integrations receives all tickets again.
 */
async function alignTasks({ tickets, integrations }: Clients): Promise<number> {
  let cleared = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await tickets.query<{ id: string; task_id: string }>(
      `select id, task ->> 'task_id' as task_id from tickets where task is not null and id > $1 order by id limit ${idsPerQuery}`,
      [after],
    );
    const linked = await integrations.query<{ ticket_id: string; task_id: string }>(
      `select ticket_id, task_id from links where task_id is not null and state in ('linked', 'failed', 'stopped') and ticket_id = any($1)`,
      [rows.map(({ id }) => id)],
    );
    const tasks = new Map(linked.rows.map(({ ticket_id, task_id }) => [ticket_id, task_id]));
    const without = rows.filter(({ id, task_id }) => tasks.get(id) !== task_id).map(({ id }) => id);
    // Integrations numbers its events about these tickets from 1 again.
    await tickets.query('update tickets set task = null, clickup_task_id = null, task_sequence = 0 where id = any($1)', [without]);
    cleared += without.length;
    if (rows.length < idsPerQuery) break;
    after = rows.at(-1)!.id;
  }
  await copyLinks(integrations, tickets);
  await integrations.query(`update links set create_started_at = created_at where state = 'creating' and create_started_at is null`);
  await integrations.query(`update comment_links set send_started_at = created_at where state = 'pending' and send_started_at is null`);
  const connections = await integrations.query<{ id: string; organization_id: string }>('select id, organization_id from connections');
  for (const { id, organization_id } of connections.rows)
    await tickets.query(
      `insert into ticket_exports (organization_id, purpose, request_id) values ($1, 'task_tool', $2)
       on conflict (organization_id, purpose, request_id) do update set last_id = null, exported_count = 0`,
      [organization_id, id],
    );
  return cleared;
}

/** Tickets whose link was made after their dump get its task. */
async function copyLinks(integrations: pg.Client, tickets: pg.Client): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await integrations.query<Record<'ticket_id' | 'provider' | 'task_id' | 'task_url', string>>(
      `select l.ticket_id, c.provider, l.task_id, coalesce(l.task_url, '') as task_url from links l join connections c on c.id = l.connection_id
       where l.task_id is not null and l.state in ('linked', 'failed', 'stopped') and l.ticket_id > $1 order by 1 limit ${idsPerQuery}`,
      [after],
    );
    const columns = (['ticket_id', 'provider', 'task_id', 'task_url'] as const).map((column) => rows.map((row) => row[column]));
    await tickets.query(
      `update tickets t set task = jsonb_build_object('provider', l.provider, 'task_id', l.task_id, 'url', l.task_url),
         clickup_task_id = case when l.provider = 'clickup' then l.task_id end
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as l (ticket_id, provider, task_id, task_url)
       where t.id = l.ticket_id and t.task ->> 'task_id' is distinct from l.task_id`,
      columns,
    );
    if (rows.length < idsPerQuery) return;
    after = rows.at(-1)!.ticket_id;
  }
}

/** Everything but the schedules of reports is computed again, as in a new installation of analytics. */
async function forgetAnalytics(analytics: pg.Client): Promise<void> {
  await analytics.query('truncate organizations, members, ticket_facts, ticket_moments, early_surveys, day_roll_ups, dirty_days, rebuilds');
  await analytics.query('update installation set announced_at = null, installed_at = now()');
}

/** Returns the number of emails that were pending and are not sent. */
async function restoreRecentEmails(notifications: pg.Client, { directory, manifest, unsentEmails }: AlignOptions): Promise<number> {
  let held = 0;
  for (const table of manifest.recent_emails) {
    const [name, columns] = [quoted(table.name), table.columns.map(quoted)];
    await notifications.query(`create temporary table recent (like ${name} including defaults) on commit drop`);
    await loadTable(notifications, directory, table, 'recent');
    const known = 'select from organizations o where o.organization_id = recent.organization_id';
    await notifications.query(
      `insert into ${name} (${columns.join(', ')}) select ${columns.join(', ')} from recent where organization_id is null or exists (${known})
       on conflict (event_id, kind, to_address) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    );
    await notifications.query('drop table recent');
    await notifications.query(`update ${name} set state = 'pending', claimed_until = null where state = 'sending'`);
    if (unsentEmails === 'send') continue;
    const { rowCount } = await notifications.query(`update ${name} set state = 'failed', last_error = $1 where state = 'pending'`, [
      'Pending when the backup was taken: it may have been sent since. Send it again if it has not arrived.',
    ]);
    held += rowCount ?? 0;
  }
  return held;
}

/** Settings that were added after the dump of identity. The others are sent again by identity. */
async function removeUnknownSettings({ identity, tickets, notifications }: Clients): Promise<void> {
  const branded = await idsOf(identity, 'select organization_id as id from branding');
  await notifications.query('delete from branding where organization_id <> all($1)', [branded]);
  const widgets = await idsOf(identity, 'select organization_id as id from widgets');
  await tickets.query('delete from widgets where organization_id <> all($1)', [widgets]);
  const texts = await idsOf(identity, `select concat_ws(' ', organization_id, language, key) as id from wording where part = 'email'`);
  await notifications.query(`delete from wording where concat_ws(' ', organization_id, language, key) <> all($1)`, [texts]);
}

/**
 * Publishes the events of the outbox again, to a new stream: consumers skip those in their inbox. New events get higher sequences than those
 * that consumers received before the restore and that the dump of their owner does not have.
 */
async function startNewEpoch(clients: Clients, service: ServiceName, dumped_at: string): Promise<void> {
  const client = clients[service];
  await client.query('update event_sequences set last = last + $1', [sequenceGap]);
  await client.query('update outbox set published_at = null where published_at is not null');
  // A consumer without an inbox row would start at the current event and miss the events that its service had not received when it was
  // dumped.
  for (const [name, types] of Object.entries(startsNow).filter(([each]) => each.startsWith(`${service}-`))) {
    if ((await client.query('select from inbox where consumer = $1 limit 1', [name])).rowCount) continue;
    const earlier = await Promise.all(
      Object.values(clients).map((each) =>
        idsOf(each, `select id from outbox where type = any($1) and created_at < $2::timestamptz - interval '10 minutes'`, [
          types,
          dumped_at,
        ]),
      ),
    );
    await client.query('insert into inbox (consumer, event_id) select $1, unnest($2::uuid[])', [
      name,
      ['00000000-0000-0000-0000-000000000000', ...earlier.flat()],
    ]);
  }
}
