import {
  articleCategoryChanged,
  articleChanged,
  importChanged,
  mailboxChanged,
  slaDefaults,
  customFieldChanged,
  ruleChanged,
  slaPolicyChanged,
  systemContext,
  webhookEndpointChanged,
  taskToolChanged,
  type ArticleCategory,
  type ArticleSummary,
  type Context,
  type CustomField,
  type DataOf,
  type SlaPolicy,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { eventually } from '@tandem/testing';
import { asPerson, client, IdentityUnderTest } from '../../test/identity';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

const aPolicy = (organization_id: string): SlaPolicy => ({
  ...slaDefaults,
  id: newId(),
  organization_id,
  name: 'Standard',
  priority_level: 'medium',
  created_at: '2026-11-20T10:00:00.000Z',
});
const lines = (organization_id: string) =>
  identity.db.forTenant({ organization_id }, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['type', 'category', 'actor_id', 'actor_email', 'target', 'changes', 'ip', 'user_agent'])
      .orderBy('id')
      .execute(),
  );
const announce = (ctx: Context, data: DataOf<typeof slaPolicyChanged>) =>
  identity.db.forTenant(ctx, (tx) => emit(tx, ctx, slaPolicyChanged, data.policy.id, data));

it('records who created, changed and deleted an SLA policy, in that organization', async () => {
  const organization_id = newId();
  const person = await identity.aPerson();
  const admin = asPerson(person, { organization_id, role: 'admin' });
  const policy = aPolicy(organization_id);
  const changes = { response_time_hours: { from: 24, to: 8 } };
  await announce(admin, { what: 'created', policy, changes: {} });
  await announce(admin, { what: 'updated', policy, changes });
  await announce(admin, { what: 'deleted', policy, changes: {} });
  const line = { category: 'settings', actor_id: person.user_id, actor_email: person.email, target: 'Standard', ...client };
  await eventually(async () =>
    expect(await lines(organization_id)).toEqual([
      { ...line, type: 'sla_policy.created', changes: null },
      { ...line, type: 'sla_policy.updated', changes },
      { ...line, type: 'sla_policy.deleted', changes: null },
    ]),
  );
});

it('records the name of an API token, but no user', async () => {
  const organization_id = newId();
  const ctx: Context = {
    organization_id,
    request_id: 'test',
    actor: { type: 'token', token_id: newId(), name: 'Importer', permissions: [], via: 'api' },
  };
  await announce(ctx, { what: 'created', policy: aPolicy(organization_id), changes: {} });
  await eventually(async () =>
    expect(await lines(organization_id)).toMatchObject([{ type: 'sla_policy.created', actor_id: null, actor_email: 'API · Importer' }]),
  );
});

it('records who connected and disconnected a mailbox, with user name and server', async () => {
  const organization_id = newId();
  const person = await identity.aPerson();
  const admin = asPerson(person, { organization_id, role: 'admin' });
  const mailbox = { username: 'desk@acme.test', host: 'imap.acme.test' };
  // The same mailbox id, because only events of one subject are delivered in order.
  const mailbox_id = newId();
  for (const what of ['connected', 'disconnected'] as const)
    await identity.db.forTenant(admin, (tx) => emit(tx, admin, mailboxChanged, mailbox_id, { what, ...mailbox }));
  const line = { category: 'settings', actor_email: person.email, target: 'desk@acme.test at imap.acme.test', ...client };
  await eventually(async () =>
    expect(await lines(organization_id)).toMatchObject([
      { ...line, type: 'mailbox.connected' },
      { ...line, type: 'mailbox.disconnected' },
    ]),
  );
});

