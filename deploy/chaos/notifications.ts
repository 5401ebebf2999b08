import { maxRepeats, type ChaosApp, type Victim } from './chaos-app.ts';
import { like, signedIn } from './ticketing.ts';

type Topic = 'assigned' | 'mention' | 'customer_replied' | 'sla';
interface Channels {
  in_app: boolean;
  mail: boolean;
}
const both = { in_app: true, mail: true };
const neither = { in_app: false, mail: false };
const bell = { in_app: true, mail: false };
const mail = { in_app: false, mail: true };

/** The preferences of the demo organization's members: each channel of each topic is enabled for one of them. */
const preferencesOf: Record<string, Record<Topic, Channels>> = {
  'admin@demo.test': { assigned: both, mention: both, customer_replied: both, sla: mail },
  'manager@demo.test': { assigned: both, mention: both, customer_replied: bell, sla: neither },
  'agent@demo.test': { assigned: both, mention: neither, customer_replied: mail, sla: bell },
};

interface Member {
  user_id: string;
  email: string;
  role: string;
}
export interface Team {
  members: Member[];
  idOf: (email: string) => string;
}

/** Sets every member's preferences; returns the members. */
export async function setPreferences(app: ChaosApp, admin: Record<string, string>): Promise<Team> {
  for (const [email, preferences] of Object.entries(preferencesOf)) {
    await app.mustSend('PUT', '/notification-preferences', preferences, await signedIn(app, email));
  }
  const { data: members } = (await (await fetch(`${app.api}/team/members`, { headers: admin })).json()) as { data: Member[] };
  return { members, idOf: (email) => members.find((member) => member.email === email)!.user_id };
}

interface NotifyingEvent {
  event_id: string;
  type: string;
  by: string | null;
  data: {
    ticket: { assigned_to: string | null; watchers: string[] };
    comment?: { user_id: string | null; is_from_customer: boolean; mentions: string[] };
  };
}
const kinds: Record<string, string> = {
  'ticket.assigned': 'assigned',
  'ticket.comment.added': 'customer_replied',
  'ticket.sla.warning': 'sla_warning',
  'ticket.sla.breached': 'sla_breached',
  'ticket.escalated': 'escalated',
};

/** The expected recipients of an event and their kind of notification, implemented independently of the product. */
function recipientsOf({ type, by, data: { ticket, comment } }: NotifyingEvent, { members }: Team): Map<string, string> {
  const leads = type === 'ticket.escalated' ? members.filter(({ role }) => role !== 'agent').map(({ user_id }) => user_id) : [];
  const hasWatchers = type.startsWith('ticket.sla.') || comment?.is_from_customer;
  const followers = comment?.is_from_customer === false ? [] : [ticket.assigned_to, ...(hasWatchers ? ticket.watchers : []), ...leads];
  const notified = new Map(followers.filter((id) => id !== null).map((id) => [id, kinds[type]!]));
  for (const id of comment?.mentions ?? []) notified.set(id, 'mention');
  const author = comment ? comment.user_id : by;
  if (author) notified.delete(author);
  return notified;
}

/** Ages the emails of earlier scenarios, because many emails to a user within ten minutes are combined into a digest. */
export const ageEarlierMails = (app: ChaosApp): Promise<unknown> =>
  app.rows(
    'notifications',
    // Locks the whole table, even against readers for update: otherwise this statement and the running services could deadlock.
    `begin; lock table emails in access exclusive mode;
     update emails set created_at = created_at - interval '1 hour', due_at = due_at - interval '1 hour' where kind like 'staff_%'; commit`,
    [],
  );

interface Wanted {
  /** The event, the kind of email and the address. */
  line: string;
  ticket_id: string;
  email: string;
  isReply: boolean;
}

/** One line for every notification, and one for every email: recipient, kind and event. */
async function expected(app: ChaosApp, scenario: string, team: Team): Promise<{ notices: string[]; mails: Wanted[] }> {
  const events = await app.rows<NotifyingEvent & { ticket_id: string }>(
    'tickets',
    `select o.id as event_id, o.subject as ticket_id, o.type, o.envelope->'actor'->>'user_id' as by, o.envelope->'data' as data
      from outbox o join tickets t on t.id::text = o.subject where t.subject like $1 and o.type = any($2)`,
    [...like(scenario), Object.keys(kinds)],
  );
  const found: { notices: string[]; mails: Wanted[] } = { notices: [], mails: [] };
  for (const event of events) {
    for (const [user_id, kind] of recipientsOf(event, team)) {
      const { email } = team.members.find((member) => member.user_id === user_id)!;
      const isClock = !['assigned', 'mention', 'customer_replied'].includes(kind);
      const channels = preferencesOf[email]![isClock ? 'sla' : (kind as Topic)];
      if (channels.in_app) found.notices.push(`${event.event_id} ${kind} ${user_id}`);
      const line = `${event.event_id} staff_${isClock ? 'sla' : kind} ${email}`;
      if (channels.mail) found.mails.push({ line, ticket_id: event.ticket_id, email, isReply: kind === 'customer_replied' });
    }
  }
  return { ...found, notices: found.notices.sort() };
}

