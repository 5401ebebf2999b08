import { ClickUpSandbox, type Task } from '@tandem/sandbox';
import { connectDemo } from '../local/demo-task-tool.ts';
import { demoToken } from '../local/task-tool.ts';
import { signedIn, untilPasses } from './ticketing.ts';
import { ChaosApp } from './chaos-app.ts';

const list = 'Customer tickets';
const admin = { email: 'admin@demo.test', password: 'tandem-demo-1' };

/** The demo's status mapping, from ticket status to task status. */
const statuses = {
  open: 'To Do',
  in_progress: 'In Progress',
  waiting_for_customer: 'Review',
  resolved: 'Complete',
  closed: 'Closed',
} as const;
const priorities = { urgent: 1, high: 2, medium: 3, low: 4 } as const;
const done = ['Complete', 'Closed'];

interface TicketRow {
  id: string;
  subject: string;
  status: keyof typeof statuses;
  priority: keyof typeof priorities;
  tags: string[];
  assignee: string | null;
  is_finished: boolean;
  fromTicket: string[];
  fromTask: string[];
}

/** One side of a ticket and its task, in comparable values. */
export interface Side {
  title: string;
  status: string;
  priority: number | null;
  assignee: string | null;
  tags: string[];
  /** Public comments from the ticket. */
  fromTicket: string[];
  /** Comments from the task. */
  fromTask: string[];
}
export type Fields = Omit<Side, 'fromTicket' | 'fromTask'>;
export const fieldsOf = ({ fromTicket: _, fromTask: __, ...fields }: Side): Fields => fields;

const ourMark = /\n\n— via Tandem · .*$/s;
const sorted = (texts: string[]) => [...texts].sort();

/** The product, and in this process the task tool that its demo organization is connected to. */
export class TaskSync {
  private constructor(
    readonly app: ChaosApp,
    readonly tool: ClickUpSandbox,
    readonly headers: Record<string, string>,
  ) {}