it('records who connected a task tool, created, changed and deleted an integration, and disconnected', async () => {
  const organization_id = newId();
  const person = await identity.aPerson();
  const admin = asPerson(person, { organization_id, role: 'admin' });
  const changes = { 'status_mappings.closed': { from: 'Closed', to: null } };
  const taskToolChanges: DataOf<typeof taskToolChanged>[] = [
    { what: 'task_tool.connected', target: 'ClickUp (Grace)', changes: { account: { from: 'Ada', to: 'Grace' } } },
    { what: 'integration.created', target: 'ClickUp, Northwind / Support', changes: {} },
    { what: 'integration.updated', target: 'ClickUp, Northwind / Support', changes },
    { what: 'integration.deleted', target: 'ClickUp, Northwind / Support', changes: {} },
    { what: 'task_tool.disconnected', target: 'ClickUp (Grace)', changes: {} },
  ];
  // The same subject, because only its events are delivered in order.
  const subject = newId();
  for (const data of taskToolChanges) await identity.db.forTenant(admin, (tx) => emit(tx, admin, taskToolChanged, subject, data));
  const line = { category: 'settings', actor_id: person.user_id, actor_email: person.email, ...client };
  await eventually(async () =>
    expect(await lines(organization_id)).toEqual(
      taskToolChanges.map(({ what, target, changes }) => ({
        ...line,
        type: what,
        target,
        changes: Object.keys(changes).length > 0 ? changes : null,
      })),
    ),
  );
});

it('records who created, changed and deleted a webhook endpoint, with its URL', async () => {
  const organization_id = newId();
  const person = await identity.aPerson();
  const admin = asPerson(person, { organization_id, role: 'admin' });
  const endpoint = { id: newId(), url: 'https://example.com/hook', state: 'active' as const };
  const changes = { state: { from: 'active', to: 'paused' } };
  for (const data of [
    { what: 'created', endpoint, changes: {} },
    { what: 'updated', endpoint, changes },
    { what: 'secret_rotated', endpoint, changes: {} },
    { what: 'disabled', endpoint, changes: {} },
    { what: 'deleted', endpoint, changes: {} },
  ] as const)
    await identity.db.forTenant(admin, (tx) => emit(tx, admin, webhookEndpointChanged, endpoint.id, data));
  const line = { category: 'settings', actor_email: person.email, target: endpoint.url, ...client };
  await eventually(async () =>
    expect(await lines(organization_id)).toMatchObject([
      { ...line, type: 'webhook_endpoint.created', changes: null },
      { ...line, type: 'webhook_endpoint.updated', changes },
      { ...line, type: 'webhook_endpoint.secret_rotated' },
      { ...line, type: 'webhook_endpoint.disabled' },
      { ...line, type: 'webhook_endpoint.deleted' },
    ]),
  );
});

it('records who changed a rule and which one the system turned off, with its name', async () => {
  const organization_id = newId();
  const person = await identity.aPerson();
  const admin = asPerson(person, { organization_id, role: 'admin' });
  const rule = { id: newId(), name: 'Refunds to Ada' };
  const changes = { stops: { from: false, to: true } };
  const off = { is_active: { from: true, to: false } };
  const emitAs = (ctx: Context, data: DataOf<typeof ruleChanged>) =>
    identity.db.forTenant(admin, (tx) => emit(tx, ctx, ruleChanged, rule.id, data));
  for (const what of ['created', 'updated', 'reordered', 'deleted'] as const) await emitAs(admin, { what, rule, changes });
  await emitAs(systemContext(organization_id, newId()), { what: 'disabled', rule, changes: off });
  const line = { category: 'settings', actor_email: person.email, target: rule.name, ...client };
  await eventually(async () =>
    expect(await lines(organization_id)).toMatchObject([
      { ...line, type: 'rule.created', changes },
      { ...line, type: 'rule.updated', changes },
      { ...line, type: 'rule.reordered' },
      { ...line, type: 'rule.deleted' },
      { type: 'rule.disabled', actor_email: null, target: rule.name, changes: off },
    ]),
  );
});

