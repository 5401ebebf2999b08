import { sharedTask } from './scenarios/shared-task.ts';
import { untilPasses } from './ticketing.ts';
import { fieldsOf, withConcurrency, secret, TaskSync, type Side } from './task-sync.ts';

let sync: TaskSync;
beforeAll(async () => (sync = await TaskSync.start()), 120_000);
afterAll(() => sync?.stop(), 60_000);

const differing = (one: string[], other: string[]): number =>
  one.filter((tag) => !other.includes(tag)).length + other.filter((tag) => !one.includes(tag)).length;
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Creates tickets with tasks before the fault. */
async function linked(scenario: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  await withConcurrency(times(count, (i) => async () => ids.push((await sync.open(`${scenario} old ${i}`))!)));
  await sync.expectInSync(scenario);
  return ids;
}

describe('the task tool is unavailable during 500 ticket changes', () => {
  const scenario = 'outage';
  const outages: [name: string, begin: () => Promise<void> | void, end: () => Promise<void> | void][] = [
    ['refuses connections', () => sync.tool.away(), () => sync.tool.back()],
    ['answers 503', () => sync.tool.failNext(503, 'SANDBOX_503', { times: Infinity }), () => sync.tool.faults.clear()],
    ['hangs', () => sync.tool.faults.hang({ times: Infinity }), () => sync.tool.faults.clear()],
  ];
  /** Tickets in each outage. */
  const opened = 50;
  const changed = 40;
  const commented = 20;

  let old: string[];
  let agent: string;
  const fresh: string[] = [];
  let happened = 0;
  const counted = (work: () => Promise<unknown>) => async () => {
    expect(await work()).toBeDefined();
    happened += 1;
  };

  beforeAll(async () => {
    old = await linked(scenario, changed + 20);
    agent = await sync.member('agent@demo.test');
  }, 120_000);

  /** In each outage each of forty tickets changes twice and gets comments: the task must get only the final state. */
  function actionsOf(turn: number): (() => Promise<unknown>)[] {
    const [status, priority] = [
      (['in_progress', 'open', 'waiting_for_customer'] as const)[turn]!,
      (['low', 'high', 'urgent'] as const)[turn]!,
    ];
    const changes = old
      .slice(0, changed)
      .flatMap((id, i) => [
        counted(() => sync.change(id, { subject: `${scenario} changed ${i} ${turn}`, priority })),
        counted(() => sync.change(id, turn < 2 ? { status, assigned_to: agent } : { status, tags: [`tag${i}`] })),
      ]);
    const opens = times(opened, (i) =>
      counted(async () => {
        const id = (await sync.open(`${scenario} new ${turn} ${i}`, { tags: ['fresh'], priority }))!;
        fresh.push(id);
        if (i < commented) await counted(() => sync.addComment(id, `${scenario} new fromTicket ${turn} ${i}`))();
        if (i < commented / 2) await counted(() => sync.addComment(id, `${secret} ${turn} ${i}`, true))();
        return id;
      }),
    );
    const comments = times(commented, (i) => counted(() => sync.addComment(old[i]!, `${scenario} fromTicket ${turn} ${i}`, false)));
    const notes = times(commented / 2, (i) => counted(() => sync.addComment(old[i]!, `${secret} ${turn} ${i}`, true)));
    return [...changes, ...opens, ...comments, ...notes];
  }

  /** Changes tasks in the task tool: tasks whose tickets stay unchanged, and another field of a task whose ticket changes too. */
  function changeTasks(turn: number): void {
    const { person } = sync.tool;
    const [ours, theirs] = [old.slice(0, 3), old.slice(changed)].map((ids) => ids.map((id) => sync.taskOf(id).id)) as [string[], string[]];
    const of = (i: number) => theirs[turn * 5 + i]!;
    person.setStatus(of(0), 'In Progress');
    person.setPriority(of(1), 1);
    person.rename(of(2), `${scenario} renamed ${turn}`);
    person.setStatus(of(3), 'Complete');
    person.comment(of(4), `${scenario} fromTask ${turn}`);
    person.comment(ours[turn]!, `${scenario} fromTask of ours ${turn}`);
  }

  it('both sides become equal, each task and comment exists once, no internal note is sent, and at most a tenth of the calls are superfluous', async () => {
    const before = await sync.ticketSides(scenario);
    for (const [turn, [, begin, end]] of outages.entries()) {
      await begin();
      if (turn > 0) changeTasks(turn);
      await withConcurrency(actionsOf(turn));
      if (turn === 0) changeTasks(turn);
      if (turn < outages.length - 1) await end();
    }
    expect(happened).toBeGreaterThanOrEqual(500);
    await untilPasses(() => sync.expectCopied(scenario, outages.length * 2 * commented));
    const wanted = await sync.ticketSides(scenario);
    const withTaskComments = countWithTaskComments(sync.taskSides(old));

    sync.tool.clearLog();
    const back = performance.now();
    await outages.at(-1)![2]();
    await sync.expectInSync(scenario);
    const seconds = (performance.now() - back) / 1_000;

    const minimum = { ...leastCalls(before, wanted), readComments: withTaskComments };
    const needed = Object.values(minimum).reduce((sum, n) => sum + n, 0);
    const calls = [...sync.tool.requestCounts.values()].reduce((sum, n) => sum + n, 0);
    console.info(
      `${happened} changes while the task tool was down, equal ${seconds.toFixed(1)} s after its return: ${calls} calls, ${needed} needed (${JSON.stringify(minimum)})\n` +
        [...sync.tool.requestCounts].map(([route, n]) => `  ${n} ${route}`).join('\n'),
    );
    expect(await sync.ticketSides(scenario)).toEqual(await withChangesFromTasks(wanted));
    expect(calls).toBeLessThanOrEqual(needed * 1.1);
  }, 240_000);

  /** The minimum number of calls: one per new ticket, changed ticket, changed tag and public comment. */
  function leastCalls(before: Map<string, Side>, after: Map<string, Side>) {
    const both = [...after].filter(([id]) => before.has(id)).map(([id, now]) => ({ was: before.get(id)!, now }));
    const differ = both.filter(
      ({ was, now }) => JSON.stringify({ ...fieldsOf(was), tags: 0 }) !== JSON.stringify({ ...fieldsOf(now), tags: 0 }),
    );
    const fromTicket = (sides: Map<string, Side>) => [...sides.values()].reduce((sum, side) => sum + side.fromTicket.length, 0);
    return {
      tasks: after.size - before.size,
      changes: differ.length,
      tags: both.reduce((sum, { was, now }) => sum + differing(was.tags, now.tags), 0),
      comments: fromTicket(after) - fromTicket(before),
    };
  }
  /** The number of tasks whose comments have to be read, because webhooks do not contain their texts. */
  const countWithTaskComments = (tasks: Map<string, Side>): number =>
    [...tasks.values()].filter(({ fromTask }) => fromTask.length > 0).length;

  /** Accepts the changes that were made in the task tool: only those fields may differ. */
  async function withChangesFromTasks(wanted: Map<string, Side>): Promise<Map<string, Side>> {
    const tasks = sync.taskSides([...wanted.keys()]);
    const theirs = old.slice(changed);
    return new Map(
      [...wanted].map(([id, side]) => [id, theirs.includes(id) ? tasks.get(id)! : { ...side, fromTask: tasks.get(id)!.fromTask }]),
    );
  }
});

