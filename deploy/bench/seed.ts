/** Generates the benchmark data in SQL: organizations with tickets, and users who can sign in. */
import pg from 'pg';

/** Number and size of the organizations; the first may be larger than the others. */
export interface Size {
  organizations: number;
  /** Number of tickets of the first organization, and of each other one. */
  first: number;
  each: number;
  /** How many of the newest tickets of each organization have comments. */
  commented: number;
  /** Members of the first organization; the others have five each. */
  people: number;
}
export const usual: Size = { organizations: 20, first: 10_000, each: 10_000, commented: 1_000, people: 5 };
export const ticketsEach = usual.each;
export const commentsEach = 6;
export const sizeOf = ({ organizations, first, each }: Size): number => first + (organizations - 1) * each;

const password = 'tandem-bench-1';
/** Argon2id of that password, with identity's cost parameters. It is used in throw-away databases only. */
export const passwordHash = '$argon2id$v=19$m=19456,t=2,p=1$0ApbqSUqTZEcI6s+ssHowA$8uWRo+qcCwfyQkgZTre6/kzKQCCPNSMJ9VNTges7SKM';

export interface Organization {
  id: string;
  subdomain: string;
  /** Two users who can sign in. */
  people: { email: string; password: string }[];
}

const organizationId = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
/** The organizations of a size, the first one first. */
export const organizationsOf = ({ organizations }: Pick<Size, 'organizations'>): Organization[] =>
  Array.from({ length: organizations }, (_, i) => ({
    id: organizationId(i + 1),
    subdomain: `bench-${i + 1}`,
    people: ['agent-1', 'agent-2'].map((name) => ({ email: `${name}@bench-${i + 1}.test`, password })),
  }));
export const organizations = organizationsOf(usual);

const organizationSql = `('00000000-0000-7000-8000-' || lpad(o::text, 12, '0'))::uuid`;
const personSql = (u: string) => `('00000000-0000-7000-9000-' || lpad((o * 100 + ${u})::text, 12, '0'))::uuid`;
const everyOrganization = ({ organizations }: Size) => `from generate_series(1, ${organizations}) o`;
const peopleOf = ({ people }: Size) => `case when o = 1 then ${people} else 5 end`;
const everyUser = (size: Size) => `${everyOrganization(size)}, generate_series(1, ${peopleOf(size)}) u`;

const identitySql = (size: Size) => `
  insert into users (id, email, first_name, last_name, password_hash, email_confirmed_at)
    select ${personSql('u')}, 'agent-' || u || '@bench-' || o || '.test', 'Agent', 'Number ' || u, '${passwordHash}', now() ${everyUser(size)};
  insert into organizations (id, organization_id, name, slug, subdomain, ticket_prefix, trial_ends_at)
    select ${organizationSql}, ${organizationSql}, 'Bench ' || o, 'bench-' || o, 'bench-' || o, 'BENCH', now() + interval '14 days'
    ${everyOrganization(size)};
  insert into members (organization_id, user_id, role) select ${organizationSql}, ${personSql('u')}, 'admin' ${everyUser(size)};
  analyze;`;

const notificationsSql = (size: Size) => `
  insert into organizations (organization_id, name, subdomain, sequence)
    select ${organizationSql}, 'Bench ' || o, 'bench-' || o, 1 ${everyOrganization(size)};`;

/** A UUIDv7 of the time `at`, so that ids are ordered like the product's own. */
const idAt = (at: string, salt: string) =>
  `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || left(md5(${salt}), 3) || '8' || substr(md5(${salt}), 4, 15))::uuid`;

const words = `'{printer,invoice,password,delivery,refund,login,parcel,address,update,broken,missing,order,account,screen,export}'::text[]`;
const word = (n: string) => `(${words})[1 + (${n}) % 15]`;
/** Occurs in a handful of subjects of the largest organization, and in one subject of each other organization. */
export const rareWord = 'zebrafish';
export const commonWord = 'invoice';
/** Values of the custom field `plan`: of a sixth of the tickets, and of one in 5,000. Half of the tickets have custom fields. */
export const plans = { common: 'pro', rare: 'legacy' };
export const tags = { common: 'billing', rare: 'recall-2026' };

const placesSql = (size: Size) => `
  insert into organizations (organization_id, name, subdomain, ticket_prefix, sequence)
    select ${organizationSql}, 'Bench ' || o, 'bench-' || o, 'BENCH', 1 ${everyOrganization(size)};
  insert into members (organization_id, user_id, email, first_name, last_name, is_active, role, sequence)
    select ${organizationSql}, ${personSql('u')}, 'agent-' || u || '@bench-' || o || '.test', 'Agent', 'Number ' || u, true, 'admin', 1
    ${everyUser(size)};
  insert into ticket_counters (organization_id, prefix, last_number)
    select ${organizationSql}, 'BENCH', case when o = 1 then ${size.first} else ${size.each} end ${everyOrganization(size)};
  insert into custom_fields (organization_id, id, key, type, label, options, categories, form, shown_to_customers, set_by_widget,
                             required_to_resolve, translations, position, updated_at)
    select ${organizationSql}, gen_random_uuid(), f.key, f.type, f.key, '[]', '{}', 'hidden', false, false, false, '{}', f.position, now()
    ${everyOrganization(size)}, (values ('plan', 'choice', 1), ('seats', 'number', 2)) f (key, type, position);
  create table floor_outbox (id uuid primary key, organization_id uuid, event jsonb not null, created_at timestamptz not null default now());
  create table replayed_outbox (like outbox including all);
  grant select, insert on replayed_outbox to public;`;

