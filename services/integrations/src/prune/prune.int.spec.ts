import { newId } from '@tandem/db';
import { eventually } from '@tandem/testing';
import { IntegrationsUnderTest } from '../../test/integrations';

let integrations: IntegrationsUnderTest;
beforeAll(async () => (integrations = await IntegrationsUnderTest.start({ SWEEP_MS: '300' })));
afterAll(() => integrations?.close());

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

it('expired rows are deleted, and no others: log entries, processed webhooks, unfinished OAuth authorizations', async () => {
  const organization = integrations.anOrganization();
  const connection = await integrations.aConnection(organization);
  const { id: integration_id } = await integrations.anIntegration(connection);
  const organization_id = organization.id;
  await integrations.db.forTenant({ organization_id }, async (tx) => {
    const line = { organization_id, integration_id, level: 'info' as const };
    for (const days of [31, 29])
      await tx
        .insertInto('sync_log')
        .values({ ...line, id: newId(), message: `${days}`, created_at: ago(days) })
        .execute();
    for (const minutes of [-1, 1]) {
      const expires_at = new Date(Date.now() + minutes * 60_000).toISOString();
      await tx
        .insertInto('oauth_states')
        .values({ organization_id, state_hash: `${minutes}`, provider: 'clickup', user_id: organization.admin, expires_at })
        .execute();
    }
    const webhook = { organization_id, connection_id: connection.id, body: Buffer.from('{}') };
    for (const [state, days] of [
      ['done', 8],
      ['failed', 8],
      ['done', 6],
    ] as const) {
      const row = { ...webhook, id: newId(), fingerprint: `${state} ${days}`, state };
      await tx
        .insertInto('inbound_webhooks')
        .values({ ...row, received_at: ago(days) } as never)
        .execute();
    }
  });
  await eventually(async () => {
    const left = await integrations.db.forTenant({ organization_id }, async (tx) => ({
      log: (await tx.selectFrom('sync_log').select('message').execute()).map(({ message }) => message),
      states: (await tx.selectFrom('oauth_states').select('state_hash').execute()).map(({ state_hash }) => state_hash),
      webhooks: (await tx.selectFrom('inbound_webhooks').select('fingerprint').execute()).map(({ fingerprint }) => fingerprint),
    }));
    expect(left).toEqual({ log: ['29'], states: ['1'], webhooks: ['done 6'] });
  });
});
