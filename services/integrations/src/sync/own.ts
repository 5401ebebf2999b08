import { sql } from 'kysely';

/**
 * The organization of the transaction, for a plain select from a table that the system may read across organizations: there the two policies are
 * or-ed, and only a condition of one's own leads the planner to an index that begins with the organization.
 */
export const ownOrganization = sql<string>`nullif(current_setting('app.organization_id', true), '')::uuid`;