interface Digest {
  to_address: string;
  more: number;
  items: { event_id: string; ticket_id: string; kind: string }[];
}

/**
 * Every expected email was sent separately or is in a digest, once; except replies on a ticket about which the user has already got an
 * email, and those that a digest counts without listing them.
 */
async function expectMailedOnce(app: ChaosApp, wanted: Wanted[], mails: string[], tickets: string[]): Promise<void> {
  const digests = await app.rows<Digest>(
    'notifications',
    `select to_address, (data->>'more')::integer as more, data->'items' as items from emails
      where kind = 'staff_digest' and created_at > now() - interval '30 minutes'`,
    [],
  );
  const clocks = ['sla_warning', 'sla_breached', 'escalated'];
  const gathered = digests.flatMap(({ to_address, items }) =>
    items
      .filter(({ ticket_id }) => tickets.includes(ticket_id))
      .map(({ event_id, kind }) => `${event_id} staff_${clocks.includes(kind) ? 'sla' : kind} ${to_address}`),
  );
  const notified = [...mails, ...gathered];
  expect(notified.filter((line, i) => notified.indexOf(line) !== i)).toEqual([]);
  const lines = new Set(wanted.map(({ line }) => line));
  expect(notified.filter((line) => !lines.has(line))).toEqual([]);

  const reached = wanted.filter(({ line }) => notified.includes(line));
  const isCovered = ({ isReply, ticket_id, email }: Wanted) =>
    isReply && reached.some((other) => other.isReply && other.ticket_id === ticket_id && other.email === email);
  const missing = wanted.filter((each) => !notified.includes(each.line) && !isCovered(each));
  const uncounted = missing.filter(
    ({ email }) => missing.filter((each) => each.email === email).length > sum(digests.filter((each) => each.to_address === email)),
  );
  expect(uncounted).toEqual([]);
}
const sum = (digests: Digest[]): number => digests.reduce((total, { more }) => total + more, 0);

/** Every member was notified once of every event, in the channels they chose: none lost, none duplicated, no others. */
export async function expectNotifiedOnce(app: ChaosApp, scenario: string, victim: Victim, team: Team): Promise<void> {
  const wanted = await expected(app, scenario, team);
  const happened = new Set([...wanted.notices, ...wanted.mails.map(({ line }) => line)].map((line) => line.split(' ')[1]));
  for (const kind of [
    'assigned',
    'mention',
    'customer_replied',
    'staff_customer_replied',
    'sla_warning',
    'sla_breached',
    'escalated',
    'staff_sla',
  ])
    expect([kind, happened.has(kind)]).toEqual([kind, true]);
  const tickets = (await app.rows<{ id: string }>('tickets', 'select id from tickets where subject like $1', like(scenario))).map(
    ({ id }) => id,
  );
  const notices = await app.rows<{ line: string }>(
    'notifications',
    `select event_id || ' ' || kind || ' ' || user_id as line from notifications where ticket_id = any($1)`,
    [tickets],
  );
  expect(notices.map(({ line }) => line).sort()).toEqual(wanted.notices);
  const mails = await app.rows<{ line: string; state: string; message_id: string; attempts: number }>(
    'notifications',
    `select event_id || ' ' || kind || ' ' || to_address as line, state, message_id, attempts from emails where kind like 'staff_%' and ticket_id = any($1)`,
    [tickets],
  );
  await expectMailedOnce(
    app,
    wanted.mails,
    mails.map(({ line }) => line),
    tickets,
  );
  expect(mails.filter(({ state }) => state !== 'sent')).toEqual([]);
  // Otherwise no email was sent during the outage.
  if (victim === 'mailbox') expect(await attemptsAt(app, tickets)).toBeGreaterThan(1);

  const arrived = new Map<string, number>();
  for (const { message_id } of await app.mails()) arrived.set(message_id, (arrived.get(message_id) ?? 0) + 1);
  expect(mails.filter(({ message_id }) => !arrived.has(message_id))).toEqual([]);
  const repeats = mails.reduce((sum, { message_id }) => sum + arrived.get(message_id)! - 1, 0);
  expect(repeats).toBeLessThanOrEqual(maxRepeats(victim));
}

/** The highest number of attempts of any email about these tickets. */
async function attemptsAt(app: ChaosApp, tickets: string[]): Promise<number> {
  const [row] = await app.rows<{ most: number }>('notifications', 'select max(attempts) as most from emails where ticket_id = any($1)', [
    tickets,
  ]);
  return row!.most;
}
