import { createHmac } from 'node:crypto';
import { receiveWebhook, systemContext, type Context } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { Secrets, signContext, type RunningService } from '@tandem/platform';
import { customer, eventually, staff, startForTest, testEnv } from '@tandem/testing';
import { integrationsService } from '../integrations.module';
import type { IntegrationsSchema } from '../schema';
import { webhookSecretPurpose } from './webhook.service';

let env: Awaited<ReturnType<typeof testEnv>>;
let service: RunningService;
let db: Database<IntegrationsSchema>;

beforeAll(async () => {
  env = await testEnv({ SWEEP_MS: '300' });
  service = await startForTest(integrationsService, env);
  db = service.app.get<Database<IntegrationsSchema>>(Database);
});

const secret = 'the-secret-of-this-connection';
async function aConnection(): Promise<{ id: string; ctx: Context }> {
  const ctx = customer(newId());
  const id = newId();
  const sealed_webhook_secret = new Secrets(env.ENCRYPTION_KEYS!).seal(webhookSecretPurpose, secret);
  await db.forTenant(ctx, (tx) =>
    tx.insertInto('connections').values({ id, organization_id: ctx.organization_id, provider: 'clickup', sealed_webhook_secret }).execute(),
  );
  return { id, ctx };
}

async function deliver(connection_id: string, body: string, options: { signature?: string; provider?: string; ctx?: Context } = {}) {
  const signature = options.signature ?? createHmac('sha256', secret).update(body).digest('hex');
  const path = receiveWebhook.path.replace(':provider', options.provider ?? 'clickup').replace(':connectionId', connection_id);
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-tandem-context': signContext(options.ctx ?? systemContext(null, newId()), env.CONTEXT_SECRET!),
    },
    body: JSON.stringify({ headers: { 'x-signature': signature }, body_base64: Buffer.from(body).toString('base64') }),
  });
  return { status: response.status, answer: (await response.json()) as { code?: string; data?: { stored: boolean } } };
}
const stored = (ctx: Context) => db.forTenant(ctx, (tx) => tx.selectFrom('inbound_webhooks').selectAll().execute());
const about = (task_id: string) => JSON.stringify({ event: 'taskStatusUpdated', task_id, webhook_id: 'w' });

describe('an inbound webhook', () => {
  it('is verified, stored, answered and then worked on', async () => {
    const { id, ctx } = await aConnection();
    expect(await deliver(id, about('t1'))).toMatchObject({ status: 202, answer: { data: { stored: true } } });
    await eventually(async () => expect(await stored(ctx)).toMatchObject([{ state: 'done', event: 'taskStatusUpdated', task_id: 't1' }]));
  });

  it('is stored once however often it is delivered', async () => {
    const { id, ctx } = await aConnection();
    const answers = await Promise.all(Array.from({ length: 8 }, () => deliver(id, about('t2'))));
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(202));
    expect(answers.filter((answer) => answer.answer.data?.stored)).toHaveLength(1);
    expect(await stored(ctx)).toHaveLength(1);
  });

  it('with a wrong signature is refused with 400, never with 401 or 410, and leaves nothing', async () => {
    const { id, ctx } = await aConnection();
    expect(await deliver(id, about('t3'), { signature: 'f'.repeat(64) })).toMatchObject({
      status: 400,
      answer: { code: 'webhook.refused' },
    });
    expect(await stored(ctx)).toEqual([]);
  });

  it.each([
    ['an unknown connection', () => newId(), 'clickup'],
    ['an unknown task tool', () => newId(), 'constructor'],
  ])('for %s is not found', async (_case, connection, provider) => {
    expect(await deliver(connection(), about('t4'), { provider })).toMatchObject({ status: 404, answer: { code: 'task_tool.unknown' } });
  });

  it('may be as large as the gateway lets in', async () => {
    const { id, ctx } = await aConnection();
    const large = JSON.stringify({ event: 'taskUpdated', task_id: 'large', webhook_id: 'w', text: 'x'.repeat(5_000_000) });
    expect(await deliver(id, large)).toMatchObject({ status: 202 });
    await eventually(async () => expect(await stored(ctx)).toMatchObject([{ state: 'done', task_id: 'large' }]));
  });

  it('that makes no sense is kept, marked, and not tried again', async () => {
    const { id, ctx } = await aConnection();
    expect(await deliver(id, '{"auto_id":"an automation"}')).toMatchObject({ status: 202 });
    await eventually(async () => expect(await stored(ctx)).toMatchObject([{ state: 'failed', last_error: expect.any(String) as string }]));
  });

  it('whose job Redis forgot is worked on all the same', async () => {
    const { id, ctx } = await aConnection();
    await db.forTenant(ctx, (tx) =>
      tx
        .insertInto('inbound_webhooks')
        .values({ id: newId(), organization_id: ctx.organization_id!, connection_id: id, fingerprint: 'x', body: Buffer.from(about('t5')) })
        .execute(),
    );
    await eventually(async () => expect(await stored(ctx)).toMatchObject([{ state: 'done', task_id: 't5' }]), { timeoutMs: 20_000 });
  }, 30_000);

  it('is invisible to every other organization', async () => {
    const { id } = await aConnection();
    await deliver(id, about('t6'));
    expect(await stored(customer(newId()))).toEqual([]);
  });
});

describe('the list of task tools', () => {
  const list = (ctx: Context) =>
    fetch(`${service.url}/task-tool/providers`, { headers: { 'x-tandem-context': signContext(ctx, env.CONTEXT_SECRET!) } });

  it('is for admins', async () => {
    const answer = (await (await list(staff('admin'))).json()) as { data: { key: string }[] };
    expect(answer.data.map((tool) => tool.key)).toContain('clickup');
    expect((await list(staff('agent'))).status).toBe(403);
    expect((await list(customer(newId()))).status).toBe(401);
  });
});