  static async start(options: { oneProcess?: boolean } = {}): Promise<TaskSync> {
    const deliveries = { attempts: 3, retryDelayMs: 500 };
    const tool = await ClickUpSandbox.start({ personalToken: demoToken, rateLimitPerMinute: 100, timeScale: 100, deliveries });
    let app: ChaosApp | undefined;
    try {
      const addresses = { CLICKUP_API_URL: tool.apiUrl, CLICKUP_AUTHORIZE_URL: tool.authorizeUrl };
      app = await ChaosApp.start({ ...addresses, TASK_TOOL_TIMEOUT_MS: '1500', SYNC_LEASE_MS: '2000' }, options);
      await connectDemo(app.publicUrl, admin);
      const sync = new TaskSync(app, tool, await signedIn(app, admin.email));
      await untilPasses(() => sync.expectNoPendingWork());
      return sync;
    } catch (error) {
      await app?.stop();
      await tool.close();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await this.tool.close();
  }

  // Actions

  async open(subject: string, more: object = {}): Promise<string | undefined> {
    const body = { subject, description: `What ${subject} is about`, customer_email: 'sync@example.com', ...more };
    return (await this.app.create<{ id: string }>('/tickets', body, this.headers))?.id;
  }
  change(id: string, changes: object): Promise<unknown> {
    return this.app.send('PATCH', `/tickets/${id}`, changes, this.headers);
  }
  addComment(id: string, content: string, is_internal = false): Promise<unknown> {
    return this.app.create(`/tickets/${id}/comments`, { content, is_internal }, this.headers);
  }
  async member(email: string): Promise<string> {
    const answer = await fetch(`${this.app.api}/team/members`, { headers: this.headers });
    const { data } = (await answer.json()) as { data: { user_id: string; email: string }[] };
    return data.find((member) => member.email === email)!.user_id;
  }

  /** Makes the next check of all lists due, as if a quarter of an hour had passed. */
  async makeChecksDue(): Promise<void> {
    await this.app.rows('integrations', 'update integrations set next_check_at = now()', []);
  }

  // State

  /** The task with the ticket's address in its description. Throws unless there is exactly one. */
  taskOf(id: string): Task {
    return taskIn(this.tasksByTicket(), id);
  }

  /** The tasks by the tickets whose addresses are in their descriptions. */
  private tasksByTicket(): Map<string, Task[]> {
    const found = new Map<string, Task[]>();
    for (const task of this.tool.tasks(list)) {
      const ids = new Set([...task.description.matchAll(/\/tickets\/([\da-f-]{36})/g)].map(([, id]) => id!));
      for (const id of ids) found.set(id, [...(found.get(id) ?? []), task]);
    }
    return found;
  }

  /** The tickets of a scenario by id, with the help desk's values. */
  async ticketSides(scenario: string): Promise<Map<string, Side>> {
    const rows = await this.app.rows<TicketRow>(
      'tickets',
      `select t.id, t.subject, t.status, t.priority, t.tags, m.email as assignee, t.task_finished_at is not null as is_finished,
        array(select content from comments c where c.ticket_id = t.id and not c.is_internal) as "fromTicket",
        array(select content from comments c where c.ticket_id = t.id and c.tool_author is not null) as "fromTask"
      from tickets t left join members m on m.organization_id = t.organization_id and m.user_id = t.assigned_to where t.description like $1`,
      [`What ${scenario} %`],
    );
    return new Map(rows.map((row) => [row.id, sideOf(row)]));
  }

  /** The tasks, by ticket id. A task without a ticket, or two tasks of one ticket, are failures. */
  taskSides(ids: string[]): Map<string, Side> {
    const tasks = this.tasksByTicket();
    return new Map(ids.map((id) => [id, this.taskSide(taskIn(tasks, id))]));
  }

  /** Every ticket of the scenario has one task with the same values; nothing is pending, and no internal note has reached the task tool. */
  async expectInSync(scenario: string): Promise<void> {
    await untilPasses(async () => {
      const tickets = await this.ticketSides(scenario);
      expect(this.tool.tasks(list).filter(({ description }) => description.includes(`What ${scenario} `)).length).toBe(tickets.size);
      const tasks = this.taskSides([...tickets.keys()]);
      expect([...tickets]).toEqual([...tasks]);
      await this.expectNoPendingWork();
    });
    expect(JSON.stringify(this.tool.save())).not.toContain(secret);
    expect(this.tool.violations).toEqual([]);
  }

  /** No sync is pending, all events are published and none is a dead letter. */
  async expectNoPendingWork(): Promise<void> {
    const [waiting] = await this.app.rows(
      'integrations',
      `select (select count(*)::int from links where next_sync_at is not null or pending_comment_ids <> '{}') as links,
        (select count(*)::int from links where state not in ('linked', 'unlinked')) as not_linked,
        (select count(*)::int from comment_links where state in ('pending', 'failed')) as comments,
        (select count(*)::int from inbound_webhooks where state <> 'done') as webhooks`,
      [],
    );
    expect(waiting).toEqual({ links: 0, not_linked: 0, comments: 0, webhooks: 0 });
    for (const database of ['tickets', 'integrations']) {
      const [found] = await this.app.rows(
        database,
        `select (select count(*)::int from outbox where published_at is null) as unsent, (select count(*)::int from dead_letters) as dead`,
        [],
      );
      expect([database, found]).toEqual([database, { unsent: 0, dead: 0 }]);
    }
  }

  /** Integrations has received the tickets' current state, and this many public comments. */
  async expectCopied(scenario: string, comments: number): Promise<void> {
    const columns = 'id, subject, status, priority, tags';
    const fromTicket = await this.app.rows('tickets', `select ${columns} from tickets where description like $1 order by id`, [
      `What ${scenario} %`,
    ]);
    const fromTask = await this.app.rows(
      'integrations',
      `select ${columns.replace('id', 'ticket_id as id')} from ticket_copies where description like $1 order by ticket_id`,
      [`What ${scenario} %`],
    );
    expect(fromTask).toEqual(fromTicket);
    const [{ n } = { n: 0 }] = await this.app.rows<{ n: number }>(
      'integrations',
      `select count(*)::int as n from comment_links where state = 'pending'`,
      [],
    );
    expect(n).toBe(comments);
  }

  private taskSide(task: Task): Side {
    const [assignee] = task.assignees.map((id) => this.emails.get(id)!);
    const comments = this.tool.comments(task.id).map(({ text }) => text);
    return {
      title: task.name,
      status: task.status,
      priority: task.priority,
      assignee: assignee ?? null,
      tags: sorted(task.tags),
      fromTicket: sorted(comments.filter((text) => ourMark.test(text)).map((text) => text.replace(ourMark, '').replace(/^.*?: /, ''))),
      fromTask: sorted(comments.filter((text) => !ourMark.test(text))),
    };
  }

  private get emails(): Map<number, string> {
    return new Map(['admin', 'manager', 'agent'].map((name) => [this.tool.user(`${name}@demo.test`).id, `${name}@demo.test`]));
  }
}

function taskIn(tasks: Map<string, Task[]>, id: string): Task {
  const found = tasks.get(id) ?? [];
  expect([id, found.length]).toEqual([id, 1]);
  return found[0]!;
}

/** Part of every internal note in these scenarios; must never appear in the task tool. */
export const secret = 'not for the task tool';

/** A finished task does not change its ticket's status; the ticket then waits until staff inform the customer. */
function sideOf({ subject, status, priority, tags, assignee, is_finished, fromTicket, fromTask }: TicketRow): Side {
  const waits = is_finished && !done.includes(statuses[status]);
  return {
    title: subject,
    status: waits ? 'Complete' : statuses[status],
    priority: priorities[priority],
    assignee,
    tags: sorted(tags),
    fromTicket: sorted(fromTicket),
    fromTask: sorted(fromTask),
  };
}

/** Runs the functions in order, at most `concurrency` at the same time. */
export async function withConcurrency(works: (() => Promise<unknown>)[], concurrency = 8): Promise<void> {
  const waiting = [...works];
  const worker = async () => {
    for (let work = waiting.shift(); work; work = waiting.shift()) await work();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
