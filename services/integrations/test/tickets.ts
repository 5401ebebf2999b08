import {
  Comment,
  customFieldChanged,
  systemContext,
  taskChangeProposed,
  taskChangeAcknowledged,
  ticketCommentAdded,
  ticketCreated,
  ticketUpdated,
  type Context,
  type CustomField,
  type DataOf,
  type Ticket,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, hasEmitted } from '@tandem/messaging';
import { onTestFileEnd, ticketOf } from '@tandem/testing';
import type { IntegrationsSchema } from '../src/schema';
import type { IntegrationsUnderTest, TestOrganization } from './integrations';

type Received = DataOf<typeof taskChangeProposed>;
/** The ticket fields that a task may change. */
type Held = Partial<Ticket> & { assignee_email?: string | null };

/** Replaces the tickets service: emits its events and accepts changes from tasks as that service does. */
export class FakeTickets {
  readonly #tickets = new Map<string, Ticket>();
  /** Fields that every ticket refuses, with the reason. */
  readonly refusals = new Map<string, string>();
  /** The changes received from tasks, in order. */
  readonly received: Received[] = [];
  #isPaused = false;
  /** While true, received changes are lost: neither applied nor answered. */
  dropsChanges = false;
  /** The tickets of the lost changes. */
  readonly lost: string[] = [];
  #answered = 0;
  #timer: NodeJS.Timeout | undefined;
  #answering: Promise<void> = Promise.resolve();
  #numbers = 0;

  private constructor(private readonly integrations: IntegrationsUnderTest) {}

