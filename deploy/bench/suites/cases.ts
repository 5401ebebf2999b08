/** The units of work of floor and product, with checks that both return the same. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Call } from '../load.ts';
import type { Candidate } from '../rounds.ts';
import { commentsEach, organizations, ticketsEach } from '../seed.ts';
import { ask, expect, signIn, type SignedIn } from '../session.ts';
import type { BenchSystem } from '../bench-system.ts';

export const pageSize = 25;

interface Row {
  id: string;
}

/** Reads use this organization and creates use others, so that the checked data does not change. */
export const readIn = organizations[0]!;
export const createIn = { product: organizations[1]!, floor: organizations[2]! };

/** The floor and the checks connect as the administrator; the product never does. */
const isOfAdministrator = (account: string) => account.endsWith(':tandem_admin');
export const isOfProduct = (account: string): boolean => !isOfAdministrator(account);

export const floorOf = (system: BenchSystem, name: string, calls: () => Call[]): Candidate => ({
  name,
  origin: system.floorOrigin,
  calls,
  processes: () => system.floor,
  owns: (account) => !account.startsWith('postgres:') || isOfAdministrator(account),
});

export const productOf = (system: BenchSystem, name: string, calls: () => Call[], requestsPerWork = 1): Candidate => ({
  name,
  origin: system.gatewayOrigin,
  calls,
  requestsPerWork,
  processes: () => system.product,
  owns: isOfProduct,
});

const floorPath = (organization: { id: string }, rest: string) => `/${organization.id}/tickets${rest}`;

export const newestIds = async (system: BenchSystem, count: number): Promise<string[]> =>
  (
    await system.query<Row>(
      'tandem_tickets',
      'select id from tickets where organization_id = $1 order by created_at desc, id desc limit $2',
      [readIn.id, count],
    )
  ).map(({ id }) => id);

// ---- list ---------------------------------------------------------------------------------------------------------

export const listOfFloor = (): Call[] => [{ method: 'GET', path: floorPath(readIn, `?limit=${pageSize}`) }];
export const listOfProduct = (session: SignedIn): Call[] => [
  { method: 'GET', path: `/api/v1/tickets?limit=${pageSize}`, headers: session.headers },
];

/** Calls the tickets service without the gateway, with a context signed like the gateway's, valid for a minute. */
export function listOfService(system: BenchSystem): Call[] {
  const actor = { type: 'user', user_id: '00000000-0000-7000-9000-000000000101', role: 'admin', session_id: readIn.id };
  const ctx = { organization_id: readIn.id, actor, request_id: 'bench', client: { ip: '127.0.0.1', user_agent: 'bench' } };
  const payload = Buffer.from(JSON.stringify({ ctx, exp: Math.floor(Date.now() / 1000) + 60 })).toString('base64url');
  const signature = createHmac('sha256', system.env('CONTEXT_SECRET')).update(payload).digest('base64url');
  return [{ method: 'GET', path: `/tickets?limit=${pageSize}`, headers: { 'x-tandem-context': `${payload}.${signature}` } }];
}

export async function checkList(system: BenchSystem, { name, origin, calls }: Candidate): Promise<void> {
  const [call] = calls();
  const { status, data, body } = await ask<Row[]>(origin + call!.path, { headers: call!.headers });
  const [newest] = await newestIds(system, 1);
  expect(`${name}: status`, status, 200);
  expect(`${name}: rows`, data.length, pageSize);
  expect(`${name}: first id`, data[0]!.id, newest);
  expect(`${name}: total`, (body as { meta: { pagination: { total: number } } }).meta.pagination.total, ticketsEach);
}

// ---- open a ticket ------------------------------------------------------------------------------------------------

export const openOfFloor = (ids: string[]): Call[] => ids.map((id) => ({ method: 'GET', path: floorPath(readIn, `/${id}/whole`) }));
/** Two requests, as on the page. */
export const openOfProduct = (ids: string[], { headers }: SignedIn): Call[] =>
  ids.flatMap((id) => [
    { method: 'GET', path: `/api/v1/tickets/${id}`, headers },
    { method: 'GET', path: `/api/v1/tickets/${id}/comments`, headers },
  ]);

