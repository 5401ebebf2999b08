/** What PostgreSQL needs for statements of the product. */
import type pg from 'pg';
import { inDatabase } from './seed.ts';
import type { Statement } from './statements.ts';
import { quantile } from './statistics.ts';

/** Of statements together: the sum of each one's median. */
export interface StatementFigures {
  /** Milliseconds of execution, without planning. */
  ms: number;
  /** Pages of 8 KB that were read, including those of values that are stored apart from their row. */
  buffers: number;
}

interface Plan {
  'Execution Time': number;
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
}

const runs = 9;

async function explainOnce(client: pg.Client, sql: string, values: (string | null)[]): Promise<Plan> {
  const { rows } = await client.query<{ 'QUERY PLAN': Plan[] }>(`explain (analyze, buffers, timing off, format json) ${sql}`, values);
  return rows[0]!['QUERY PLAN'][0]!;
}

/** Runs each statement nine times in the organization, with the rights of the user in `url`. */
export function explain(url: string, organization_id: string, statements: Statement[]): Promise<StatementFigures> {
  return inDatabase(url, async (client) => {
    await client.query(`select set_config('app.organization_id', '${organization_id}', false)`);
    const total: StatementFigures = { ms: 0, buffers: 0 };
    for (const { sql, values } of statements) {
      const found: StatementFigures[] = [];
      for (let run = 0; run < runs; run++) {
        const plan = await explainOnce(client, sql, values);
        // Converting whole rows to text takes longer than reading them, so this plan is for the buffers only.
        const sent = await explainOnce(client, `select sum(length(q::text)) from (${sql}) q`, values);
        const buffers = sent.Plan['Shared Hit Blocks'] + sent.Plan['Shared Read Blocks'];
        found.push({ ms: plan['Execution Time'], buffers });
      }
      for (const figure of ['ms', 'buffers'] as const)
        total[figure] += quantile(found.map((each) => each[figure]), 0.5); // prettier-ignore
    }
    return total;
  });
}
