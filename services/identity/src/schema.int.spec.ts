import { Database, newId, indexesWithLeakyOperators, unprotectedTables } from '@tandem/db';
import { expectTenantIsolation, freshDatabase, tableColumns } from '@tandem/testing';
import { sql } from 'kysely';
import { insertOrganization, findOrganizationOfSubdomainAcrossOrganizations } from './organization/organization.store';
import { insertMember, findMembers } from './team/member.store';
import type { IdentityTables } from './schema';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Database<IdentityTables>;
beforeAll(async () => {
  database = await freshDatabase('identity');
  db = new Database<IdentityTables>({ url: database.url });
});
afterAll(() => db?.close());

it('protects every table by tenancy, or declares why not', async () => expect(await unprotectedTables(database.ownerUrl)).toEqual([]));

it('has no index that row-level security keeps queries from using', async () =>
  expect(await indexesWithLeakyOperators(database.ownerUrl)).toEqual([]));

it('matches the columns of the migrated database', async () => {
  // The type makes this complete: a missing or an extra column does not compile.
  const columns: { [Table in keyof IdentityTables]: Record<keyof IdentityTables[Table], true> } = {
    users: {
      id: true,
      email: true,
      first_name: true,
      last_name: true,
      signature: true,
      password_hash: true,
      email_confirmed_at: true,
      mails_since: true,
      mails_sent: true,
      access_version: true,
      password_failed_count: true,
      password_failed_since: true,
      password_blocked_until: true,
      created_at: true,
    },
    confirmation_tokens: {
      token_hash: true,
      user_id: true,
      password_hash: true,
      first_name: true,
      last_name: true,
      browser_hash: true,
      expires_at: true,
      created_at: true,
    },
    sessions: {
      id: true,
      user_id: true,
      ip: true,
      user_agent: true,
      created_at: true,
      last_seen_at: true,
      idle_expires_at: true,
      absolute_expires_at: true,
      refresh_sequence: true,
      rotated_at: true,
      ended_at: true,
      end_reason: true,
      has_second_factor: true,
    },
    operator_log: {
      id: true,
      user_id: true,
      email: true,
      action: true,
      target: true,
      ip: true,
      user_agent: true,
      created_at: true,
    },
    backups: { id: true, taken_at: true, version: true, folder: true },
    refresh_tokens: { token_hash: true, session_id: true, sequence: true, created_at: true },
    organizations: {
      id: true,
      ticket_prefix_sequence: true,
      organization_id: true,
      name: true,
      slug: true,
      subdomain: true,
      ticket_prefix: true,
      require_mfa_for_admins: true,
      time_zone: true,
      business_hours: true,
      holidays: true,
      auto_assign: true,
      default_priority: true,
      customer_follow_up: true,
      instant_lookup: true,
      languages: true,
      categories: true,
      demo_ends_at: true,
      deletion_at: true,
      deletion_requested_at: true,
      deletion_requested_by: true,
      deletion_reminded_at: true,
      trial_ends_at: true,
      plan: true,
      created_at: true,
    },
    members: { organization_id: true, user_id: true, role: true, is_active: true, created_at: true },
    password_resets: { token_hash: true, user_id: true, expires_at: true, created_at: true },
    email_changes: { token_hash: true, user_id: true, email: true, expires_at: true, created_at: true },
    mfa: {
      user_id: true,
      sealed_secret: true,
      confirmed_at: true,
      last_used_step: true,
      failed_count: true,
      failed_since: true,
      blocked_until: true,
      created_at: true,
    },
    mfa_recovery_codes: { user_id: true, code_hash: true, used_at: true },
    mfa_challenges: { token_hash: true, user_id: true, expires_at: true, created_at: true },
    invitations: {
      id: true,
      organization_id: true,
      email: true,
      role: true,
      status: true,
      token_hash: true,
      invited_by: true,
      mails_since: true,
      mails_sent: true,
      expires_at: true,
      created_at: true,
    },
    audit_log: {
      id: true,
      organization_id: true,
      type: true,
      category: true,
      severity: true,
      occurred_at: true,
      actor_id: true,
      actor_email: true,
      target: true,
      ip: true,
      user_agent: true,
      changes: true,
    },
    oidc_connections: {
      organization_id: true,
      issuer: true,
      client_id: true,
      sealed_client_secret: true,
      is_active: true,
      auto_join: true,
      updated_at: true,
    },
    oidc_identities: { organization_id: true, issuer: true, subject: true, user_id: true, created_at: true },
    oidc_attempts: {
      state_hash: true,
      organization_id: true,
      binding_hash: true,
      nonce: true,
      sealed_verifier: true,
      redirect: true,
      expires_at: true,
    },
    branding: {
      organization_id: true,
      primary_color: true,
      secondary_color: true,
      logo_id: true,
      favicon_id: true,
      custom_css: true,
      scoped_css: true,
      hide_powered_by: true,
      custom_domain: true,
      custom_domain_token: true,
      custom_domain_verified_at: true,
      custom_domain_checked_at: true,
      custom_domain_missing_since: true,
      custom_domain_lapsed_at: true,
      email_template_header: true,
      email_template_footer: true,
      email_templates: true,
      updated_at: true,
    },
    branding_assets: { organization_id: true, id: true, content_type: true, content: true, created_at: true },
    wording: {
      organization_id: true,
      part: true,
      language: true,
      key: true,
      text: true,
      original_hash: true,
      updated_at: true,
    },
    widgets: { organization_id: true, allowed_sites: true, identity_required: true, sealed_secret: true, theme: true, updated_at: true },
    api_tokens: {
      organization_id: true,
      id: true,
      name: true,
      token_hash: true,
      last_four: true,
      permissions: true,
      networks: true,
      is_active: true,
      expires_at: true,
      previous_hash: true,
      previous_valid_until: true,
      created_by: true,
      created_at: true,
      last_used_at: true,
      last_used_ip: true,
    },
  };
  const real = await tableColumns(database);
  for (const [table, known] of Object.entries(columns))
    expect({ table, columns: real[table] }).toEqual({ table, columns: Object.keys(known).sort() });
});