/**
 * In each organization a higher n is a newer ticket, one per minute. About 500 bytes as JSON in a list. One in five is unresolved, and
 * those are the newer ones, as in a real help desk.
 */
const ticketsSql = (size: Size, which: string) => `
  insert into tickets (organization_id, id, ticket_number, subject, description, status, priority, category, tags, customer_name, customer_email,
                       assigned_to, comment_count, created_at, updated_at, next_due_at, version, channel, public_reply_count, reopen_count,
                       first_response_at, first_response_time_hours, resolved_at, resolution_time_hours, sla_breached_at, escalated_at, custom_fields)
    select ${organizationSql}, ${idAt('made.at_time', "o || ' ' || n")}, 'BENCH-' || lpad(n::text, greatest(4, length(n::text)), '0'),
      'Problem with my ' || ${word('n')} || ' and the ' || ${word('n / 15')} || case when n % 100000 = 7 then ' ${rareWord}' else '' end,
      repeat('The ' || ${word('n * 7')} || ' does not work as it should. ', 6), made.status, (array['low', 'medium', 'high', 'urgent'])[1 + n % 4],
      case when n % 3 > 0 then (array['Billing', 'Shipping', 'Account', 'Returns', 'Product', 'Website', 'Other'])[1 + n % 7] end,
      case when n % 5 = 0 then '{}' else array[(array['${tags.common}', 'vip', 'bug', 'question', 'hardware', 'shipping', 'feature'])[1 + n % 7]] end
        || case when n % 3 = 0 then array['region-' || n % 11] else '{}' end || case when n % 5000 = 9 then array['${tags.rare}'] else '{}' end,
      'Customer ' || n % customers, 'customer-' || n % customers || '@example.com',
      case when n % 3 > 0 then ${personSql(`1 + n % (${peopleOf(size)})`)} end,
      case when n > total - ${size.commented} then ${commentsEach} else 0 end, made.at_time, made.at_time,
      case when made.status in ('open', 'in_progress') then made.at_time + make_interval(hours => (1 + n % 72)) end, 1,
      (array['email', 'portal', 'widget', 'staff'])[1 + n % 4], case when done.replied then 1 + n % 3 else 0 end, (n % 19 = 0)::integer,
      case when done.replied then made.at_time + done.reply end, case when done.replied then extract(epoch from done.reply) / 3600 end,
      case when done.resolved then made.at_time + done.work end, case when done.resolved then extract(epoch from done.work) / 3600 end,
      case when n % 13 = 0 then made.at_time + done.reply end, case when n % 29 = 0 then made.at_time + done.reply end,
      case when n % 2 = 1 then jsonb_build_object('seats', n % 1000,
        'plan', case when n % 5000 = 9 then '${plans.rare}' else (array['basic', '${plans.common}', 'gold'])[1 + n % 3] end) else '{}' end
    ${everyOrganization(size)},
      lateral (select case when o = 1 then ${size.first} else ${size.each} end as total) sized,
      lateral (select greatest(500, total / 20) as customers) buyers, generate_series(1, total) n,
      lateral (select date_trunc('milliseconds', now()) - make_interval(mins => total - n + 1) as at_time,
        case when n > total * 0.75 then (array['open', 'in_progress', 'waiting_for_customer', 'resolved', 'open'])[1 + n % 5]
          else (array['resolved', 'closed', 'closed', 'closed', 'closed'])[1 + n % 5] end as status) made,
      lateral (select n % 10 > 0 as replied, made.status in ('resolved', 'closed') and n % 20 > 0 as resolved,
        make_interval(mins => n % 600) as reply, make_interval(mins => 600 + n % 4000) as work) done
    where ${which};
  insert into comments (organization_id, id, ticket_id, content, is_internal, is_from_customer, user_id, customer_email, created_at)
    select t.organization_id, ${idAt('t.created_at', "t.id || ' ' || c")}, t.id, repeat('This is what I have found out about it so far. ', 5),
      c % 4 = 2, c % 2 = 1, case when c % 2 = 0 then t.assigned_to end, case when c % 2 = 1 then t.customer_email end,
      t.created_at + make_interval(secs => c)
    from tickets t, generate_series(1, ${commentsEach}) c where t.comment_count > 0 and ${which.replace(/\bo\b/g, numberOf)};`;

