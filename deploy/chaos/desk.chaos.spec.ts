import {
  countEvents,
  expectAsAnnounced,
  expectGaplessNumbers,
  expectQuiet,
  letTimeRunOut,
  letTimeRunShort,
  signedIn,
  ticketsOf,
  untilHolds,
  like,
} from './desk.ts';
import { HouseUnderFire } from './house-under-fire.ts';
import { expectToldOnce, forgetEarlierMails, theTeamChooses, type Team } from './notices.ts';

let house: HouseUnderFire;
let admin: Record<string, string>;
let organization_id: string;
let team: Team;
beforeAll(async () => {
  house = await HouseUnderFire.start();
  admin = await signedIn(house, 'admin@demo.test');
  const session = (await (await fetch(`${house.api}/auth/session`, { headers: admin })).json()) as {
    data: { profile: { organization_id: string } };
  };
  ({ organization_id } = session.data.profile);
  await house.send('PATCH', `/organizations/${organization_id}`, { auto_assign: true, business_hours: null }, admin);
  const policy = { name: 'Under fire', priority_level: 'high', escalation_enabled: true };
  await house.create('/sla-policies', { ...policy, response_time_hours: 1, resolution_time_hours: 2, escalation_time_hours: 2 }, admin);
  team = await theTeamChooses(house, admin);
}, 120_000);
afterAll(() => house?.stop(), 60_000);

const timed = 20;
const warned = 10;
const talked = 5;
const pairs = 8;
/** The actions up to this index have been answered, or are running, when the victim is killed. */
const beforeTheFault = 8;

/** Creates tickets for the changes of a scene: some for SLA timers, some for comments, and duplicates for a merge. */
async function prepare(scene: string) {
  await forgetEarlierMails(house);
  const make = (kind: string, i: number, more: object = {}) =>
    house.create<{ id: string }>(
      '/tickets',
      { subject: `${scene} ${kind} ${i}`, customer_email: `${scene}-${kind}-${i}@example.com`, priority: 'high', ...more },
      admin,
    );
  const many = async (kind: string, count: number, more: object = {}) =>
    (await Promise.all(Array.from({ length: count }, (_, i) => make(kind, i, more)))).map((ticket) => ticket!.id);
  const low = { priority: 'low' };
  const found = {
    timed: await many('timed', timed),
    warned: await many('warned', warned),
    talked: await many('talked', talked, low),
    kept: await many('pair', pairs, low),
    duplicates: await many('pair', pairs, low),
  };
  // Wait for the automatic assignment, which is a change too: a merge before it would be a different case.
  await untilHolds(async () => {
    const waiting = await ticketsOf<{ assigned_to: string | null }>(house, scene, 'assigned_to');
    expect(waiting.filter(({ assigned_to }) => assigned_to === null)).toEqual([]);
  });
  return found;
}

/** In rotation: the customer replies, a note mentions the manager, staff reply. With five tickets, each ticket gets all kinds. */
function say(scene: string, talked: string[], i: number, content: string): Promise<unknown> {
  const to = i % talked.length;
  if (i % 3 === 0) return house.create(`/public/tickets/${talked[to]}/comments`, { content, email: `${scene}-talked-${to}@example.com` });
  const note = i % 3 === 1 ? { is_internal: true, mentions: [team.idOf('manager@demo.test')] } : {};
  return house.create(`/tickets/${talked[to]}/comments`, { content, ...note }, admin);
}

