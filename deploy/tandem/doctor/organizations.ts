import { asReader, isSingleOrganization } from '../installation';
import { failed, ok, type Finding } from './finding';

/** With SINGLE_ORGANIZATION, links to the portals of all organizations lead to one of them, so there must be no second one. */
export async function checkOrganizations(): Promise<Finding[]> {
  if (!isSingleOrganization()) return [];
  const count = await asReader('identity', async (client) => {
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from organizations where demo_ends_at is null');
    return rows[0]!.count;
  });
  if (count <= 1) return [ok('SINGLE_ORGANIZATION is set, and there is no second organization.')];
  const fix = 'Remove the variable from the environment of all processes, and add the DNS records of all subdomains.';
  return [failed(`SINGLE_ORGANIZATION is set, but there are ${count} organizations: identity does not start.`, fix)];
}

/** The labels below MAIL_DOMAIN at which a single organization receives email. Empty until it exists. */
export async function mailLabels(): Promise<string[]> {
  const found = await asReader('identity', async (client) => {
    const { rows } = await client.query<{ id: string; label: string }>(
      'select id, coalesce(subdomain, id::text) as label from organizations where demo_ends_at is null order by created_at, id limit 1',
    );
    return rows[0];
  });
  if (!found) return [];
  const hasSenderDomain = await asReader('notifications', async (client) => {
    const { rowCount } = await client.query('select from sender_domains where organization_id = $1', [found.id]);
    return rowCount !== 0;
  });
  // The bounces of a sender domain are sent to the organization's id.
  return [...new Set([found.label, ...(hasSenderDomain ? [found.id] : [])])];
}
