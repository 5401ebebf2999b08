import { randomBytes } from 'node:crypto';
import {
  countEvents,
  createTickets,
  expectMatchesLastEvent,
  expectNoPendingWork,
  expireTimers,
  headersOf,
  signedIn,
  untilPasses,
} from '../ticketing.ts';
import {
  aging,
  expectRowsAndBytesAgree,
  filesOnDisk,
  PartialUpload,
  lockRows,
  openStream,
  untilStatementsWait,
  upload,
} from '../interrupted-work.ts';
import type { ChaosApp } from '../chaos-app.ts';

/** Services are killed in the middle of longer work. Needs LIVE_DEMOS, and an organization that does not assign tickets automatically. */
export function interruptedWork(running: () => ChaosApp): void {
  let app: ChaosApp;
  let admin: Record<string, string>;
  const idOf = async (email: string): Promise<string> => {
    const { data } = (await (await fetch(`${app.api}/team/members`, { headers: admin })).json()) as {
      data: { user_id: string; email: string }[];
    };
    return data.find((member) => member.email === email)!.user_id;
  };
  beforeAll(async () => {
    app = running();
    admin = await signedIn(app, 'admin@demo.test');
  }, 120_000);

  const scenario = 'pile';
  /** More than one batch (unassign-inactive.ts); the process is killed in the second one. */
  const backlogSize = 150;
  const takenBefore = 109;
  const unused = 12;
  const removedBefore = 5;
  const bytes = () => randomBytes(400_000);
  const openOf = `from tickets where assigned_to = $1 and status in ('open', 'in_progress', 'waiting_for_customer')`;

  /** Assigns the tickets to the agent; returns all open ones, including the demo's, in the order in which they will be unassigned. */
  async function createBacklog(agent: string): Promise<string[]> {
    const made = await createTickets(app, admin, { scenario, customer_email: 'pile@example.com', count: backlogSize });
    for (let i = 0; i < backlogSize; i += 100) {
      await app.mustCreate('/tickets/bulk', { ids: made.slice(i, i + 100), changes: { assigned_to: agent } }, admin);
    }
    return (await app.rows<{ id: string }>('tickets', `select id ${openOf} order by id`, [agent])).map(({ id }) => id);
  }

  describe('the tickets service is killed during three pieces of work', () => {
    let agent: string;
    let pile: string[];
    /** For `half` the first half of the upload has arrived; for `whole` all bytes are stored, but the row has not been updated. */
    let half: PartialUpload;
    let whole: PartialUpload;
    let files: string[];
    let answers: (number | undefined)[];

    beforeAll(async () => {
      agent = await idOf('agent@demo.test');
      pile = await createBacklog(agent);
      files = [];
      for (let i = 0; i < unused; i++) files.push(await upload(app, admin, bytes()));
      await expectRowsAndBytesAgree(app);

      const locks = [await lockRows(app, 'select id from tickets where id = $1 for update', [pile[takenBefore]])];
      await app.mustSend('PATCH', `/team/members/${agent}`, { is_active: false }, admin);
      [half, whole] = [await PartialUpload.begin(app, admin, bytes()), await PartialUpload.begin(app, admin, bytes())];
      await untilPasses(async () =>
        expect(await filesOnDisk(app)).toEqual(expect.arrayContaining([`${half.id}.part`, `${whole.id}.part`])),
      );
      locks.push(await lockRows(app, 'select id from attachments where id = $1 for update', [whole.id]));
      answers = [];
      const answered = [half.answered, whole.finish()].map(async (answer) => answers.push(await answer));
      locks.push(await sweepUpTo(files[removedBefore]!));

      await untilPasses(async () => {
        const [left] = await app.rows<{ n: number }>('tickets', `select count(*)::integer as n ${openOf}`, [agent]);
        expect(left!.n).toBe(pile.length - takenBefore);
        const there = await filesOnDisk(app);
        expect(files.filter((id) => there.includes(id))).toEqual(files.slice(removedBefore + 1));
        expect(there).toContain(whole.id);
      });
      await untilStatementsWait(app, 3);
      await app.killAndRestart('tickets', async () => {
        for (const unlock of locks) await unlock();
      });
      await Promise.all(answered);
    }, 240_000);

    afterAll(() => app.mustSend('PATCH', `/team/members/${agent}`, { is_active: true }, admin));

    /** Ages the unused files one after another, but commits all at once; the row of `held` is locked before the sweep can see it. */
    async function sweepUpTo(held: string): Promise<() => Promise<void>> {
      const client = await app.connect('tickets');
      await client.query('begin');
      await client.query(aging, [files]);
      for (const [i, id] of files.entries()) {
        await client.query('update attachments set created_at = created_at + make_interval(secs => $2) where id = $1', [id, i]);
      }
      const holding = lockRows(app, 'select id from attachments where id = $1 for update', [held]);
      // Three waiting statements: this one, the one that unassigns the tickets, and that of the complete file.
      await untilStatementsWait(app, 3);
      await client.query('commit');
      await client.end();
      return holding;
    }

    it('unassigning 150 open tickets: all become unassigned, and each change is announced once', async () => {
      await untilPasses(async () => {
        const left = await app.rows('tickets', `select id ${openOf}`, [agent]);
        const pending = await app.rows('tickets', 'select user_id from pending_unassignments', []);
        expect([left, pending]).toEqual([[], []]);
      });
      const announced = await app.rows<{ subject: string; n: number }>(
        'tickets',
        `select subject, count(*)::integer as n from outbox
          where type = 'ticket.updated' and envelope->'data'->'changes'->'assigned_to'->>'from' = $1 group by subject order by subject`,
        [agent],
      );
      expect(announced).toEqual(pile.map((subject) => ({ subject, n: 1 })));
      expect(await app.rows('tickets', 'select open_tickets from member_loads where user_id = $1', [agent])).toEqual([{ open_tickets: 0 }]);
      await expectMatchesLastEvent(app, scenario);
      await untilPasses(() => expectNoPendingWork(app));
    }, 180_000);

    it('an upload: no incomplete file counts as stored, the sender can repeat it, and nothing remains of it', async () => {
      expect(answers.filter((status) => status !== undefined && status !== 503)).toEqual([]);
      const claims = await app.rows('tickets', 'select id from attachments where content_type is not null and id = any($1)', [
        [half.id, whole.id],
      ]);
      expect(claims).toEqual([]);

      const content = bytes();
      const attachment_id = await upload(app, admin, content);
      await app.mustCreate(`/tickets/${pile.at(-1)}/comments`, { content: 'Again', attachment_ids: [attachment_id] }, admin);
      const link = await app.mustCreate<{ url: string }>(`/attachments/${attachment_id}/link`, {}, admin);
      const read = await (await fetch(new URL(link.url, app.api))).arrayBuffer();
      expect(Buffer.compare(Buffer.from(read), content)).toBe(0);

      await app.rows('tickets', aging, [[half.id, whole.id]]);
      await untilPasses(async () => {
        expect(await app.rows('tickets', 'select id from attachments where id = any($1)', [[half.id, whole.id]])).toEqual([]);
        await expectRowsAndBytesAgree(app);
      });
    }, 180_000);

    it('the removal of unused files: each stored file has a row, and each row has a stored file', async () => {
      await untilPasses(async () => {
        expect(await app.rows('tickets', 'select id from attachments where id = any($1)', [files])).toEqual([]);
        await expectRowsAndBytesAgree(app);
      });
    }, 180_000);
  });

  describe('the tickets service is killed while a live demo is deleted', () => {
    it('the deletion is completed, with files, events and their sequences, and nothing of other organizations is deleted', async () => {
      const ofOthers = () =>
        app.rows('tickets', 'select (select count(*) from tickets) as tickets, (select count(*) from event_sequences) as sequences', []);
      const before = await ofOthers();
      const response = await fetch(`${app.api}/auth/demo`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
      expect(response.status).toBe(200);
      const { data: session } = (await response.json()) as { data: { organization: { id: string } } };
      const { id } = session.organization;
      const rowsOf = (table: string) => app.rows('tickets', `select from ${table} where organization_id = $1`, [id]);
      await untilPasses(async () => expect((await rowsOf('tickets')).length).toBeGreaterThan(0));
      await upload(app, headersOf(response), bytes());

      const unlock = await lockRows(app, 'select from tickets where organization_id = $1 limit 1 for update', [id]);
      // While its history is still being written.
      await app.rows('identity', 'update organizations set demo_ends_at = now() where id = $1', [id]);
      await untilPasses(async () => {
        const waiting = await app.rows(
          'tickets',
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from "tickets"%'`,
          [],
        );
        expect(waiting).toHaveLength(1);
      });
      await app.killAndRestart('tickets', unlock);

      await untilPasses(async () => {
        await app.rows('tickets', 'update organization_deletions set next_pass_at = now() where completed_at is null', []);
        expect(await app.rows('tickets', 'select passes from organization_deletions where completed_at is not null', [])).toEqual([
          { passes: 4 },
        ]);
      });
      for (const table of ['tickets', 'comments', 'attachments', 'demo_histories', 'outbox'])
        expect([table, await rowsOf(table)]).toEqual([table, []]);
      expect(await ofOthers()).toEqual(before);
      await expectRowsAndBytesAgree(app);
    }, 240_000);
  });

  describe('the gateway is killed while a page is open', () => {
    it('its stream ends; a new stream has later events, and the API has presence and the changes of the outage', async () => {
      const manager = await signedIn(app, 'manager@demo.test');
      const { id } = await app.mustCreate<{ id: string }>(
        '/tickets',
        { subject: 'gateway page', customer_email: 'page@example.com', priority: 'urgent' },
        admin,
      );
      const before = await openStream(app, admin);
      const there = { user_id: await idOf('manager@demo.test'), state: 'viewing' };
      expect(await app.mustSend('PUT', `/tickets/${id}/presence`, { state: 'viewing' }, manager)).toEqual([]);
      await untilPasses(async () => expect(before.text).toContain(JSON.stringify({ ticket_id: id, people: [there] })));

      await app.killAndRestart('gateway', async () => {
        await untilPasses(async () => expect(before.ended).toBe(true));
        await expireTimers(app, [id]);
        await untilPasses(async () => expect((await countEvents(app, 'gateway', 'ticket.sla.breached')).size).toBe(2));
      });
      // With the same cookies, because the fault must not sign out anyone.
      const after = await openStream(app, admin);
      expect(after.status).toBe(200);
      const seen = (await (await fetch(`${app.api}/tickets/${id}`, { headers: admin })).json()) as {
        data: { sla_breached_at: string | null };
      };
      expect(seen.data.sla_breached_at).not.toBeNull();
      expect(await app.mustSend('PUT', `/tickets/${id}/presence`, { state: 'writing' }, admin)).toEqual([there]);
      await app.mustCreate(`/tickets/${id}/comments`, { content: 'Here again' }, admin);
      await untilPasses(async () => expect(after.text).toMatch(/"type":"ticket\.comment\.added"/));
      after.close();
    }, 180_000);
  });
}
