/** The floor's counterpart of `statements.ts`: runs the product's captured statements on plain pg, behind a bare route. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import type { Captured, Work } from './statements.ts';

export interface Case {
  organization_id: string;
  /** Used in rotation: several tickets to open, several statuses to set. */
  variants: Captured[];
}

/** A UUIDv7 of the current time, like the product's ids. */
function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  const random = randomBytes(10).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}

/** `PUT /cases/:name` stores a case, `GET` and `POST` run it. */
export function replayRoutes(app: FastifyInstance, connectionString: string): void {
  const cases = new Map<string, Case & { next: number; pool: pg.Pool }>();
  // One pool per organization, because the organization is a setting of the connection: the product's policies apply here too.
  const pools = new Map<string, pg.Pool>();
  const poolOf = (organization_id: string) => {
    const options = `-c app.organization_id=${organization_id}`;
    const pool = pools.get(organization_id) ?? new pg.Pool({ connectionString, options, max: 10, application_name: 'floor' });
    pools.set(organization_id, pool);
    return pool;
  };

  app.put<{ Params: { name: string }; Body: Case }>('/cases/:name', { bodyLimit: 64 * 1024 * 1024 }, ({ params, body }) => {
    cases.set(params.name, { ...body, next: 0, pool: poolOf(body.organization_id) });
    return {};
  });

  app.route<{ Params: { name: string } }>({
    method: ['GET', 'POST', 'PATCH'],
    url: '/cases/:name',
    handler: async ({ params }) => {
      const known = cases.get(params.name)!;
      const { works, fresh } = known.variants[known.next++ % known.variants.length]!;
      const ids = fresh.map((old): [string, string] => [old, newId()]);
      const data: unknown[] = [];
      for (const work of works) data.push(...(await doWork(known.pool, work, ids)));
      return { success: true, data };
    },
  });
}

async function doWork(pool: pg.Pool, work: Work, ids: [string, string][]): Promise<unknown[]> {
  const renewed = (value: string | null) => (value === null ? null : ids.reduce((text, [old, id]) => text.replaceAll(old, id), value));
  // A single read needs no transaction.
  if (work.length === 1 && ids.length === 0) return [(await pool.query(work[0]!.sql, work[0]!.values)).rows];
  const client = await pool.connect();
  try {
    await client.query('begin');
    const rows: unknown[] = [];
    for (const { sql, values } of work) rows.push((await client.query(sql, values.map(renewed))).rows);
    await client.query('commit');
    return rows;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
