import { createHmac } from 'node:crypto';
import { receiveWebhook, systemContext } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { signContext } from '@tandem/platform';
import { eventually } from '@tandem/testing';
import type { Insertable } from 'kysely';
import type { IntegrationRow, IntegrationsSchema } from '../src/schema';
import { webhookSecretPurpose } from '../src/pull/webhook';
import type { IntegrationsUnderTest, TestOrganization } from './integrations';

const secret = 'the-secret-of-this-list';
type Options = { signature?: string; provider?: string; signedWith?: string };
export const seconds = (n: number) => new Date(Date.UTC(2026, 10, 22) + n * 1_000).toISOString();
export const taskWebhook = (task_id: string, second: number, event = 'taskStatusUpdated', item: object = { field: 'status' }) =>
  JSON.stringify({ event, task_id, webhook_id: 'w', history_items: [{ id: newId(), date: String(Date.parse(seconds(second))), ...item }] });
export const commented = (task_id: string, second: number, id: string) =>
  taskWebhook(task_id, second, 'taskCommentPosted', { field: 'comment', after: id, comment: { id } });
/** Delivers webhooks to the service under test and reads the results. */
export function webhooksTo(integrations: IntegrationsUnderTest) {
  /** The integration is paused, so that due work stays due while a test checks it. */
  async function aListener(overrides: Parameters<IntegrationsUnderTest['anIntegration']>[1] = {}) {
    const organization = integrations.anOrganization();
    const connection = await integrations.aConnection(organization);
    const sealed_webhook_secret = integrations.secrets.seal(webhookSecretPurpose, secret);
    const paused = { is_active: false, pause_reason: 'by_hand' as const };
    const integration = await integrations.anIntegration(connection, { sealed_webhook_secret, webhook_id: 'w', ...paused, ...overrides });
    return { organization, connection, integration };
  }
  async function deliver(connection_id: string, body: string, { provider = 'clickup', signedWith = secret, ...options }: Options = {}) {
    const signature = options.signature ?? createHmac('sha256', signedWith).update(body).digest('hex');
    const path = receiveWebhook.path.replace(':provider', provider).replace(':connectionId', connection_id);
    const response = await fetch(`${integrations.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-tandem-context': signContext(systemContext(null, newId()), integrations.env.CONTEXT_SECRET!),
      },
      body: JSON.stringify({ headers: { 'x-signature': signature }, body_base64: Buffer.from(body).toString('base64') }),
    });
    return { status: response.status, answer: (await response.json()) as { code?: string; data?: { stored: boolean } } };
  }
  const stored = (organization: TestOrganization) =>
    integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('inbound_webhooks').select(['id', 'state', 'event', 'task_id', 'last_error']).orderBy('received_at').execute(),
    );
  const allDone = (organization: TestOrganization, count: number) =>
    eventually(async () => {
      const rows = await stored(organization);
      expect(rows).toHaveLength(count);
      expect(rows.filter(({ state }) => state === 'stored')).toEqual([]);
    });
  const aLink = (integration: IntegrationRow, overrides: Partial<Insertable<IntegrationsSchema['links']>> = {}) =>
    integrations.aLink(integration, { task_id: newId(), task_read_at: seconds(10), ...overrides });
  return { aListener, deliver, stored, allDone, aLink };
}