const numberOf = `right(t.organization_id::text, 12)::bigint`;

/** The rows that triggers maintain for each ticket: one statement each takes a fifth of the triggers' time. */
const keptSql = [
  `insert into ticket_tags (organization_id, tag, status, created_at, ticket_id)
    select t.organization_id, tag, t.status, t.created_at, t.id from tickets t, unnest(t.tags) as tag`,
  `insert into ticket_field_values (organization_id, key, value, number, status, created_at, ticket_id)
    select t.organization_id, f.key, v.value, field_number(t.custom_fields, f.key), t.status, t.created_at, t.id
    from tickets t, jsonb_object_keys(t.custom_fields) as f(key), unnest(field_texts(t.custom_fields, f.key)) as v(value)`,
  `insert into ticket_texts (organization_id, created_at, ticket_id, source_id, search_text, words)
    select t.organization_id, t.created_at, t.id, t.id, short_fields(t), search_words(coalesce(t.description, '')) from tickets t`,
  `insert into ticket_texts (organization_id, created_at, ticket_id, source_id, words)
    select t.organization_id, t.created_at, t.id, c.id, search_words(c.content)
    from comments c join tickets t on t.organization_id = c.organization_id and t.id = c.ticket_id`,
  `insert into member_loads (organization_id, user_id, open_tickets)
    select organization_id, assigned_to, count(*) filter (where status in ('open', 'in_progress', 'waiting_for_customer'))
    from tickets where assigned_to is not null group by organization_id, assigned_to`,
  `insert into open_periods (organization_id, ticket_id, opened_at, resolved_at)
    select organization_id, id, created_at,
      case when status in ('resolved', 'closed') then coalesce(resolved_at, created_at + interval '1 hour') else 'infinity' end from tickets`,
  `insert into open_periods (organization_id, ticket_id, opened_at, is_reopened, resolved_at)
    select organization_id, id, resolved_at + interval '1 hour', true, resolved_at + interval '5 hours'
    from tickets where reopen_count > 0 and resolved_at is not null`,
  `insert into sent_surveys (organization_id, ticket_id, sent_at) select organization_id, id, resolved_at from tickets where resolved_at is not null`,
  `insert into surveys (organization_id, ticket_id, customer_email, rating, created_at)
    select organization_id, id, customer_email, 2 + public_reply_count, resolved_at from tickets
    where resolved_at is not null and priority = 'low'`,
  `insert into activities (organization_id, id, ticket_id, kind, actor_type, changes, created_at)
    select organization_id, id, id, 'created', 'customer', '{}', created_at from tickets where comment_count > 0`,
];
const filled = [
  'tickets',
  'comments',
  'ticket_tags',
  'ticket_field_values',
  'ticket_texts',
  'activities',
  'open_periods',
  'sent_surveys',
  'surveys',
];

/** Writes all data as the administrator. Indexes are rebuilt afterwards, in a third of the time that row-by-row updates take. */
export async function seed(databaseUrl: (database: string) => string, size: Size = usual): Promise<void> {
  await Promise.all([
    inDatabase(databaseUrl('tandem_identity'), (client) => client.query(identitySql(size))),
    inDatabase(databaseUrl('tandem_notifications'), (client) => client.query(notificationsSql(size))),
    seedTickets(databaseUrl('tandem_tickets'), size),
  ]);
}

async function seedTickets(url: string, size: Size): Promise<void> {
  // Two connections for two CPUs, because the first organization may be as large as all others together.
  const sideBySide = (works: string[]) =>
    Promise.all(
      [0, 1].map((half) =>
        inDatabase(url, async (client) => {
          // Triggers and foreign keys are disabled; the rows that triggers maintain are written below.
          await client.query("set session_replication_role = replica; set maintenance_work_mem = '512MB'; set work_mem = '128MB'");
          for (const [i, work] of works.entries()) if (i % 2 === half) await client.query(work);
        }),
      ),
    );
  const indexes = await inDatabase(url, async (client) => {
    const { rows } = await client.query<{ indexname: string; indexdef: string }>(
      `select indexname, indexdef from pg_indexes where tablename = any($1)
       and indexname not in (select conname from pg_constraint where conrelid = any($1::regclass[]))`,
      [filled],
    );
    for (const { indexname } of rows) await client.query(`drop index ${indexname}`);
    await client.query(placesSql(size));
    return rows.map(({ indexdef }) => indexdef);
  });
  await sideBySide([ticketsSql(size, 'o = 1'), ticketsSql(size, 'o > 1')]);
  await inDatabase(url, (client) => client.query('analyze tickets, comments'));
  await sideBySide(keptSql);
  await sideBySide(indexes);
  await inDatabase(url, async (client) => {
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  });
}

/** Runs `work` on a separate connection. */
export async function inDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // the running query also reports it
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
