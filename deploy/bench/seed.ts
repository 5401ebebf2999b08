/** The measured world, written by SQL: 20 organizations with 10,000 tickets each, and people who can sign in. */
import pg from 'pg';

export const organizationCount = 20;
export const ticketsEach = 10_000;
export const commentsEach = 6;
/** So many of the newest tickets of each organization have comments. */
const commented = 1_000;

const password = 'tandem-bench-1';
/** Argon2id of that password, with identity's costs. It opens nothing but a throw-away database. */
export const passwordHash = '$argon2id$v=19$m=19456,t=2,p=1$0ApbqSUqTZEcI6s+ssHowA$8uWRo+qcCwfyQkgZTre6/kzKQCCPNSMJ9VNTges7SKM';

export interface Organization {
  id: string;
  subdomain: string;
  /** Two people who can sign in. */
  people: { email: string; password: string }[];
}

const organizationId = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
export const organizations: Organization[] = Array.from({ length: organizationCount }, (_, i) => ({
  id: organizationId(i + 1),
  subdomain: `bench-${i + 1}`,
  people: ['agent-1', 'agent-2'].map((name) => ({ email: `${name}@bench-${i + 1}.test`, password })),
}));

const organizationSql = `('00000000-0000-7000-8000-' || lpad(o::text, 12, '0'))::uuid`;
const userSql = `('00000000-0000-7000-9000-' || lpad((o * 100 + u)::text, 12, '0'))::uuid`;
const everyOrganization = `from generate_series(1, ${organizationCount}) o`;
const everyUser = `${everyOrganization}, generate_series(1, 5) u`;

const identitySql = `
  insert into users (id, email, first_name, last_name, password_hash, email_confirmed_at)
    select ${userSql}, 'agent-' || u || '@bench-' || o || '.test', 'Agent', 'Number ' || u, '${passwordHash}', now() ${everyUser};
  insert into organizations (id, organization_id, name, slug, subdomain, ticket_prefix, trial_ends_at)
    select ${organizationSql}, ${organizationSql}, 'Bench ' || o, 'bench-' || o, 'bench-' || o, 'BENCH', now() + interval '14 days' ${everyOrganization};
  insert into members (organization_id, user_id, role) select ${organizationSql}, ${userSql}, 'admin' ${everyUser};
  analyze;`;

const notificationsSql = `
  insert into organizations (organization_id, name, subdomain, sequence)
    select ${organizationSql}, 'Bench ' || o, 'bench-' || o, 1 ${everyOrganization};`;

/** A UUIDv7 of the moment `at`, so that ids are as ordered as the product's own. */
const idAt = (at: string, salt: string) =>
  `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || left(md5(${salt}), 3) || '8' || substr(md5(${salt}), 4, 15))::uuid`;

const words = `'{printer,invoice,password,delivery,refund,login,parcel,address,update,broken,missing,order,account,screen,export}'::text[]`;
const word = (n: string) => `(${words})[1 + (${n}) % 15]`;

/** Ticket n of each organization is the newer the higher n is: one a minute. About 500 bytes as JSON in a list. */
const ticketsSql = `
  insert into organizations (organization_id, name, subdomain, ticket_prefix, sequence)
    select ${organizationSql}, 'Bench ' || o, 'bench-' || o, 'BENCH', 1 ${everyOrganization};
  insert into members (organization_id, user_id, email, first_name, last_name, is_active, sequence)
    select ${organizationSql}, ${userSql}, 'agent-' || u || '@bench-' || o || '.test', 'Agent', 'Number ' || u, true, 1 ${everyUser};
  insert into ticket_counters (organization_id, prefix, last_number) select ${organizationSql}, 'BENCH', ${ticketsEach} ${everyOrganization};
  insert into tickets (organization_id, id, ticket_number, subject, description, status, priority, category, customer_name, customer_email,
                       assigned_to, comment_count, created_at, updated_at, version)
    select ${organizationSql}, ${idAt('made.at_time', "o || ' ' || n")}, 'BENCH-' || lpad(n::text, greatest(4, length(n::text)), '0'),
      'Problem with my ' || ${word('n')} || ' and the ' || ${word('n / 15')}, repeat('The ' || ${word('n * 7')} || ' does not work as it should. ', 6),
      (array['open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed'])[1 + n % 5], (array['low', 'medium', 'high', 'urgent'])[1 + n % 4],
      case when n % 3 = 0 then 'Billing' end, 'Customer ' || n % 500, 'customer-' || n % 500 || '@example.com',
      case when n % 3 > 0 then ('00000000-0000-7000-9000-' || lpad((o * 100 + 1 + n % 5)::text, 12, '0'))::uuid end,
      case when n > ${ticketsEach - commented} then ${commentsEach} else 0 end, made.at_time, made.at_time, 1
    ${everyOrganization}, generate_series(1, ${ticketsEach}) n,
      lateral (select date_trunc('milliseconds', now()) - make_interval(mins => ${ticketsEach} - n + 1) as at_time) made;
  insert into comments (organization_id, id, ticket_id, content, is_internal, is_from_customer, user_id, customer_email, created_at)
    select t.organization_id, ${idAt('t.created_at', "t.id || ' ' || c")}, t.id, repeat('This is what I have found out about it so far. ', 5),
      c % 4 = 2, c % 2 = 1, case when c % 2 = 0 then t.assigned_to end, case when c % 2 = 1 then t.customer_email end,
      t.created_at + make_interval(secs => c)
    from tickets t, generate_series(1, ${commentsEach}) c where t.comment_count > 0;
  create table floor_outbox (id uuid primary key, organization_id uuid, event jsonb not null, created_at timestamptz not null default now());`;

/** Writes all of it as the administrator. Tickets' indexes are made anew afterwards, which takes a third of the time of filling them row by row. */
export async function seed(databaseUrl: (database: string) => string): Promise<void> {
  await Promise.all([
    inDatabase(databaseUrl('tandem_identity'), (client) => client.query(identitySql)),
    inDatabase(databaseUrl('tandem_notifications'), (client) => client.query(notificationsSql)),
    inDatabase(databaseUrl('tandem_tickets'), async (client) => {
      const { rows } = await client.query<{ indexname: string; indexdef: string }>(
        `select indexname, indexdef from pg_indexes where tablename = 'tickets'
         and indexname not in (select conname from pg_constraint where conrelid = 'tickets'::regclass)`,
      );
      for (const { indexname } of rows) await client.query(`drop index ${indexname}`);
      await client.query(ticketsSql);
      for (const { indexdef } of rows) await client.query(indexdef);
      await client.query('vacuum analyze');
      await client.query('checkpoint');
    }),
  ]);
}

/** Runs `work` on a connection of its own. */
export async function inDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