describe('a process is killed while tickets and tasks change', () => {
  const discussed = 4;
  const finished = 8;
  it.each(['integrations', 'tickets', 'nats', 'redis', 'postgres'] as const)(
    '%s: each task and each comment exists once, finished tasks are known, and both sides are equal',
    async (victim) => {
      const scenario = `killing ${victim}`;
      const old = await linked(scenario, discussed + finished);
      const ids = old.map((id) => sync.taskOf(id).id);
      const { person } = sync.tool;
      const act = async (i: number): Promise<string | undefined> => {
        const fromTicket = sync.addComment(old[i % discussed]!, `${scenario} fromTicket ${i}`);
        if (i % 3 === 0) person.comment(ids[i % discussed]!, `${scenario} fromTask ${i}`);
        if (i % 3 === 1) void sync.addComment(old[i % discussed]!, `${secret} ${i}`, true).catch(() => undefined);
        if (i % 2 === 0 && i / 2 < finished) person.setStatus(ids[discussed + i / 2]!, 'Complete');
        const opened = await sync.open(`${scenario} new ${i}`);
        await fromTicket;
        return opened;
      };
      const opened = await sync.app.whileKilling(victim, act);
      if (victim === 'redis') {
        await withConcurrency(times(10, (i) => () => act(1_000 + i)));
        await sync.app.flushRedis();
      }
      await sync.makeChecksDue();
      await sync.expectInSync(scenario);
      for (const id of opened) sync.taskOf(id);
      const waiting = await sync.app.rows<{ id: string }>(
        'tickets',
        `select id from tickets where description like $1 and task_finished_at is not null and status = 'open'`,
        [`What ${scenario} %`],
      );
      expect(waiting.map(({ id }) => id).sort()).toEqual(old.slice(discussed).sort());
    },
    240_000,
  );
});

