import {
  systemContext,
  type Actor,
  type DataOf,
  type Envelope,
  type taskChangeProposed,
  type taskCommentReceived,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { TaskConsumer } from '../src/task/task.consumer';
import { getTicket } from '../src/ticket/ticket.service';
import type { TestOrganization, TicketsUnderTest } from './tickets';

const consumer = new TaskConsumer();
const system: Actor = { type: 'system' };

/** Delivers integrations' events about an organization's tasks to the consumer. Sequences increase, unless a test sets one. */
export class TasksOf {
  #sequence = 0;
  constructor(
    private readonly tickets: TicketsUnderTest,
    private readonly organization: TestOrganization,
  ) {}

  linked(
    ticket: { id: string },
    { sequence, actor, ...task }: { sequence?: number; actor?: Actor; provider?: string; task_id?: string } = {},
  ) {
    const data = { ticket_id: ticket.id, provider: 'clickup', task_id: '86abc', url: 'https://app.clickup.com/t/86abc', ...task };
    return this.#bring(sequence, actor, (ctx, tx, envelope) => consumer.onLinked(ctx, data, tx, envelope));
  }
  unlinked(ticket: { id: string }, { sequence, actor }: { sequence?: number; actor?: Actor } = {}) {
    const data = { ticket_id: ticket.id, task_id: '86abc', reason: 'by_hand' as const };
    return this.#bring(sequence, actor, (ctx, tx, envelope) => consumer.onUnlinked(ctx, data, tx, envelope));
  }
  changed(
    ticket: { id: string },
    changes: DataOf<typeof taskChangeProposed>['changes'],
    finished: boolean | null = null,
    sequence?: number,
    outcome: DataOf<typeof taskChangeProposed>['outcome'] = 'finished',
  ) {
    const data = { ticket_id: ticket.id, tool_name: 'ClickUp', changes, finished, outcome };
    return this.#bring(sequence, system, (ctx, tx, envelope) => consumer.onChange(ctx, data, tx, envelope));
  }
  commented(ticket: { id: string }, overrides: Partial<DataOf<typeof taskCommentReceived>> = {}) {
    const comment = {
      external_id: newId(),
      author_name: 'Bea Builder',
      content: 'The part is ordered.',
      written_at: '2030-01-01T00:00:00.000Z',
    };
    const data = { ticket_id: ticket.id, tool_name: 'ClickUp', ...comment, ...overrides };
    return this.#bring(undefined, system, (ctx, tx) => consumer.onComment(ctx, data, tx));
  }

  /** The current ticket. */
  now(ticket: { id: string }): Promise<Ticket> {
    return this.tickets.db.forTenant({ organization_id: this.organization.id }, (tx) => getTicket(tx, ticket.id));
  }

  #bring(
    sequence: number | undefined,
    actor: Actor = system,
    work: (ctx: ReturnType<typeof systemContext>, tx: Parameters<TaskConsumer['onComment']>[2], envelope: Envelope) => Promise<void>,
  ) {
    this.#sequence += 1;
    const envelope = { sequence: sequence ?? this.#sequence, actor, time: new Date().toISOString() } as Envelope;
    const ctx = systemContext(this.organization.id, 'test');
    return this.tickets.db.forTenant(ctx, (tx) => work(ctx, tx, envelope));
  }
}