export async function checkOpen(floor: Candidate, product: Candidate, ids: string[]): Promise<void> {
  const [whole] = floor.calls();
  const [ticket, comments] = product.calls();
  const floors = await ask<Row>(floor.origin + whole!.path);
  const products = await ask<Row>(product.origin + ticket!.path, { headers: ticket!.headers });
  const conversation = await ask<Row[]>(product.origin + comments!.path, { headers: comments!.headers });
  expect('floor: ticket', floors.data.id, ids[0]);
  expect('floor: comments', (floors.body as { comments: Row[] }).comments.length, commentsEach);
  expect('product: ticket', products.data.id, ids[0]);
  expect('product: comments', conversation.data.length, commentsEach);
}

// ---- read what has not changed --------------------------------------------------------------------------------------

export const readOfFloor = (ids: string[]): Call[] => ids.map((id) => ({ method: 'GET', path: floorPath(readIn, `/${id}`) }));
/** All seeded tickets have version 1, from which the tag is derived; the check requests the tag that was returned. */
export const unchangedOfProduct = (ids: string[], { headers }: SignedIn, etag: string): Call[] =>
  ids.map((id) => ({ method: 'GET', path: `/api/v1/tickets/${id}`, headers: { ...headers, 'if-none-match': etag } }));

export async function entityTag(system: BenchSystem, id: string, { headers }: SignedIn): Promise<string> {
  const url = `${system.gatewayOrigin}/api/v1/tickets/${id}`;
  const { etag } = await ask(url, { headers });
  if (etag === null) throw new Error('a ticket has no entity tag');
  expect('status of an unchanged ticket', (await ask(url, { headers: { ...headers, 'if-none-match': etag } })).status, 304);
  return etag;
}

// ---- create -------------------------------------------------------------------------------------------------------

const newTicket = {
  subject: 'The parcel has arrived broken',
  description: 'The screen was broken when I opened the parcel. '.repeat(5),
  priority: 'high',
  customer_name: 'Ada Customer',
  customer_email: 'ada@example.com',
};
const json = { 'content-type': 'application/json' };
const createCall = (path: string, headers: Record<string, string>): Call => ({
  method: 'POST',
  path,
  headers: { ...json, ...headers },
  body: JSON.stringify(newTicket),
});
export const createOfFloor = (): Call[] => [createCall(floorPath(createIn.floor, ''), {})];
export const createOfProduct = ({ headers }: SignedIn): Call[] => [createCall('/api/v1/tickets', headers)];

export async function checkCreate(system: BenchSystem, { name, origin, calls }: Candidate): Promise<void> {
  const [{ path, headers, body }] = calls() as [Call];
  const { status, data } = await ask<Row & { ticket_number: string }>(origin + path, { method: 'POST', headers, body });
  expect(`${name}: status`, status, 201);
  const rows = await system.query<{ subject: string }>('tandem_tickets', 'select subject from tickets where id = $1', [data.id]);
  expect(`${name}: stored`, rows[0]?.subject, newTicket.subject);
}

/** Resolves once all events emitted by tickets have been published, projected and emailed. */
export async function settler(system: BenchSystem): Promise<{ settle: () => Promise<void>; close: () => Promise<void> }> {
  const databases = ['tandem_tickets', 'tandem_notifications', 'tandem_analytics'];
  const clients = databases.map((database) => new pg.Client({ connectionString: system.databaseUrl(database) }));
  await Promise.all(clients.map((client) => client.connect()));
  const [tickets, notifications, analytics] = clients as [pg.Client, pg.Client, pg.Client];
  const count = async (client: pg.Client, sql: string) => Number((await client.query<{ n: string }>(sql)).rows[0]!.n);
  return {
    async settle() {
      for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(250)) {
        system.signal.throwIfAborted();
        const [announced, mailed, projected] = await Promise.all([
          count(tickets, 'select count(*) as n from outbox'),
          count(notifications, "select count(*) as n from emails where state = 'sent'"),
          count(analytics, 'select count(*) as n from ticket_facts'),
        ]);
        if (announced === mailed && announced === projected) return;
      }
      throw new Error('events or emails are still pending after two minutes');
    },
    close: async () => void (await Promise.all(clients.map((client) => client.end()))),
  };
}

export const readerOf = (system: BenchSystem): Promise<SignedIn> => signIn(system.gatewayOrigin, readIn.people[0]!);
export const writerOf = (system: BenchSystem): Promise<SignedIn> => signIn(system.gatewayOrigin, createIn.product.people[0]!);
