import { IntegrationsUnderTest } from './integrations';

let integrations: IntegrationsUnderTest;
beforeAll(async () => (integrations = await IntegrationsUnderTest.start()));
afterAll(() => integrations?.close());

it('rows of the test fixtures match those that the service writes', async () => {
  const organization = integrations.anOrganization();
  const connection = await integrations.aConnection(organization);
  const integration = await integrations.anIntegration(connection);
  const ticket = await integrations.aTicketCopy(organization);
  const link = await integrations.aLink(integration, { ticket_id: ticket.ticket_id, task_id: 't1' });
  expect(integration.status_mappings).toEqual({
    open: 'To Do',
    in_progress: 'In Progress',
    waiting_for_customer: 'Review',
    resolved: 'Complete',
    closed: 'Closed',
  });
  expect(await integrations.findLink(organization, ticket.ticket_id)).toEqual(link);
  expect(await integrations.findConnection(integrations.anOrganization())).toBeUndefined();
});