describe('webhooks do not arrive', () => {
  it('polling finds the changes, a suspended webhook is reactivated, and webhooks arrive again', async () => {
    const scenario = 'silence';
    const [dropped, suspended, after] = (await linked(scenario, 3)) as [string, string, string];
    const { tool } = sync;
    tool.dropDeliveries(4);
    tool.person.setStatus(sync.taskOf(dropped).id, 'Review');
    tool.person.comment(sync.taskOf(dropped).id, `${scenario} fromTask of dropped`);
    await tool.deliveriesSettled();
    tool.suspendWebhooks();
    tool.person.rename(sync.taskOf(suspended).id, `${scenario} renamed`);
    tool.person.comment(sync.taskOf(suspended).id, `${scenario} fromTask of suspended`);

    await sync.makeChecksDue();
    await sync.expectInSync(scenario);
    expect(tool.webhooks.map(({ health }) => health.status)).toEqual(['active']);

    tool.person.comment(sync.taskOf(after).id, `${scenario} fromTask again`);
    tool.person.setStatus(sync.taskOf(after).id, 'Complete');
    await sync.expectInSync(scenario);
  }, 120_000);
});

describe('a workspace is unavailable', () => {
  it('while integrations is killed twice: no ticket fails, and everything is sent once it is available', async () => {
    const scenario = 'unavailable';
    const old = await linked(scenario, 6);
    const refusal = { status: 401, body: { err: 'Team not authorized', ECODE: 'OAUTH_027' } };
    sync.tool.faults.answer(refusal, { path: /\/(task|list)\//, times: Infinity });
    await withConcurrency(old.map((id, i) => () => sync.change(id, { subject: `${scenario} changed ${i}` })));
    await untilPasses(async () =>
      expect(await sync.app.rows('integrations', 'select is_active, pause_reason from integrations', [])).toEqual([
        { is_active: false, pause_reason: 'unavailable' },
      ]),
    );
    await sync.app.killAndRestart('integrations', () => sync.open(`${scenario} new`));
    await sync.makeChecksDue();
    sync.tool.faults.clear();
    await sync.app.killAndRestart('integrations', () => sync.makeChecksDue());
    await sync.makeChecksDue();
    await sync.expectInSync(scenario);
  }, 240_000);
});

// In this file, because starting the product takes 14 CPU seconds. Last, because it turns off the automatic creation of tasks.
describe('a shared task', () => sharedTask(() => sync));
