import { createMacro, deleteMacro, listMacros, macroLimits, updateMacro, type Macro } from '@tandem/contracts';
import { newId } from '@tandem/db';
import {
  aMember,
  asCustomer,
  asUserWithoutOrganization,
  asStaff,
  asToken,
  TicketsUnderTest,
  type TestOrganization,
} from '../../test/tickets';
import { saveMember } from '../projection/identity-projection.store';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let otherOrganization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  otherOrganization = await tickets.anOrganization();
});
afterAll(() => tickets?.close());
beforeEach(async () => {
  organization = await tickets.anOrganization();
});

const agent = () => asStaff(organization);
const list = async (ctx = agent()) => (await tickets.call<Macro[]>(listMacros, ctx)).data;
const create = (body: unknown, ctx = agent()) => tickets.call<Macro>(createMacro, ctx, { body });
const update = (id: string, body: unknown, ctx = agent()) => tickets.call<Macro>(updateMacro, ctx, { params: { id }, body });
const remove = (id: string, ctx = agent()) => tickets.call(deleteMacro, ctx, { params: { id } });
const aMacro = async (overrides: object = {}, ctx = agent()) =>
  (await create({ name: 'Thanks', content: 'Dear {{customer.name}}', ...overrides }, ctx)).data;

it('saves a canned reply with its changes, and lists it', async () => {
  const body = {
    name: ' Solve ', content: 'Dear {{ customer.name }},', translations: { de: 'Guten Tag {{customer.name}},' }, is_internal: false, is_shared: true,
    changes: { status: 'resolved', priority: 'low', assigned_to: organization.manager, tags: ['done'] },
  }; // prettier-ignore
  const { status, data } = await create(body);
  expect(status).toBe(201);
  expect(data).toEqual({ ...body, name: 'Solve', id: data.id, owner_id: organization.agent, updated_at: data.updated_at });
  expect(await list()).toEqual([data]);
});
it('saves a macro that only changes the ticket, including one that unassigns it', async () => {
  expect(await create({ name: 'Give back', changes: { assigned_to: null } })).toMatchObject({
    status: 201,
    data: { content: '', is_internal: false, is_shared: false, changes: { assigned_to: null } },
  });
});
it('lists own and shared macros by name, and no private ones of others', async () => {
  await aMacro({ name: 'beta' });
  await aMacro({ name: 'Alpha', is_shared: true }, asStaff(organization, 'admin'));
  await aMacro({ name: 'Private' }, asStaff(organization, 'admin'));
  await aMacro({ name: 'Elsewhere', is_shared: true }, asStaff(otherOrganization));
  const names = async (ctx = agent()) => (await list(ctx)).map(({ name }) => name);
  expect(await names()).toEqual(['Alpha', 'beta']);
  expect(await names(asStaff(organization, 'admin'))).toEqual(['Alpha', 'Private']);
});
it('returns all scripts, emoji and right-to-left text unchanged', async () => {
  const tag = '<script>alert("1")</script> 👩‍👩‍👧 \u202Eمرحبا שלום\u202C';
  const text = `${tag} %_\\ {{ticket.number}}`;
  const { data } = await create({ name: text, content: text, changes: { tags: [tag] } });
  expect((await list())[0]).toEqual({ ...data, name: text, content: text, changes: { tags: [tag] } });
});
it.each([
  [{ content: 'x' }, 'name'],
  [{ name: ' ', content: 'x' }, 'name'],
  [{ name: 'x'.repeat(101), content: 'x' }, 'name'],
  [{ name: 'x' }, 'content'],
  [{ name: 'x', content: '  ' }, 'content'],
  [{ name: 'x', content: '{{customer.password}}' }, 'content'],
  [{ name: 'x', content: 'x'.repeat(100_001) }, 'content'],
  [{ name: 'x', content: 'a\u0000b' }, 'content'],
  [{ name: 'x', changes: { subject: 'x' } }, 'changes.subject'],
  [{ name: 'x', changes: { status: 'done' } }, 'changes.status'],
  [{ name: 'x', content: 'x', owner_id: newId() }, 'owner_id'],
  [{ name: 'x', content: 'x', translations: { de: '{{customer.password}}' } }, 'translations.de'],
  [{ name: 'x', content: 'x', translations: { xx: 'x' } }, 'translations.xx'],
  [{ name: 'x', changes: { status: 'closed' }, translations: { de: 'x' } }, 'content'],
])('%# rejects an invalid macro and names the field', async (body, path) => {
  const { status, data } = await create(body);
  expect([status, data.code]).toEqual([422, 'request.invalid']);
  expect(data.errors?.map((field) => field.path)).toContain(path);
  expect(await list()).toEqual([]);
});
it('accepts only active members as assignees', async () => {
  const gone = newId();
  await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    saveMember(tx, aMember(organization.id, gone, { is_active: false }), 1),
  );
  const { id } = await aMacro();
  for (const assigned_to of [newId(), otherOrganization.agent, gone]) {
    for (const answer of [await create({ name: 'x', changes: { assigned_to } }), await update(id, { changes: { assigned_to } })]) {
      expect([answer.status, answer.data.code, answer.data.errors?.[0]?.path]).toEqual([
        422,
        'assignee.not_a_member',
        'changes.assigned_to',
      ]);
    }
  }
  expect((await list()).map(({ changes }) => changes)).toEqual([{}]);
});
it('limits the text of one user’s macros to half a million characters in total', async () => {
  const long = 'x'.repeat(100_000);
  for (let i = 0; i < 5; i += 1) expect((await create({ name: `${i}`, content: long, is_shared: true })).status).toBe(201);
  expect(await create({ name: 'x', content: 'x' })).toMatchObject({ status: 409, data: { code: 'macro.too_many' } });
  const [first, second] = await list();
  expect((await update(first!.id, { content: long.slice(1) })).status).toBe(200);
  for (const ctx of [agent(), asStaff(organization, 'manager')])
    expect(await update(second!.id, { content: `${long.slice(2)}éé` }, ctx)).toMatchObject({ status: 200 });
  expect((await create({ name: 'x', content: 'x' })).status).toBe(201);
  expect(await update(first!.id, { content: long }, asStaff(organization, 'manager'))).toMatchObject({
    status: 409,
    data: { code: 'macro.too_many' },
  });
  expect((await create({ name: 'x', content: 'x' }, asStaff(organization, 'admin'))).status).toBe(201);
  // A translation counts like the text itself.
  expect(await update(first!.id, { content: 'x', translations: { de: long } })).toMatchObject({
    status: 409,
    data: { code: 'macro.too_many' },
  });
  expect((await update(first!.id, { content: 'x', translations: { de: long.slice(3) } })).status).toBe(200);
  expect(await update(second!.id, { translations: { de: 'xx' } })).toMatchObject({ status: 409, data: { code: 'macro.too_many' } });
});
it('replaces all translations of a macro, drops blank ones, and keeps the text for all other languages', async () => {
  const { id } = await aMacro({ translations: { de: 'Guten Tag', fr: ' ' } });
  expect((await list())[0]?.translations).toEqual({ de: 'Guten Tag' });
  expect((await update(id, { name: 'Hello' })).data.translations).toEqual({ de: 'Guten Tag' });
  expect((await update(id, { content: '', changes: { status: 'closed' } })).data.errors?.[0]?.path).toBe('content');
  expect((await update(id, { translations: { ja: 'こんにちは', de: '' } })).data.translations).toEqual({ ja: 'こんにちは' });
  expect((await update(id, { content: '', translations: {}, changes: { status: 'closed' } })).data).toMatchObject({ content: '' });
});
it('limits a user to 500 macros, even for concurrent requests', async () => {
  await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .insertInto('macros')
      .values(
        Array.from({ length: macroLimits.own - 1 }, (_, i) => ({
          organization_id: organization.id,
          id: newId(),
          name: `${i}`,
          content: 'x',
          is_internal: false,
          translations: '{}',
          changes: '{}',
          is_shared: false,
          owner_id: organization.agent,
          updated_at: new Date().toISOString(),
        })),
      )
      .execute(),
  );
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => create({ name, content: 'x' })));
  expect(answers.map(({ status, data }) => [status, data.code]).sort()).toEqual([
    [201, undefined],
    [409, 'macro.too_many'],
    [409, 'macro.too_many'],
  ]);
  expect((await create({ name: 'x', content: 'x' }, asStaff(organization, 'admin'))).status).toBe(201);
});
it('changes the given fields only', async () => {
  const macro = await aMacro({ changes: { status: 'resolved' } });
  const { status, data } = await update(macro.id, { name: 'Better', is_shared: true });
  expect([status, data]).toEqual([200, { ...macro, name: 'Better', is_shared: true, updated_at: data.updated_at }]);
  expect((await update(macro.id, { content: '' })).data).toMatchObject({ content: '', changes: { status: 'resolved' } });
});
it('rejects a change that leaves a macro without text and changes', async () => {
  const text = await aMacro();
  const change = await aMacro({ content: '', changes: { status: 'closed' } });
  for (const [id, body, path] of [
    [text.id, { content: ' ' }, 'content'],
    [change.id, { changes: {} }, 'changes'],
  ] as const) {
    const { status, data } = await update(id, body);
    expect([status, data.code, data.errors?.[0]?.path]).toEqual([422, 'request.invalid', path]);
  }
  // Two concurrent requests remove one half each: the second one sees the result of the first.
  const both = await aMacro({ changes: { status: 'closed' } });
  const answers = await Promise.all([update(both.id, { content: '' }), update(both.id, { changes: {} })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
});
it('allows managers and admins to change shared macros, agents their own, and no role private ones of others', async () => {
  const shared = await aMacro({ is_shared: true }, asStaff(organization, 'manager'));
  const hidden = await aMacro({}, asStaff(organization, 'manager'));
  expect((await update(shared.id, { name: 'Mine' })).data.code).toBe('permission.denied');
  expect((await remove(shared.id)).data.code).toBe('permission.denied');
  expect((await update(shared.id, { name: 'By the admin' }, asStaff(organization, 'admin'))).data).toMatchObject({
    name: 'By the admin',
    owner_id: organization.manager,
  });
  for (const ctx of [agent(), asStaff(organization, 'admin')]) {
    expect((await update(hidden.id, { name: 'x' }, ctx)).data.code).toBe('macro.not_found');
    expect((await remove(hidden.id, ctx)).data.code).toBe('macro.not_found');
  }
  expect(await remove(shared.id, asStaff(organization, 'admin'))).toMatchObject({ status: 200, data: {} });
  expect((await list(asStaff(organization, 'manager'))).map(({ id }) => id)).toEqual([hidden.id]);
  expect((await remove(hidden.id, asStaff(organization, 'manager'))).status).toBe(200);
});
it('refuses macros to tokens, customers and users without an organization', async () => {
  const { id } = await aMacro({ is_shared: true });
  for (const ctx of [
    asToken(organization, 'tickets:read', 'tickets:write'),
    asToken(organization),
    asUserWithoutOrganization(),
    asCustomer(organization.id),
  ]) {
    const status = ctx.actor.type === 'customer' ? 401 : 403;
    expect((await tickets.call(listMacros, ctx)).status).toBe(status);
    expect((await create({ name: 'x', content: 'x' }, ctx)).status).toBe(status);
    expect((await update(id, { name: 'x' }, ctx)).status).toBe(status);
    expect((await remove(id, ctx)).status).toBe(status);
  }
  expect((await list()).map(({ name }) => name)).toEqual(['Thanks']);
});
it('returns not found for a macro of another organization', async () => {
  const { id } = await aMacro({ is_shared: true });
  for (const macro of [id, newId()]) {
    expect((await update(macro, { name: 'x' }, asStaff(otherOrganization, 'admin'))).data.code).toBe('macro.not_found');
    expect((await remove(macro, asStaff(otherOrganization, 'admin'))).data.code).toBe('macro.not_found');
  }
  expect((await list())[0]?.id).toBe(id);
});