describe('a process is killed while the desk is at work', () => {
  it.each(['tickets', 'notifications', 'nats', 'postgres', 'mailbox'] as const)(
    '%s: numbers have no gap, and every comment, merge, assignment, word of the clocks, notice and mail is there once',
    async (victim) => {
      const scene = `desk-${victim}`;
      const { timed, warned, talked, kept, duplicates } = await prepare(scene);
      const created: string[] = [];
      const said: string[] = [];
      const merged: string[] = [];
      await house.whileKilling(victim, async (i) => {
        const time = i === beforeTheFault ? Promise.all([letTimeRunOut(house, timed), letTimeRunShort(house, warned)]) : undefined;
        const ticket = house.create<{ id: string }>('/public/tickets', {
          subject: `${scene} new ${i}`,
          customer_email: `${scene}-${i}@example.com`,
        });
        const content = `${scene} comment ${i}`;
        const comment = say(scene, talked, i, content);
        const duplicate = i % 4 === 0 ? duplicates[i / 4] : undefined;
        const merge = duplicate && house.create(`/tickets/${duplicate}/merge`, { into_id: kept[i / 4] }, admin);
        const accepted = await ticket;
        if (accepted) created.push(accepted.id);
        await time;
        if (await comment) said.push(content);
        if (duplicate && (await merge)) merged.push(duplicate);
        return accepted;
      });
      expect([created.length > 10, said.length > 10, merged.length > 1]).toEqual([true, true, true]);

      await expectOnce(scene, { created, said, merged });
      await untilHolds(() => expectClocks(scene, timed, warned));
      await untilHolds(() => expectAssigned(scene));
      await untilHolds(() => expectToldOnce(house, scene, victim, team));
      await untilHolds(() => expectQuiet(house));
      await expectGaplessNumbers(house, organization_id);
      await expectAsAnnounced(house, scene);
    },
    300_000,
  );
});

/** Accepted changes exist exactly once. Others may exist, because their response may have been lost, but not twice. */
async function expectOnce(scene: string, accepted: { created: string[]; said: string[]; merged: string[] }): Promise<void> {
  const tickets = await ticketsOf<{ id: string; subject: string; merged_into_id: string | null }>(
    house,
    scene,
    'id, subject, merged_into_id',
  );
  expect(accepted.created.filter((id) => !tickets.some((ticket) => ticket.id === id))).toEqual([]);
  const fresh = tickets.filter(({ subject }) => subject.includes(' new '));
  expect(new Set(fresh.map(({ subject }) => subject)).size).toBe(fresh.length);

  const comments = await house.rows<{ content: string }>(
    'tickets',
    'select content from comments where content like $1',
    like(`${scene} comment`),
  );
  const contents = comments.map(({ content }) => content);
  expect(new Set(contents).size).toBe(contents.length);
  expect(accepted.said.filter((content) => !contents.includes(content))).toEqual([]);
  const announced = await countEvents(house, scene, 'ticket.comment.added');
  expect([...announced.values()].reduce((sum, n) => sum + n, 0)).toBe(contents.length);

  const gone = tickets.filter(({ merged_into_id }) => merged_into_id !== null).map(({ id }) => id);
  expect(accepted.merged.filter((id) => !gone.includes(id))).toEqual([]);
  expect(await countEvents(house, scene, 'ticket.merged')).toEqual(new Map(gone.map((id) => [id, 1])));
}

/** Overdue tickets have one breach per timer and one escalation, tickets close to their due times one warning per timer. */
async function expectClocks(scene: string, timed: string[], warned: string[]): Promise<void> {
  const each = (ids: string[]) => new Map(ids.flatMap((id) => ['response', 'resolution'].map((clock) => [`${id} ${clock}`, 1] as const)));
  const once = (found: Map<string, number>) => new Map([...found].sort());
  expect(once(await countEvents(house, scene, 'ticket.sla.breached'))).toEqual(once(each(timed)));
  expect(once(await countEvents(house, scene, 'ticket.sla.warning'))).toEqual(once(each(warned)));
  expect(once(await countEvents(house, scene, 'ticket.escalated'))).toEqual(once(new Map(timed.map((id) => [id, 1]))));
}

/** Every unresolved ticket has an assignee and was assigned exactly once. */
async function expectAssigned(scene: string): Promise<void> {
  const tickets = await ticketsOf<{ id: string; assigned_to: string | null }>(house, scene, 'id, assigned_to');
  expect(tickets.filter(({ assigned_to }) => assigned_to === null)).toEqual([]);
  const given = await countEvents(house, scene, 'ticket.assigned');
  expect(tickets.filter(({ id }) => given.get(id) !== 1)).toEqual([]);
}
