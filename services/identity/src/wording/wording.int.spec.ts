import {
  deleteWording,
  listWording,
  previewWording,
  readPublicOrganization,
  readPublicWording,
  readWidgetWording,
  saveWording,
  type Context,
  type CustomerText,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { anonymous, asActor, IdentityUnderTest, type Answer } from '../../test/identity';
import { TeamUnderTest } from '../../test/team';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

const greeting = { part: 'email', language: 'de', key: 'greeting.name' };
const list = async (ctx: Context | undefined, language = 'de') =>
  (await identity.call(listWording, ctx, { params: { language } })) as Omit<Answer, 'data'> & { data: unknown };
const save = (ctx: Context | undefined, text: unknown, params: Record<string, string> = greeting) =>
  identity.call(saveWording, ctx, { params, body: { text } });
const restore = (ctx: Context | undefined, params: Record<string, string> = greeting) => identity.call(deleteWording, ctx, { params });
const publicTexts = (organization_id: string, part = 'email', language = 'de') =>
  identity.call(readPublicWording, anonymous(organization_id), { params: { part, language } });
const inList = async (ctx: Context) => ((await list(ctx)).data as CustomerText[]).find(({ key }) => key === greeting.key);
const token = (organization_id: string): Context =>
  asActor(
    { type: 'token', token_id: newId(), name: 'Importer', permissions: ['organization:read', 'organization:write'], via: 'api' },
    organization_id,
  );

it('lists each text with its original in English and in the language', async () => {
  const { admin } = await TeamUnderTest.found(identity);
  const { status, data } = await list(admin.ctx);
  expect(status).toBe(200);
  const texts = data as CustomerText[];
  expect(new Set(texts.map(({ part }) => part))).toContain('email');
  expect(texts.find(({ key }) => key === greeting.key)).toEqual({
    ...greeting,
    english: 'Hello {name},',
    original: 'Guten Tag {name},',
    placeholders: ['name'],
    text: null,
    original_changed: false,
    updated_at: null,
  });
});

it('a saved text is listed, public, published and recorded, until the original is restored', async () => {
  const team = await TeamUnderTest.found(identity);
  const { ctx } = team.admin;
  const before = (await publicTexts(team.id)).data;
  expect(before.texts).toEqual({});
  const saved = await save(ctx, ' Moin {name}! ');
  expect(saved).toMatchObject({ status: 200, data: { ...greeting, text: 'Moin {name}!', updated_at: expect.any(String) as string } });
  expect(await inList((await team.join('agent')).ctx)).toEqual(saved.data);
  const now = (await publicTexts(team.id)).data;
  expect(now.texts).toEqual({ 'greeting.name': 'Moin {name}!' });
  expect(now.version).not.toBe(before.version);
  expect((await identity.call(readPublicOrganization, anonymous(team.id))).data).toMatchObject({ has_wording: true });
  expect((await publicTexts(team.id, 'email', 'fr')).data.texts).toEqual({});
  const published = (text: string | null) => ({ subject: team.id, data: { organization_id: team.id, ...greeting, text } });
  expect(await team.events('organization.wording_changed')).toMatchObject([published('Moin {name}!')]);
  expect((await team.log()).findLast(({ type }) => type === 'wording.updated')).toMatchObject({
    target: 'email.greeting.name (de)',
    changes: { text: { from: null, to: 'Moin {name}!' } },
  });
  // Saving it unchanged has no effect.
  expect((await save(ctx, 'Moin {name}!')).data).toEqual(saved.data);
  expect(await restore(ctx)).toMatchObject({ status: 200, data: { text: null } });
  expect(await restore(ctx)).toMatchObject({ status: 200, data: { text: null } });
  expect(await team.events('organization.wording_changed')).toMatchObject([published('Moin {name}!'), published(null)]);
  expect((await team.log()).at(-1)).toMatchObject({ type: 'wording.restored', changes: { text: { from: 'Moin {name}!', to: null } } });
  expect((await publicTexts(team.id)).data).toEqual(before);
  expect((await identity.call(readPublicOrganization, anonymous(team.id))).data).toMatchObject({ has_wording: false });
});

it('is previewed with sample values by admins, without being saved', async () => {
  const team = await TeamUnderTest.found(identity);
  const preview = (ctx: Context | undefined, text: string, params: Record<string, string> = greeting) =>
    identity.call(previewWording, ctx, { params, body: { text } });
  expect(await preview(team.admin.ctx, 'Moin {name}!')).toEqual({ status: 200, data: { preview: 'Moin Ada Lovelace!' } });
  const files = { part: 'email', language: 'pl', key: 'action.files' };
  expect(
    (await preview(team.admin.ctx, '{count, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}', files)).data,
  ).toEqual({
    preview: '3 pliki',
  });
  expect(await preview(team.admin.ctx, 'Moin {nobody}')).toMatchObject({ status: 422, data: { errors: [{ path: 'text' }] } });
  expect((await preview(team.admin.ctx, 'x', { ...greeting, key: 'nothing' })).status).toBe(422);
  expect((await publicTexts(team.id)).data.texts).toEqual({});
  for (const ctx of [(await team.join('manager')).ctx, token(team.id)]) expect((await preview(ctx, 'x')).status).toBe(403);
  expect((await preview(undefined, 'x')).status).toBe(401);
});

it('is marked if the original has changed since, until it is saved again', async () => {
  const team = await TeamUnderTest.found(identity);
  await save(team.admin.ctx, 'Moin {name}!');
  await identity.db.forTenant({ organization_id: team.id }, (tx) => tx.updateTable('wording').set({ original_hash: 'older' }).execute());
  expect(await inList(team.admin.ctx)).toMatchObject({ text: 'Moin {name}!', original_changed: true });
  expect((await save(team.admin.ctx, 'Moin {name}!')).data).toMatchObject({ original_changed: false });
  expect(await team.events('organization.wording_changed')).toHaveLength(1);
});

it('HTML is text: tags that the original does not have are refused, other characters are kept', async () => {
  const team = await TeamUnderTest.found(identity);
  expect((await save(team.admin.ctx, 'Hi {name} & co > 1')).data.text).toBe('Hi {name} & co > 1');
  expect(await save(team.admin.ctx, 'Hi <b>{name}</b>')).toMatchObject({
    status: 422,
    data: { errors: [{ path: 'text', message: 'This text can only contain these values: {name}' }] },
  });
});

it.each([
  ['a broken message', 'Moin {name', greeting, 'text'],
  ['an unknown value', 'Moin {first_name}', greeting, 'text'],
  ['an empty text', ' ', greeting, 'text'],
  ['a text that is too long', 'x'.repeat(1_001), greeting, 'text'],
  ['a number', 5, greeting, 'text'],
  ['an unknown key', 'Moin', { ...greeting, key: 'nothing' }, 'key'],
  ['a key of every object', 'Moin', { ...greeting, key: 'constructor' }, 'key'],
  ['an unknown part', 'Moin', { ...greeting, part: 'staff' }, 'part'],
  ['an unknown language', 'Moin', { ...greeting, language: 'tlh' }, 'language'],
])('rejects %s, names the field and changes nothing', async (_what, text, params, path) => {
  const team = await TeamUnderTest.found(identity);
  const before = await team.state();
  const { status, data } = await save(team.admin.ctx, text, params);
  expect([status, data.errors?.[0]?.path]).toEqual([422, path]);
  if (path !== 'text') expect((await restore(team.admin.ctx, params)).status).toBe(422);
  expect((await publicTexts(team.id)).data.texts).toEqual({});
  expect(await team.state()).toEqual(before);
});
it('rejects an unknown language of the list and of the public texts', async () => {
  const { id, admin } = await TeamUnderTest.found(identity);
  expect((await list(admin.ctx, 'xx')).status).toBe(422);
  expect((await publicTexts(id, 'email', 'xx')).status).toBe(422);
});

it('can be changed by admins only, read by members only, and by no API token', async () => {
  const team = await TeamUnderTest.found(identity);
  for (const { ctx } of [await team.join('manager'), await team.join('agent')]) {
    expect((await list(ctx)).status).toBe(200);
    for (const answer of [await save(ctx, 'Moin'), await restore(ctx)]) expect(answer.status).toBe(403);
  }
  for (const answer of [await list(token(team.id)), await save(token(team.id), 'Moin'), await restore(token(team.id))])
    expect(answer.status).toBe(403);
  for (const answer of [await list(undefined), await save(undefined, 'Moin'), await restore(undefined)]) expect(answer.status).toBe(401);
});

it('belongs to one organization', async () => {
  const [team, other] = [await TeamUnderTest.found(identity), await TeamUnderTest.found(identity)];
  await save(team.admin.ctx, 'Moin {name}!');
  expect(await inList(other.admin.ctx)).toMatchObject({ text: null });
  await restore(other.admin.ctx);
  expect(await inList(team.admin.ctx)).toMatchObject({ text: 'Moin {name}!' });
  expect((await publicTexts(other.id)).data.texts).toEqual({});
  expect((await publicTexts(newId())).data.texts).toEqual({});
});

it('the texts of the widget are public, and answered without a body if they are known', async () => {
  const team = await TeamUnderTest.found(identity);
  const input = { params: { language: 'de' }, query: { organization: 'x' } };
  const response = await identity.send(readWidgetWording, anonymous(team.id), input);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ data: { texts: {} } });
  expect(response.headers.get('etag')).toMatch(/^"/);
});
