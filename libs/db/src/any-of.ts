import { sql, type RawBuilder } from 'kysely';

/**
 * `any (…)` of a parameter, for prepared statements. With the parameter itself, PostgreSQL plans a statement again at each call: a plan for
 * these few values seems cheaper than one for all, for which it assumes ten. Here it assumes ten for both.
 */
export const anyOf = (type: 'uuid' | 'text', values: readonly string[]): RawBuilder<string> =>
  sql<string>`any (array (select unnest(${values}::${sql.raw(type)}[])))`;
