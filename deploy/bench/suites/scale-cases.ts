/** The cases measured at scale: calls of the product in one organization. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../load.ts';
import { commonWord, plans, rareWord, tags } from '../seed.ts';
import { ask, expect, type SignedIn } from '../session.ts';
import type { BenchSystem } from '../bench-system.ts';

export const pageSize = 25;
const opened = 20;
const changed = 50;

export interface MeasuredOrganization {
  name: string;
  id: string;
  tickets: number;
  session: SignedIn;
}

export interface ScaleCase {
  name: string;
  /** Sent in rotation. */
  calls: Call[];
  /** How many calls make one unit of work. */
  callsPerWork: number;
  writes: boolean;
}

interface Row {
  id: string;
  customer_email: string;
  created_at: string;
}

export async function casesOf(system: BenchSystem, organization: MeasuredOrganization): Promise<ScaleCase[]> {
  const { headers } = organization.session;
  const get = (path: string): Call => ({ method: 'GET', path: `/api/v1${path}`, headers });
  const list = (name: string, query: string) => [name, `/tickets?limit=${pageSize}${query}`] as const;
  const where = (key: string, op: string, value: unknown) =>
    `&condition=${encodeURIComponent(JSON.stringify({ field: `custom_fields.${key}`, op, value }))}`;
  const depth = Math.min(10_000, Math.floor(organization.tickets * 0.8));
  const cursor = await cursorAt(system, organization, depth);
  const newest = await rows(system, organization, `select id, customer_email, created_at from tickets where organization_id = $1
    order by created_at desc, id desc limit ${opened}`); // prettier-ignore
  // Reopening a ticket adds a row with a primary key, which cannot be replayed.
  const unresolved = await rows(system, organization, `select id, customer_email, created_at from tickets where organization_id = $1
    and status not in ('resolved', 'closed') order by created_at desc, id desc limit ${changed}`); // prettier-ignore
  const [middle] = await rows(system, organization, `select id, customer_email, created_at from tickets where organization_id = $1
    order by created_at offset ${Math.floor(organization.tickets / 2)} limit 1`); // prettier-ignore
  const day = (moment: string, plus = 0) => new Date(Date.parse(moment) + plus * 86_400_000).toISOString().slice(0, 10);
  const person = `00000000-0000-7000-9000-${String(Number(organization.id.slice(-12)) * 100 + 2).padStart(12, '0')}`;
  const reads = [
    list('list, first page', ''),
    list(`list, at depth ${depth.toLocaleString('en')}`, `&cursor=${encodeURIComponent(cursor)}`),
    list('status', '&status=open'),
    list('priority', '&priority=urgent'),
    list('assignee', `&assignee=${person}`),
    list('unassigned', '&assignee=unassigned'),
    list('category', '&category=Billing'),
    list('tag, common', `&tag=${tags.common}`),
    list('tag, rare', `&tag=${tags.rare}`),
    list('custom field, common', where('plan', 'is_any_of', [plans.common])),
    list('custom field, rare', where('plan', 'is_any_of', [plans.rare])),
    list('custom field, few in a range', where('seats', 'at_least', 999)),
    list('custom field, many in a range', where('seats', 'at_least', 500)),
    list('custom field and status', `${where('plan', 'is_any_of', [plans.common])}&status=open`),
    list('customer', `&customer_email=${encodeURIComponent(middle!.customer_email)}`),
    list('created range', `&created_from=${day(middle!.created_at)}&created_to=${day(middle!.created_at, 7)}`),
    list('sort: oldest', '&sort=oldest'),
    list('sort: updated', '&sort=updated'),
    list('sort: priority', '&sort=priority'),
    list('sort: due', '&sort=due'),
    list('sort: custom field', '&sort=custom_fields.seats'),
    list('search, rare', `&search=${rareWord}`),
    list('search, common', `&search=${commonWord}`),
    list('search, miss', '&search=qqxyzzy'),
  ];
  return [
    ...reads.map(([name, path]) => ({ name, calls: [get(path)], callsPerWork: 1, writes: false })),
    {
      name: 'open a ticket, with comments',
      calls: newest.flatMap(({ id }) => [get(`/tickets/${id}`), get(`/tickets/${id}/comments`)]),
      callsPerWork: 2,
      writes: false,
    },
    { name: 'change status', calls: statusCalls(unresolved, headers), callsPerWork: 1, writes: true },
    { name: 'create', calls: [createCall(headers)], callsPerWork: 1, writes: true },
  ];
}

const json = { 'content-type': 'application/json' };

function createCall(headers: Record<string, string>): Call {
  const body = {
    subject: 'The parcel has arrived broken',
    description: 'The screen was broken when I opened the parcel. '.repeat(5),
    priority: 'high',
    category: 'Shipping',
    tags: ['hardware'],
    customer_name: 'Ada Customer',
    customer_email: 'ada@example.com',
  };
  return { method: 'POST', path: '/api/v1/tickets', headers: { ...json, ...headers }, body: JSON.stringify(body) };
}

/** Sets all tickets to one status, then all to the other, so that each call is a change. */
const statusCalls = (tickets: Row[], headers: Record<string, string>): Call[] =>
  ['waiting_for_customer', 'in_progress'].flatMap((status) =>
    tickets.map(({ id }) => ({
      method: 'PATCH' as const,
      path: `/api/v1/tickets/${id}`,
      headers: { ...json, ...headers },
      body: JSON.stringify({ status }),
    })),
  );

async function cursorAt(system: BenchSystem, { session }: MeasuredOrganization, depth: number): Promise<string> {
  let cursor = '';
  for (let read = 0; read < depth; read += 100) {
    const limit = Math.min(100, depth - read);
    const { body } = await ask(
      `${system.gatewayOrigin}/api/v1/tickets?limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      session,
    );
    cursor = (body as { meta: { pagination: { next_cursor: string } } }).meta.pagination.next_cursor;
  }
  return cursor;
}

const rows = (system: BenchSystem, organization: MeasuredOrganization, sql: string): Promise<Row[]> =>
  system.query<Row>('tandem_tickets', sql, [organization.id]);

/** Checks the response, because the timing of a wrong one would be meaningless. */
export async function check(system: BenchSystem, organization: MeasuredOrganization, { name, calls }: ScaleCase): Promise<void> {
  const { method, path, headers, body } = calls[0]!;
  const answer = await ask<unknown>(system.gatewayOrigin + path, {
    method,
    headers: headers ?? {},
    ...(body === undefined ? {} : { body }),
  });
  const wanted = method === 'POST' ? 201 : 200;
  expect(`${organization.name}, ${name}: status`, answer.status, wanted);
  if (name === 'search, miss') expect(`${organization.name}, ${name}: rows`, (answer.data as unknown[]).length, 0);
  else if (Array.isArray(answer.data)) expect(`${organization.name}, ${name}: has rows`, answer.data.length > 0, true);
}

/** Waits until the events of the writes are published and their emails sent, but not longer than `atMostMs`. */
export async function settled(system: BenchSystem, atMostMs = 20_000): Promise<void> {
  for (const deadline = Date.now() + atMostMs; Date.now() < deadline; await sleep(500)) {
    system.signal.throwIfAborted();
    const [events] = await system.query<{ n: number }>(
      'tandem_tickets',
      'select count(*)::integer as n from outbox where published_at is null',
    );
    const [mails] = await system.query<{ n: number }>(
      'tandem_notifications',
      "select count(*)::integer as n from emails where state in ('pending', 'sending')",
    );
    if (events!.n === 0 && mails!.n === 0) return;
  }
}
