import type { Ticket } from '@tandem/contracts';
import { eventually, onTestFileEnd } from '@tandem/testing';
import type { ClickUpSandboxOptions, LoggedRequest } from '@tandem/sandbox';
import type { ConnectionRow, IntegrationRow, LinkRow } from '../src/schema';
import { IntegrationsUnderTest, type TestOrganization } from './integrations';
import { FakeTickets } from './tickets';

type Overrides = NonNullable<Parameters<IntegrationsUnderTest['anIntegration']>[1]>;
export interface Fixture {
  organization: TestOrganization;
  connection: ConnectionRow;
  integration: IntegrationRow;
  list: string;
}

/** The running service with its sandbox and the fake tickets service. */
export class SyncFixture {
  private constructor(
    readonly integrations: IntegrationsUnderTest,
    readonly tickets: FakeTickets,
  ) {}

  static async open(overrides: Record<string, string> = {}, clickup: ClickUpSandboxOptions = {}): Promise<SyncFixture> {
    const integrations = await IntegrationsUnderTest.start({ SWEEP_MS: '300', ...overrides }, clickup);
    onTestFileEnd(() => integrations.close());
    return new SyncFixture(integrations, FakeTickets.start(integrations));
  }

  #lists = 0;
  /** An organization with an integration for a separate list, whose webhooks are delivered to the service. */
  async aFixture(overrides: Overrides & { token?: string } = {}): Promise<Fixture> {
    const { token, ...settings } = overrides;
    const organization = this.integrations.anOrganization();
    const connection = await this.integrations.aConnection(organization, token === undefined ? {} : { token });
    this.#lists += 1;
    const list = this.integrations.clickup.addList('Support', `List ${this.#lists}`).name;
    const integration = await this.integrations.anIntegration(connection, { list, next_check_at: new Date().toISOString(), ...settings });
    if (settings.next_check_at === undefined)
      await eventually(async () => {
        const [looked] = await this.integrations.findIntegrations(organization);
        expect(looked).toMatchObject({ webhook_state: 'active' });
        // The first reconciliation is over, so every call from now on is caused by the test.
        expect(Date.parse(looked!.next_check_at)).toBeGreaterThan(Date.now() + 60_000);
      });
    return { organization, connection, integration, list };
  }

  /** The link of a ticket once the ticket's changes have arrived and it has no more work due. */
  whenSynced({ organization }: Pick<Fixture, 'organization'>, { id }: Pick<Ticket, 'id'>): Promise<LinkRow & { task_id: string }> {
    return eventually(async () => {
      expect(await this.integrations.hasArrived(organization, id)).toBe(true);
      const link = await this.integrations.findLink(organization, id);
      expect(link).toMatchObject({ state: 'linked', next_sync_at: null, task_id: expect.any(String) as string });
      return link as LinkRow & { task_id: string };
    });
  }

  /** A ticket with its task, after all their events are processed and with an empty call log. */
  async aLinkedTicket(fixture: Fixture, overrides: Partial<Ticket> = {}): Promise<{ ticket: Ticket; task_id: string }> {
    const ticket = await this.tickets.create(fixture.organization, overrides);
    const { task_id } = await this.whenSynced(fixture, ticket);
    await this.whenIdle(fixture, ticket);
    this.integrations.clickup.clearLog();
    return { ticket, task_id };
  }

  /** Waits until every webhook has been delivered and processed. */
  async whenIdle(fixture: Fixture, ticket: Pick<Ticket, 'id'>): Promise<void> {
    await this.integrations.clickup.deliveriesSettled();
    await eventually(async () => {
      const unread = await this.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
        tx.selectFrom('inbound_webhooks').select('id').where('state', '=', 'stored').execute(),
      );
      expect(unread).toEqual([]);
    });
    await this.whenSynced(fixture, ticket);
  }

  /** The calls to the task tool since the log was cleared: `PUT /v2/task/{task_id}`. */
  get calls(): string[] {
    return this.#callsIn(this.integrations.clickup.requests);
  }

  /** Those of one connection: the broken ones of earlier tests are probed after a minute. */
  callsWith(token: string): string[] {
    return this.#callsIn(this.integrations.clickup.requests.filter(({ authorization }) => authorization?.endsWith(token)));
  }

  #callsIn(requests: readonly Pick<LoggedRequest, 'method' | 'route'>[]): string[] {
    return requests.map(({ method, route }) => `${method} ${route}`);
  }

  /** The changes that tasks sent to a ticket. */
  changesSentTo({ id }: Pick<Ticket, 'id'>): Record<string, unknown>[] {
    return this.tickets.received.filter(({ ticket_id }) => ticket_id === id).map(({ changes }) => changes);
  }
}

export const mapping = (field_mappings: object): { field_mappings: string } => ({ field_mappings: JSON.stringify(field_mappings) });
