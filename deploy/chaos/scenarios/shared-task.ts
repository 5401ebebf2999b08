import { SharedTask, type Ticket } from '../shared-task.ts';
import { withConcurrency, type TaskSync } from '../task-sync.ts';
import { untilPasses } from '../ticketing.ts';

/** Processes are killed while twenty tickets share one task. */
export function sharedTask(running: () => TaskSync): void {
  let sync: TaskSync;
  beforeAll(() => void (sync = running()));

  const count = 20;
  const ids = (tickets: Iterable<Ticket>) => [...tickets].map(({ id }) => id).sort();
  const calls = () => [...sync.tool.requestCounts].filter(([route]) => route.includes('{task_id}')).reduce((sum, [, n]) => sum + n, 0);
  const statusesOf = async (tickets: Ticket[]) => {
    const values = [tickets.map(({ id }) => id)];
    const query = 'select status from tickets where id = any($1) order by created_at, id';
    return (await sync.app.rows<{ status: string }>('tickets', query, values)).map(({ status }) => status);
  };

  /** Twenty tickets that share a task, linked while every process runs. */
  async function linked(scenario: string): Promise<{ shared: SharedTask; tickets: Ticket[] }> {
    const made = await SharedTask.open(sync, scenario, count);
    await withConcurrency(made.tickets.map((ticket) => () => made.shared.link(ticket)));
    await made.shared.expectInSync(made.tickets);
    return made;
  }

  describe('integrations is killed while twenty tickets share one task', () => {
    it('while they are linked and unlinked: one primary link remains, and the task lists and mentions each ticket once', async () => {
      const { shared, tickets } = await SharedTask.open(sync, 'linking', count);
      sync.tool.clearLog();
      const taskPath = new RegExp(`/task/${shared.task_id}$`);
      // Killed while it writes the list of the tickets.
      await shared.killWhileWriting('PUT', taskPath, () =>
        withConcurrency(tickets.slice(0, 12).map((ticket) => () => shared.link(ticket))),
      );
      // Killed while it posts the comment about a linked ticket.
      await shared.killWhileWriting('POST', /\/comment$/, () =>
        withConcurrency(tickets.slice(12).map((ticket) => () => shared.link(ticket))),
      );
      const unlinked = tickets.filter((_, i) => i % 4 === 1);
      await shared.killWhileWriting('PUT', taskPath, () => withConcurrency(unlinked.map((ticket) => () => shared.unlink(ticket))));
      await shared.expectInSync(tickets);
      expect([...shared.tickets].map((ticket) => shared.linkComments(ticket))).toEqual([...shared.tickets].map(() => 1));
      await withConcurrency(unlinked.map((ticket) => () => shared.link(ticket)));
      await shared.expectInSync(tickets);
      // A read and a comment for each link, and at most a read and a write of the list for each link and unlink. Each kill repeats the calls in flight.
      const links = count + unlinked.length;
      expect(calls()).toBeLessThanOrEqual(2 * links + 2 * (links + unlinked.length) + 3 * 10);
    }, 240_000);

    it('while the primary link is removed several times: the next one becomes primary, each comment arrives once, and no status is reverted', async () => {
      const { shared, tickets } = await linked('promoting');
      shared.comment('promoting comment before');
      const changed = ['in_progress', 'resolved', 'in_progress', 'resolved', 'in_progress', 'resolved'];
      await withConcurrency(
        changed.map((status, i) => async () => expect(await sync.change(tickets[i]!.id, { status })).toMatchObject({ status })),
      );
      await shared.expectInSync(tickets);
      sync.tool.clearLog();
      const turns = 3;
      for (let turn = 0; turn < turns; turn += 1) {
        const primary = await shared.primary();
        await shared.killWhileWriting('PUT', new RegExp(`/task/${shared.task_id}$`), () => shared.unlink(primary));
        expect(await shared.primary()).not.toEqual(primary);
        shared.comment(`promoting comment ${turn}`);
      }
      // Killed before the next primary link is chosen.
      const primary = await shared.primary();
      await sync.app.killAndRestart('integrations', async () => void shared.comment('promoting comment between two primaries'));
      await shared.unlink(primary);
      await shared.expectInSync(tickets);
      expect(shared.tickets.size).toBe(count - turns - 1);
      // Neither side's status overwrites the other's, whichever ticket is primary.
      expect(sync.tool.task(shared.task_id)).toMatchObject({ name: 'promoting bug', status: 'To Do' });
      expect(await statusesOf(tickets)).toEqual(tickets.map((_, i) => changed[i] ?? 'open'));
      // A read and a write of the list for each primary, and a read of the task and of its comments for each comment. The kills double them.
      expect(calls()).toBeLessThanOrEqual(2 * 2 * (turns + 1) + 2 * 2 * shared.comments.length);
    }, 240_000);
  });

  describe('a shared task is finished while a process is killed', () => {
    it.each(['integrations', 'tickets'] as const)(
      '%s: each of the twenty tickets is reminded once, with as many calls as one ticket needs',
      async (victim) => {
        const scenario = `finishing ${victim}`;
        const { shared, tickets } = await linked(scenario);
        sync.tool.clearLog();
        const finish = async () => {
          shared.comment(`${scenario} comment`);
          sync.tool.person.setStatus(shared.task_id, 'Complete');
        };
        if (victim === 'integrations') {
          sync.tool.faults.hang({ method: 'GET', path: `/task/${shared.task_id}`, times: 2 });
          await finish();
          await untilPasses(async () => expect(sync.tool.faults.waiting).toBe(0));
          await sync.app.killAndRestart('integrations');
          // Killed again while the tickets are being reminded.
          await untilPasses(async () => expect((await shared.reminders()).length).toBeGreaterThan(0));
          await sync.app.killAndRestart('integrations');
        } else await sync.app.killAndRestart('tickets', finish);
        await shared.expectInSync(tickets);
        expect(await shared.reminders()).toEqual(ids(tickets));
        const waiting = await sync.app.rows<{ id: string }>(
          'tickets',
          'select id from tickets where description like $1 and task_finished_at is not null order by id',
          [`What ${scenario} %`],
        );
        expect(waiting.map(({ id }) => id)).toEqual(ids(tickets));
        // The reminder changes neither side.
        expect(await statusesOf(tickets)).toEqual(tickets.map(() => 'open'));
        expect(sync.tool.task(shared.task_id)!.status).toBe('Complete');
        expect(calls()).toBeLessThan(count / 2);
      },
      240_000,
    );
  });
}