  static start(integrations: IntegrationsUnderTest): FakeTickets {
    const tickets = new FakeTickets(integrations);
    const unsubscribe = tickets.#database.onCommit((tx) => {
      if (hasEmitted(tx)) tickets.#schedule();
    });
    onTestFileEnd(() => {
      unsubscribe();
      return tickets.close();
    });
    return tickets;
  }

  async close(): Promise<void> {
    this.isPaused = true;
    clearTimeout(this.#timer);
    await this.#answering;
  }

  /** While true, no change is answered. */
  get isPaused(): boolean {
    return this.#isPaused;
  }
  set isPaused(isPaused: boolean) {
    this.#isPaused = isPaused;
    if (!isPaused) this.#schedule();
  }

  /** After a commit with events, which may have proposed a change; commits of the next 20 ms are answered together. */
  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#answering = this.#answering.then(() => this.#answerAll()).catch(() => this.#schedule());
    }, 20);
  }

  get(ticket_id: string): Ticket {
    return structuredClone(this.#tickets.get(ticket_id)!);
  }

  async create(organization: TestOrganization, overrides: Partial<Ticket> = {}): Promise<Ticket> {
    this.#numbers += 1;
    const at = new Date().toISOString();
    const numbered = { ticket_number: `ACM-${String(this.#numbers).padStart(4, '0')}`, description: 'It began at noon.' };
    const ticket = ticketOf(organization.id, { ...numbered, customer_name: 'Carla', created_at: at, updated_at: at, ...overrides });
    this.#tickets.set(ticket.id, ticket);
    await this.#publish(ticket, (tx, ctx) => emit(tx, ctx, ticketCreated, ticket.id, { ticket }));
    return structuredClone(ticket);
  }

  async change(ticket_id: string, changes: Partial<Ticket>): Promise<Ticket> {
    const ticket = { ...this.#tickets.get(ticket_id)!, ...changes, updated_at: new Date().toISOString() };
    this.#tickets.set(ticket_id, ticket);
    await this.#publish(ticket, (tx, ctx) => emit(tx, ctx, ticketUpdated, ticket_id, { ticket, changes: {} }));
    return structuredClone(ticket);
  }

  /** Defines a custom field, or changes the one with this key. */
  async defineField(organization: TestOrganization, overrides: Partial<CustomField> & Pick<CustomField, 'key' | 'label'>): Promise<void> {
    await this.#publishField(organization, 'updated', { ...this.#fieldOf(organization, overrides.key), ...overrides });
  }

  async deleteField(organization: TestOrganization, key: string): Promise<void> {
    await this.#publishField(organization, 'deleted', this.#fieldOf(organization, key));
  }

  readonly #fields = new Map<string, CustomField>();
  #fieldOf(organization: TestOrganization, key: string): CustomField {
    const type = 'text' as const;
    const isNew = { id: newId(), key, type, label: key, options: [], categories: [], form: 'hidden' as const, shown_to_customers: false };
    const none = { set_by_widget: false, required_to_resolve: false, translations: {}, hint: null, position: 1, deleted_at: null };
    return this.#fields.get(organization.id + key) ?? { ...isNew, ...none, updated_at: new Date().toISOString() };
  }
  #publishField(organization: TestOrganization, what: DataOf<typeof customFieldChanged>['what'], field: CustomField): Promise<void> {
    this.#fields.set(organization.id + field.key, field);
    return this.#publish({ organization_id: organization.id }, (tx, ctx) =>
      emit(tx, ctx, customFieldChanged, field.id, { what, field, changes: {} }),
    );
  }

  async assign(ticket_id: string, email: string | null): Promise<void> {
    const user_id = newId();
    const assignee = email === null ? null : { user_id, first_name: 'Priya', last_name: null, email };
    await this.change(ticket_id, { assigned_to: email === null ? null : user_id, assignee });
  }

  async comment(ticket_id: string, content: string, overrides: Partial<Comment> = {}): Promise<Comment> {
    const ticket = this.#tickets.get(ticket_id)!;
    const comment: Comment = {
      ...Comment.parse({
        id: newId(),
        ticket_id,
        content,
        is_internal: false,
        is_from_customer: false,
        user_id: newId(),
        customer_email: null,
        author: { first_name: 'Priya', last_name: 'Raman' },
        created_at: new Date().toISOString(),
      }),
      ...overrides,
    };
    await this.#publish(ticket, (tx, ctx) => emit(tx, ctx, ticketCommentAdded, ticket_id, { comment, ticket }));
    return comment;
  }

  /** In one transaction of the service's own database: the relay sends the event after the commit. */
  #publish(ticket: Pick<Ticket, 'organization_id'>, work: (tx: Parameters<typeof emit>[0], ctx: Context) => Promise<void>): Promise<void> {
    const ctx = systemContext(ticket.organization_id, newId());
    return this.#database.forTenant(ctx, (tx) => work(tx, ctx));
  }

  get #database(): Database<IntegrationsSchema> {
    return this.integrations.app.get<Database<IntegrationsSchema>>(Database);
  }

  async #answerAll(): Promise<void> {
    if (this.isPaused) return;
    for (const { data } of await this.integrations.eventsOfType(taskChangeProposed.type, this.#answered)) {
      if (this.isPaused) return;
      this.#answered += 1;
      if (this.dropsChanges) {
        this.lost.push((data as Received).ticket_id);
        continue;
      }
      this.received.push(data as Received);
      if (this.#tickets.has((data as Received).ticket_id)) await this.#take(data as Received);
    }
  }

  async #take({ ticket_id, changes }: Received): Promise<void> {
    const ticket = this.#tickets.get(ticket_id)!;
    const held: Held = { ...ticket, assignee_email: ticket.assignee?.email ?? null };
    const refused: Record<string, string> = {};
    const taken: Held = {};
    for (const [field, change] of Object.entries(changes)) {
      const reason = this.refusals.get(field);
      if (reason !== undefined) refused[field] = reason;
      else if (JSON.stringify(held[field as keyof Held]) !== JSON.stringify(change.from)) refused[field] = 'It has changed in the meantime';
      else Object.assign(taken, { [field]: change.to });
    }
    const { assignee_email, ...rest } = taken;
    const assignee =
      assignee_email === undefined
        ? {}
        : { assignee: assignee_email === null ? null : { user_id: newId(), first_name: null, last_name: null, email: assignee_email } };
    const after: Ticket = { ...ticket, ...rest, ...assignee, updated_at: new Date().toISOString() };
    this.#tickets.set(ticket_id, after);
    await this.#publish(after, async (tx, ctx) => {
      const tool: Context = { ...ctx, actor: { type: 'task-tool' } };
      if (Object.keys(taken).length > 0) await emit(tx, tool, ticketUpdated, ticket_id, { ticket: after, changes: {} });
      await emit(tx, tool, taskChangeAcknowledged, ticket_id, { ticket: after, accepted: Object.keys(taken), refused });
    });
  }
}
