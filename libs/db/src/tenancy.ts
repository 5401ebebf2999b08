import pg from 'pg';

/** The platform's own tables that belong to no organization. */
export const tenancyExceptions: string[] = [
  'outbox',
  'inbox',
  'dead_letters',
  'event_sequences',
  'restores',
  'organization_deletions',
  'schema_migrations',
];

/**
 * Returns the tables, in any schema of the service, whose rows tenancy does not protect: must be empty. A table counts as
 * protected when row-level security is enabled and forced, `organization_id` is not null, and the policies for all roles
 * but the owner are exactly those of `tenant_isolation`, `system_readable`, `system_insertable` and `system_deletable`.
 * Views that run with their owner's rights count as unprotected. A table that is outside tenancy on purpose declares it
 * where it is created:
 * `comment on table sessions is 'tenancy: none — belongs to a user, who may be in no organization'`.
 */
export const unprotectedTables = (url: string): Promise<string[]> => namesOf(url, unprotected, [tenancyExceptions]);

/**
 * Returns the columns of indexes, as `index.column`, that queries under row-level security cannot use: must be empty. PostgreSQL applies the
 * policy first, row by row, unless the function behind an operator is leakproof; those of `numeric` and `jsonb`, for example, are not
 * (https://www.postgresql.org/docs/current/rules-privileges.html). Use `double precision`, text or a side table instead.
 */
export const indexesWithLeakyOperators = (url: string): Promise<string[]> => namesOf(url, leakyOperators);

async function namesOf(url: string, query: string, values: unknown[] = []): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'tandem-tenancy' });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(query, values);
    return rows.map((row) => row.name);
  } finally {
    await client.end();
  }
}

/** B-trees only: text searches read other indexes through functions that run as the owner (ticket_search.sql). */
const leakyOperators = `
  select distinct i.indexrelid::regclass || '.' || a.attname as name
  from pg_index i
  join pg_class t on t.oid = i.indrelid and t.relrowsecurity
  join pg_class x on x.oid = i.indexrelid
  join pg_am m on m.oid = x.relam and m.amname = 'btree'
  join pg_attribute a on a.attrelid = i.indexrelid and a.attnum <= i.indnkeyatts
  join pg_opclass c on c.oid = i.indclass[a.attnum - 1]
  join pg_amop o on o.amopfamily = c.opcfamily and o.amoplefttype = c.opcintype and o.amoprighttype = c.opcintype
  join pg_operator p on p.oid = o.amopopr
  join pg_proc f on f.oid = p.oprcode
  where not f.proleakproof
  order by 1`;

const unprotected = `
  select case when n.nspname = 'public' then c.relname else n.nspname || '.' || c.relname end as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
    and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not (n.nspname = 'public' and c.relname = any ($1))
    and coalesce(obj_description(c.oid, 'pg_class'), '') not like 'tenancy: none — _%'
    and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
    and not case
      when c.relkind = 'v' then coalesce('security_invoker=true' = any (c.reloptions) or 'security_invoker=on' = any (c.reloptions), false)
      when c.relkind in ('r', 'p') then c.relrowsecurity and c.relforcerowsecurity
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and a.attnotnull and not a.attisdropped)
        and exists (
          select from pg_policy p
          where p.polrelid = c.oid and p.polname = 'tenant_isolation' and p.polpermissive and p.polcmd = '*' and p.polroles = '{0}'
            and pg_get_expr(p.polqual, c.oid) like '(organization_id = %''app.organization_id''%'
            and pg_get_expr(p.polwithcheck, c.oid) = pg_get_expr(p.polqual, c.oid))
        and not exists (
          select from pg_policy p
          where p.polrelid = c.oid and p.polpermissive and p.polroles <> array[c.relowner]
            and (p.polname, p.polcmd) not in (('tenant_isolation', '*'), ('system_readable', 'r'), ('system_insertable', 'a'), ('system_deletable', 'd')))
      else false
    end
  order by 1`;
