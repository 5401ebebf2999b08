import { sql } from 'kysely';

/**
 * The transaction's organization, for a plain select from a table that the system may read across organizations. The table's two policies
 * are combined with OR, so the planner uses an index that starts with the organization only if the query has its own condition.
 */
export const currentOrganizationId = sql<string>`nullif(current_setting('app.organization_id', true), '')::uuid`;
