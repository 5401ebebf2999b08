import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosApp } from './chaos-app.ts';

/** Retries until it succeeds: consumers retry after pauses of up to half a minute. */
export async function untilPasses(work: () => Promise<void>, seconds = 120): Promise<void> {
  for (const deadline = Date.now() + seconds * 1_000; ; await pause(300)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

interface Ticket {
  id: string;
  organization_id: string;
}

/** Signs in a member of the demo organization; returns the headers that a browser would send. */
export async function signedIn(app: ChaosApp, email: string): Promise<Record<string, string>> {
  const answer = await fetch(`${app.api}/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'tandem-demo-1' }),
  });
  expect([email, answer.status]).toEqual([email, 200]);
  return headersOf(answer);
}

/** The headers of later requests in the session that this response has opened. */
export function headersOf(answer: Response): Record<string, string> {
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const csrf = cookies.find((cookie) => cookie.startsWith('tandem_csrf='))?.slice('tandem_csrf='.length) ?? '';
  return { cookie: cookies.join('; '), 'x-csrf-token': decodeURIComponent(csrf) };
}

/** SQL pattern for subjects that start with the scenario's name: the tickets of one scenario. */
export const like = (scenario: string) => [`${scenario} %`];

export const ticketsOf = <Row = Ticket>(app: ChaosApp, scenario: string, columns = 'id, organization_id') =>
  app.rows<Row>('tickets', `select ${columns} from tickets where subject like $1 order by id`, like(scenario));

/** Makes both timers and the escalation overdue. */
export const expireTimers = (app: ChaosApp, ids: string[]) =>
  app.rows(
    'tickets',
    `with due as (
      update tickets set response_due_at = now() - interval '1 minute', resolution_due_at = now() - interval '1 minute' where id = any($1) returning id)
    update sla_clocks set check_at = now(), escalates_at = now() from due where ticket_id = due.id`,
    [ids],
  );

/** Simulates that a little over four fifths of the time of both timers has passed: of one hour and of two (the policy of the scenario). */
export const nearlyExpireTimers = (app: ChaosApp, ids: string[]) =>
  app.rows(
    'tickets',
    `with near as (
      update tickets set response_due_at = now() + interval '10 minutes', resolution_due_at = now() + interval '20 minutes' where id = any($1) returning id)
    update sla_clocks set check_at = now() from near where ticket_id = near.id`,
    [ids],
  );

const eventsOf = `from outbox o join tickets t on t.id::text = o.subject where t.subject like $1`;

export const countEvents = async (app: ChaosApp, scenario: string, type: string): Promise<Map<string, number>> => {
  const rows = await app.rows<{ key: string; n: string }>(
    'tickets',
    `select o.subject || coalesce(' ' || (o.envelope->'data'->>'clock'), '') as key, count(*) as n ${eventsOf} and o.type = $2 group by key`,
    [...like(scenario), type],
  );
  return new Map(rows.map(({ key, n }) => [key, Number(n)]));
};

/** Creates `count` tickets of one customer, ten at a time; returns their ids. Their subjects are `scenario` with a number. */
export async function createTickets(
  app: ChaosApp,
  headers: Record<string, string>,
  { scenario, customer_email, count }: { scenario: string; customer_email: string; count: number },
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const some = Array.from({ length: Math.min(10, count - ids.length) }, (_, i) =>
      app.mustCreate<{ id: string }>('/tickets', { subject: `${scenario} ${ids.length + i}`, customer_email }, headers),
    );
    ids.push(...(await Promise.all(some)).map((ticket) => ticket.id));
  }
  return ids;
}

/** No events are pending: all are published, and none is a dead letter. */
export async function expectNoPendingWork(app: ChaosApp): Promise<void> {
  for (const database of ['tickets', 'notifications']) {
    const [found] = await app.rows<{ waiting: string; dead: string }>(
      database,
      'select (select count(*) from outbox where published_at is null) as waiting, (select count(*) from dead_letters) as dead',
      [],
    );
    expect([database, found]).toEqual([database, { waiting: '0', dead: '0' }]);
  }
}

/** The organization's ticket numbers are 1 to the counter's value, each once. */
export async function expectGaplessNumbers(app: ChaosApp, organization_id: string): Promise<void> {
  const [found] = await app.rows<Record<string, string>>(
    'tickets',
    `select count(*) as tickets, count(distinct ticket_number) as numbers, max(regexp_replace(ticket_number, '^.*-', '')::integer)::text as highest,
      (select last_number::text from ticket_counters where organization_id = $1) as counted from tickets where organization_id = $1`,
    [organization_id],
  );
  const { tickets } = found!;
  expect(found).toEqual({ tickets, numbers: tickets, highest: tickets, counted: tickets });
}

/** Each ticket's events are numbered without gaps, and the last event matches the ticket's assignee and status. */
export async function expectMatchesLastEvent(app: ChaosApp, scenario: string): Promise<void> {
  const wrong = await app.rows(
    'tickets',
    `select * from (
      select distinct on (o.subject) o.subject, o.type, t.assigned_to::text, t.status, t.version, o.envelope->'data'->'ticket' as announced_ticket,
        o.sequence, (select count(*) from outbox n where n.subject = o.subject) as announced
      ${eventsOf} and o.envelope->'data' ? 'ticket' order by o.subject, o.sequence desc) last
    where (announced_ticket->>'assigned_to') is distinct from assigned_to or announced_ticket->>'status' <> status or (announced_ticket->>'version')::integer <> version
      or sequence <> announced`,
    like(scenario),
  );
  expect(wrong).toEqual([]);
}
