import { setTimeout as pause } from 'node:timers/promises';
import { untilPasses } from './ticketing.ts';
import type { TaskSync } from './task-sync.ts';

const list = 'Customer tickets';
const address = (id: string) => `/tickets/${id}`;
/** Errors of a repeated request whose first attempt took effect, but whose response was lost when the process was killed. */
const alreadyDone = ['task.already_linked', 'task.not_linked'];

export interface Ticket {
  id: string;
  ticket_number: string;
}

/** A task, and the tickets of different customers that share it. */
export class SharedTask {
  /** Linked tickets. */
  readonly tickets = new Set<Ticket>();
  /** Comments that people wrote on the task. Every ticket that is still linked was linked at that time. */
  readonly comments: string[] = [];

  private constructor(
    readonly sync: TaskSync,
    readonly scenario: string,
    private readonly integration_id: string,
    readonly task_id: string,
  ) {}

  /** Opens the tickets of a scenario without links. */
  static async open(sync: TaskSync, scenario: string, count: number): Promise<{ shared: SharedTask; tickets: Ticket[] }> {
    const [integration] = await sync.app.rows<{ id: string }>('integrations', 'select id from integrations', []);
    const rules = { create: 'none', categories: [], tags: [], priorities: [] };
    await sync.app.mustSend('PATCH', `/task-tool/integrations/${integration!.id}`, { rules }, sync.headers);
    const { id } = sync.tool.person.createTask(list, { name: `${scenario} bug` });
    for (let i = 0; i < count; i += 1) await sync.open(`${scenario} ${i}`, { customer_email: `customer${i}@example.com` });
    await untilPasses(() => sync.expectCopied(scenario, 0));
    const tickets = await sync.app.rows<Ticket>(
      'tickets',
      'select id, ticket_number from tickets where description like $1 order by created_at, id',
      [`What ${scenario} %`],
    );
    expect(tickets).toHaveLength(count);
    return { shared: new SharedTask(sync, scenario, integration!.id, id), tickets };
  }

  get description(): string {
    return this.sync.tool.task(this.task_id)!.description.replaceAll('\\', '');
  }

  async link(ticket: Ticket): Promise<void> {
    await this.repeatUntilAccepted('POST', ticket, { integration_id: this.integration_id, task: this.task_id });
    this.tickets.add(ticket);
  }
  async unlink(ticket: Ticket): Promise<void> {
    await this.repeatUntilAccepted('DELETE', ticket);
    this.tickets.delete(ticket);
  }
  comment(text: string): void {
    this.sync.tool.person.comment(this.task_id, text);
    this.comments.push(text);
  }

  /** The primary link of the task. Throws unless there is exactly one. */
  async primary(): Promise<Ticket> {
    const links = await this.sync.app.rows<{ ticket_id: string; is_primary: boolean; state: string }>(
      'integrations',
      `select ticket_id, is_primary, state from links where task_id = $1 and state <> 'unlinked'`,
      [this.task_id],
    );
    expect(links.map(({ ticket_id }) => ticket_id).sort()).toEqual([...this.tickets].map(({ id }) => id).sort());
    expect(links.filter(({ state }) => state !== 'linked')).toEqual([]);
    const primaries = links.filter(({ is_primary }) => is_primary);
    expect(primaries).toHaveLength(1);
    return [...this.tickets].find(({ id }) => id === primaries[0]!.ticket_id)!;
  }

  /** Starts `work`, and kills integrations while its first matching request to the task tool is in flight: the tool does not answer it. */
  async killWhileWriting(method: 'POST' | 'PUT', path: RegExp, work: () => Promise<unknown>): Promise<void> {
    const { faults } = this.sync.tool;
    faults.hang({ method, path });
    const working = work();
    await untilPasses(async () => expect(faults.waiting).toBe(0));
    await this.sync.app.killAndRestart('integrations');
    await working;
  }

  /**
   * Expects one primary, exactly the linked tickets in Tandem's lines, each comment of the task once on each linked ticket, and no
   * remaining work. `all` are the tickets of the scenario.
   */
  async expectInSync(all: Ticket[]): Promise<void> {
    const { sync, tickets } = this;
    await sync.makeChecksDue();
    await untilPasses(async () => {
      await sync.expectNoPendingWork();
      await this.primary();
      const { description } = this;
      expect(all.filter(({ id }) => description.includes(address(id)))).toEqual(all.filter((ticket) => tickets.has(ticket)));
      expect(description).toContain(`${tickets.size} customers in ${tickets.size} tickets`);
      expect(description.match(/Added by Tandem/g)).toHaveLength(1);
      const sides = await sync.ticketSides(this.scenario);
      const fromTask = [...tickets].map(({ id }) => [id, sides.get(id)!.fromTask]);
      expect(fromTask).toEqual([...tickets].map(({ id }) => [id, [...this.comments].sort()]));
    });
    expect(sync.tool.violations).toEqual([]);
  }

  /** Ids of the tickets that got the reminder, once for each reminder. */
  async reminders(): Promise<string[]> {
    const rows = await this.sync.app.rows<{ subject: string }>(
      'integrations',
      `select subject from outbox where type = 'task.change_proposed' and envelope -> 'data' ->> 'finished' = 'true' and subject = any($1) order by subject`,
      [[...this.tickets].map(({ id }) => id)],
    );
    return rows.map(({ subject }) => subject);
  }

  /** The number of comments on the task about the link of this ticket. */
  linkComments({ id }: Ticket): number {
    const comments = this.sync.tool.comments(this.task_id).map(({ text }) => text);
    return comments.filter((text) => text.startsWith('Linked to ticket') && text.includes(address(id))).length;
  }

  /** Repeats a request until the service has accepted it, because the process that answers it may have been killed. */
  private async repeatUntilAccepted(method: 'POST' | 'DELETE', { id }: Ticket, body?: object): Promise<void> {
    for (let rest = 240; rest > 0; rest -= 1, await pause(250)) {
      const answer = await fetch(`${this.sync.app.api}/tickets/${id}/task`, {
        method,
        headers: { ...this.sync.headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(15_000),
      }).catch(() => undefined);
      if (answer?.ok) return;
      if (!answer || answer.status >= 500) continue;
      const { code } = (await answer.json()) as { code: string };
      if (alreadyDone.includes(code)) return;
      expect([answer.status, code]).toEqual([429, expect.any(String)]);
    }
    throw new Error(`${method} of the task of ${id} was not accepted`);
  }
}