it('shows an organization and its members only to itself', async () => {
  const [mine, other] = [newId(), newId()];
  for (const [id, subdomain] of [
    [mine, 'mine'],
    [other, 'other'],
  ] as const) {
    const user_id = newId();
    await db.forTenant({ organization_id: id }, async (tx) => {
      await tx
        .insertInto('users')
        .values({
          id: user_id,
          email: `${subdomain}@example.com`,
          first_name: null,
          last_name: null,
          password_hash: '$argon2id$x',
          email_confirmed_at: null,
        })
        .execute();
      await insertOrganization(tx, { id, name: subdomain, slug: subdomain, ticket_prefix: 'ORG' }, [subdomain]);
      await insertMember(tx, { organization_id: id, user_id, role: 'admin' });
    });
  }
  await db.forTenant({ organization_id: mine }, async (tx) => {
    expect(await tx.selectFrom('organizations').select('id').execute()).toEqual([{ id: mine }]);
    expect(await tx.selectFrom('members').select('organization_id').execute()).toEqual([{ organization_id: mine }]);
    expect(await findMembers(tx, other)).toEqual([]);
    expect(await tx.updateTable('organizations').set({ name: 'Taken over' }).where('id', '=', other).executeTakeFirst()).toMatchObject({
      numUpdatedRows: 0n,
    });
  });
  const intrusion = db.forTenant({ organization_id: mine }, (tx) =>
    insertOrganization(tx, { id: newId(), name: 'x', slug: 'x', ticket_prefix: 'ORG' }, ['xyz']),
  );
  await expect(intrusion).rejects.toThrow(/row-level security/);
  await expectTenantIsolation(database);
  // asSystem allows reading across organizations, but not writing.
  expect(await db.asSystem('test', (tx) => findOrganizationOfSubdomainAcrossOrganizations(tx, 'other'))).toMatchObject({ id: other });
  expect(await db.asSystem('test', (tx) => tx.updateTable('members').set({ role: 'agent' }).executeTakeFirst())).toMatchObject({
    numUpdatedRows: 0n,
  });
});

it('enforces the rules by constraints', async () => {
  const refused = (statement: string) =>
    expect(db.asSystem('test', (tx) => sql.raw(statement).execute(tx))).rejects.toThrow(/violates check constraint/);
  await refused(`insert into users (id, email, password_hash) values ('${newId()}', 'Upper@example.com', '$argon2id$x')`);
  await refused(`insert into users (id, email, password_hash) values ('${newId()}', 'plain@example.com', 'plain text')`);
  await refused(
    `insert into confirmation_tokens (token_hash, user_id, password_hash, expires_at) values ('not a hash', '${newId()}', '$argon2id$x', now())`,
  );
});
