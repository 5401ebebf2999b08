import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@tandem/testing';
import { SyncFixture } from '../../test/sync-fixture';
import { refreshTokenPurpose, tokenPurpose } from '../connection/connection';
import type { TaskTool } from '../provider/task-tool';
import { refreshIfDue } from './refresh';
import { getTaskTool } from './tool-client';

let sync: SyncFixture;
const waiting: ServerResponse[] = [];
const server = createServer((_request, response) => void waiting.push(response));
beforeAll(async () => {
  sync = await SyncFixture.open();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

it('a token that expires soon is refreshed once for concurrent calls, and blocks no ticket in the meantime', async () => {
  const { secrets, db } = sync.integrations;
  const organization = sync.integrations.anOrganization();
  const connection = await sync.integrations.aConnection(organization, {
    sealed_refresh_token: secrets.seal(refreshTokenPurpose, 'old'),
    token_expires_at: new Date().toISOString(),
  });
  await sync.integrations.anIntegration(connection, { is_active: false });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tool: TaskTool = {
    ...getTaskTool('clickup'),
    refreshRequest: () => ({ url, headers: {}, body: {} }),
    readToken: () => ({ token: 'new', refresh_token: 'newer', expires_at: '2100-01-01T00:00:00.000Z' }),
  };
  const all = [1, 2, 3, 4].map(() => refreshIfDue({ db, secrets, settings: {} as never }, tool, connection));
  await eventually(() => expect(waiting).toHaveLength(1));
  const ticket = await sync.tickets.create(organization);
  await eventually(async () => {
    const copies = await db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('ticket_copies').select('ticket_id').execute(),
    );
    expect(copies).toEqual([{ ticket_id: ticket.id }]);
  });
  waiting[0]!.end('{}');
  for (const { connection: now } of await Promise.all(all)) expect(secrets.open(tokenPurpose, now.sealed_token!)).toBe('new');
  expect(waiting).toHaveLength(1);
  expect(await sync.integrations.findConnection(organization)).toMatchObject({ refresh_lease_until: null });
});