it('records who changed a custom field, with its label', async () => {
  const organization_id = newId();
  const person = await identity.aPerson();
  const admin = asPerson(person, { organization_id, role: 'admin' });
  const field: CustomField = {
    id: newId(),
    key: 'product',
    type: 'text',
    label: 'Product',
    hint: null,
    options: [],
    categories: [],
    form: 'required',
    shown_to_customers: false,
    set_by_widget: false,
    required_to_resolve: false,
    translations: {},
    position: 1,
    deleted_at: null,
    updated_at: '2026-11-27T11:00:00.000Z',
  };
  const changes = { form: { from: 'hidden', to: 'required' } };
  const whats = ['created', 'updated', 'reordered', 'deleted', 'restored'] as const;
  for (const what of whats) {
    const data = { what, field, changes: what === 'updated' ? changes : {} };
    await identity.db.forTenant(admin, (tx) => emit(tx, admin, customFieldChanged, field.id, data));
  }
  const line = { category: 'settings', actor_email: person.email, target: 'Product', ...client };
  await eventually(async () =>
    expect(await lines(organization_id)).toMatchObject(
      whats.map((what) => ({ ...line, type: `custom_field.${what}`, ...(what === 'updated' && { changes }) })),
    ),
  );
});

it('records who published, unpublished, deleted or restored an article, with its title', async () => {
  const organization_id = newId();
  const person = await identity.aPerson();
  const manager = asPerson(person, { organization_id, role: 'manager' });
  const article: ArticleSummary = {
    id: newId(),
    number: 1,
    title: 'Refund a payment',
    summary: null,
    language: 'en',
    category_id: null,
    visibility: 'public',
    state: 'published',
    has_unpublished_changes: false,
    published_title: 'Refund a payment',
    published_at: '2026-11-27T11:00:00.000Z',
    updated_at: '2026-11-27T11:00:00.000Z',
    updated_by: null,
    deleted_at: null,
  };
  const whats = ['published', 'unpublished', 'deleted', 'restored'] as const;
  for (const what of whats) await identity.db.forTenant(manager, (tx) => emit(tx, manager, articleChanged, article.id, { what, article }));
  const line = { category: 'settings', actor_email: person.email, target: 'Refund a payment', ...client };
  await eventually(async () =>
    expect(await lines(organization_id)).toMatchObject(whats.map((what) => ({ ...line, type: `article.${what}` }))),
  );
});

it('records who imported data, with the source and the number of tickets', async () => {
  const organization_id = newId();
  const person = await identity.aPerson();
  const admin = asPerson(person, { organization_id, role: 'admin' });
  const base = { source: 'zendesk' as const, name: 'export.zip' };
  for (const [what, tickets] of [['created', 0], ['started', 0], ['finished', 7]] as const)
    await identity.db.forTenant(admin, (tx) => emit(tx, admin, importChanged, newId(), { ...base, what, tickets })); // prettier-ignore
  const line = { category: 'settings', actor_email: person.email, target: 'export.zip (Zendesk)' };
  await eventually(async () =>
    expect((await lines(organization_id)).toSorted((a, b) => (a.type < b.type ? -1 : 1))).toMatchObject([
      { ...line, type: 'import.created' },
      { ...line, type: 'import.finished', changes: { tickets: { from: null, to: 7 } } },
      { ...line, type: 'import.started' },
    ]),
  );
});

it('records who changed a category of articles, with its name', async () => {
  const organization_id = newId();
  const person = await identity.aPerson();
  const manager = asPerson(person, { organization_id, role: 'manager' });
  const category: ArticleCategory = {
    id: newId(),
    number: 2,
    name: 'Billing',
    description: null,
    position: 1,
    article_count: 0,
    updated_at: '2026-11-27T11:00:00.000Z',
  };
  const changes = { name: { from: 'Payments', to: 'Billing' } };
  const whats = ['created', 'updated', 'reordered', 'deleted'] as const;
  for (const what of whats) {
    const data = { what, category, changes: what === 'updated' ? changes : {} };
    await identity.db.forTenant(manager, (tx) => emit(tx, manager, articleCategoryChanged, category.id, data));
  }
  const line = { category: 'settings', actor_email: person.email, target: 'Billing', ...client };
  await eventually(async () =>
    expect(await lines(organization_id)).toMatchObject(
      whats.map((what) => ({ ...line, type: `article_category.${what}`, ...(what === 'updated' && { changes }) })),
    ),
  );
});
