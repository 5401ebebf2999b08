/**
 * The floor: the minimum that can do the work, one bare Fastify process on pg, with the product's SQL on the product's tables.
 * No tenancy except `where organization_id = …`, no sign-in, no contracts, no published events. Reads FLOOR_DATABASE_URL, and for
 * statements captured from the product (replay.ts) FLOOR_SERVICE_URL with the service's own role; prints its port.
 */
import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';
import { replayRoutes } from './replay.ts';

const pool = new pg.Pool({ connectionString: process.env.FLOOR_DATABASE_URL, max: 10, application_name: 'floor' });
const app = fastify();
if (process.env.FLOOR_SERVICE_URL) replayRoutes(app, process.env.FLOOR_SERVICE_URL);

const summary = `t.id, t.ticket_number, t.subject, t.status, t.priority, t.category, t.tags, t.customer_name, t.customer_email, t.assigned_to,
  t.comment_count, t.clickup_task_id, t.created_at, t.updated_at, t.resolved_at, t.version`;
const assignee = `case when m.user_id is not null then json_build_object(
  'user_id', m.user_id, 'first_name', m.first_name, 'last_name', m.last_name, 'email', m.email) end as assignee`;
const fromTickets = 'from tickets t left join members m on m.organization_id = t.organization_id and m.user_id = t.assigned_to';

const listSql = `select ${summary}, t.description_preview, ${assignee} ${fromTickets}
  where t.organization_id = $1 order by t.created_at desc, t.id desc limit $2`;
const readSql = `select t.organization_id, ${summary}, t.description, ${assignee} ${fromTickets} where t.organization_id = $1 and t.id = $2`;
const commentsSql = `select c.id, c.ticket_id, c.content, c.is_internal, c.is_from_customer, c.user_id, c.customer_email, c.created_at,
  case when m.user_id is not null then json_build_object('first_name', m.first_name, 'last_name', m.last_name) end as author
  from comments c left join members m on m.organization_id = c.organization_id and m.user_id = c.user_id
  where c.organization_id = $1 and c.ticket_id = $2 order by c.created_at, c.id limit 101`;

interface OfOrganization {
  Params: { organization: string; id: string };
  Querystring: { limit: string };
  Body: Record<string, string>;
}

app.get<OfOrganization>('/:organization/tickets', async ({ params, query }) => {
  const limit = Number(query.limit);
  const [{ rows }, counted] = await Promise.all([
    pool.query(listSql, [params.organization, limit + 1]),
    pool.query<{ last_number: number }>('select last_number from ticket_counters where organization_id = $1', [params.organization]),
  ]);
  return { success: true, data: rows.slice(0, limit), meta: { pagination: { page: 1, limit, total: counted.rows[0]!.last_number } } };
});

app.get<OfOrganization>('/:organization/tickets/:id', async ({ params }) => {
  const { rows } = await pool.query(readSql, [params.organization, params.id]);
  return { success: true, data: rows[0] };
});

/** One response with the data of the two requests that the product's page makes. */
app.get<OfOrganization>('/:organization/tickets/:id/whole', async ({ params }) => {
  const of = [params.organization, params.id];
  const [ticket, comments] = await Promise.all([pool.query(readSql, of), pool.query(commentsSql, of)]);
  return { success: true, data: ticket.rows[0], comments: comments.rows };
});

/** Five round trips: begin, number, ticket, outbox, commit. The event is stored in a separate table that is not published. */
app.post<OfOrganization>('/:organization/tickets', async ({ params, body }, reply) => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows: numbers } = await client.query<{ prefix: string; last_number: number }>(
      'update ticket_counters set last_number = last_number + 1 where organization_id = $1 returning prefix, last_number',
      [params.organization],
    );
    const { prefix, last_number } = numbers[0]!;
    const now = new Date().toISOString();
    const { rows: tickets } = await client.query<{ id: string }>(
      `insert into tickets (organization_id, id, ticket_number, subject, description, priority, customer_name, customer_email, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning *`,
      [
        params.organization,
        randomUUID(),
        `${prefix}-${last_number}`,
        body.subject,
        body.description,
        body.priority,
        body.customer_name,
        body.customer_email,
        now,
      ],
    );
    await client.query('insert into floor_outbox (id, organization_id, event) values ($1, $2, $3)', [
      randomUUID(),
      params.organization,
      JSON.stringify({ type: 'ticket.created', subject: tickets[0]!.id, data: { ticket: tickets[0] } }),
    ]);
    await client.query('commit');
    return await reply.status(201).send({ success: true, data: tickets[0] });
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
});

await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${(app.server.address() as { port: number }).port}\n`);
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0)); // the parent process has exited
