import {
  findWidget,
  readWidgetConfig,
  readWidgetSettings,
  rotateWidgetSecret,
  saveBranding,
  saveWidgetSettings,
  updateOrganization,
  type Context,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { anonymous, gateway, IdentityUnderTest } from '../../test/identity';
import { TeamUnderTest } from '../../test/team';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start({ PUBLIC_URL: 'https://tandem.example' })));
afterAll(() => identity?.close());

const read = (ctx: Context | undefined) => identity.call(readWidgetSettings, ctx);
const save = (ctx: Context | undefined, body: unknown) => identity.call(saveWidgetSettings, ctx, { body });
const rotate = (ctx: Context | undefined) => identity.call(rotateWidgetSecret, ctx);
const find = async (key: string) => (await identity.call(findWidget, gateway, { query: { key } })).data;
const config = (ctx: Context | undefined, organization = 'x') => identity.call(readWidgetConfig, ctx, { query: { organization } });
const withSubdomain = async (team: TeamUnderTest, subdomain: string | null) => {
  await identity.call(updateOrganization, team.admin.ctx, { params: { id: team.id }, body: { subdomain } });
  return team;
};
const state = async (team: TeamUnderTest) => ({
  ...(await team.state()),
  widgets: await identity.db.forTenant({ organization_id: team.id }, (tx) => tx.selectFrom('widgets').selectAll().execute()),
});
const open = { allowed_sites: [], identity_required: false };

describe('the settings of the widget', () => {
  it('allow every site and every visitor by default', async () => {
    const team = await TeamUnderTest.found(identity);
    expect(await read((await team.join('agent')).ctx)).toEqual({ status: 200, data: { ...open, has_secret: false, theme: 'auto' } });
  });

  it('are saved without duplicates, published, and recorded', async () => {
    const team = await TeamUnderTest.found(identity);
    const allowed_sites = ['https://www.acme.example', 'https://*.acme.example', 'http://localhost:5173'];
    const { status, data } = await save(team.admin.ctx, { ...open, allowed_sites: [...allowed_sites, ' HTTPS://www.ACME.example '] });
    expect([status, data]).toEqual([200, { allowed_sites, identity_required: false, has_secret: false, theme: 'auto' }]);
    expect((await read(team.admin.ctx)).data).toEqual(data);
    const announced = { organization_id: team.id, allowed_sites, identity_required: false, sealed_secret: null };
    expect(await team.events('widget.updated')).toEqual([expect.objectContaining({ subject: team.id, data: announced })]);
    expect((await team.log()).at(-1)).toMatchObject({
      type: 'widget.updated',
      changes: { allowed_sites: { from: [], to: allowed_sites } },
    });
    const before = await state(team);
    expect(await save(team.admin.ctx, { ...open, allowed_sites })).toEqual({ status: 200, data });
    expect(await state(team)).toEqual(before);
  });

  it('require identified visitors only if there is a secret', async () => {
    const team = await TeamUnderTest.found(identity);
    const before = await state(team);
    expect(await save(team.admin.ctx, { ...open, identity_required: true })).toMatchObject({
      status: 422,
      data: { errors: [{ path: 'identity_required', message: 'Generate a secret first' }] },
    });
    expect(await state(team)).toEqual(before);
    await rotate(team.admin.ctx);
    expect(await save(team.admin.ctx, { ...open, identity_required: true })).toMatchObject({
      status: 200,
      data: { identity_required: true, has_secret: true },
    });
  });

  it.each([
    ['http', { ...open, allowed_sites: ['http://acme.example'] }, 'allowed_sites.0'],
    ['a path', { ...open, allowed_sites: ['https://acme.example/x'] }, 'allowed_sites.0'],
    ['any host', { ...open, allowed_sites: ['https://acme.example', '*'] }, 'allowed_sites.1'],
    ['a header’s end', { ...open, allowed_sites: ["https://acme.example; script-src 'unsafe-inline'"] }, 'allowed_sites.0'],
    ['51 sites', { ...open, allowed_sites: Array.from({ length: 51 }, (_, index) => `https://a${index}.example`) }, 'allowed_sites'],
    ['no sites', { identity_required: false }, 'allowed_sites'],
    ['an unknown theme', { ...open, theme: 'pink' }, 'theme'],
    ['a number as a boolean', { ...open, identity_required: 1 }, 'identity_required'],
    ['a chosen secret', { ...open, sealed_secret: 'x' }, 'sealed_secret'],
  ])('refuse %s, name the field and stay unchanged', async (_what, body, path) => {
    const team = await TeamUnderTest.found(identity);
    const before = await state(team);
    const { status, data } = await save(team.admin.ctx, body);
    expect([status, data.errors?.[0]?.path]).toEqual([422, path]);
    expect(await state(team)).toEqual(before);
  });

  it('can be changed only by admins of the organization', async () => {
    const team = await TeamUnderTest.found(identity);
    const [manager, agent] = [await team.join('manager'), await team.join('agent')];
    const before = await state(team);
    for (const { ctx } of [manager, agent])
      for (const answer of [await save(ctx, open), await rotate(ctx)])
        expect(answer).toMatchObject({ status: 403, data: { code: 'permission.denied' } });
    for (const ctx of [undefined, anonymous(team.id)])
      for (const answer of [await read(ctx), await save(ctx, open), await rotate(ctx)]) expect(answer.status).toBe(401);
    expect(await state(team)).toEqual(before);
  });
});

describe('the secret of the widget', () => {
  it('is returned once, stored and published sealed, and never recorded', async () => {
    const team = await TeamUnderTest.found(identity);
    const { status, data } = await rotate(team.admin.ctx);
    const secret = data.secret as string;
    expect([status, Buffer.from(secret, 'base64url').length]).toEqual([200, 32]);
    const [event] = await team.events('widget.updated');
    const { sealed_secret } = event!.data as { sealed_secret: string };
    expect(identity.secrets.open('widget-identity', sealed_secret)).toBe(secret);
    expect((await read(team.admin.ctx)).data).toEqual({ ...open, has_secret: true, theme: 'auto' });
    expect((await team.log()).at(-1)).toMatchObject({ type: 'widget.secret_rotated', changes: null });
    expect(JSON.stringify([await state(team), await team.log(), await team.events()])).not.toContain(secret);
  });

  it('is new each time, and keeps the settings', async () => {
    const team = await TeamUnderTest.found(identity);
    const first = await rotate(team.admin.ctx);
    const settings = { allowed_sites: ['https://acme.example'], identity_required: true };
    await save(team.admin.ctx, settings);
    expect((await rotate(team.admin.ctx)).data.secret).not.toBe(first.data.secret);
    expect((await team.events('widget.updated')).at(-1)?.data).toMatchObject(settings);
  });
});

describe('the organization of a widget', () => {
  it('is found by its subdomain in any case, with the sites that may embed it', async () => {
    const team = await withSubdomain(await TeamUnderTest.found(identity, 'Framed'), 'framed');
    const found = { id: team.id, name: 'Framed', subdomain: 'framed' };
    expect(await find('framed')).toEqual({ ...found, allowed_sites: [] });
    await save(team.admin.ctx, { ...open, allowed_sites: ['https://acme.example'] });
    expect(await find('Framed')).toEqual({ ...found, allowed_sites: ['https://acme.example'] });
  });
  it('is found by its id if it has no subdomain', async () => {
    const team = await withSubdomain(await TeamUnderTest.found(identity), null);
    expect(await find(team.id)).toMatchObject({ id: team.id, subdomain: null });
  });
  it('is not found for any other key', async () => {
    for (const key of ['', 'nobody-here', newId(), "x' or '1'='1", 'a\u0000b', 'ａｃｍｅ', '%']) expect(await find(key)).toBeNull();
    expect((await identity.call(findWidget, gateway, { query: { key: 'x'.repeat(101) } })).status).toBe(422);
    expect((await identity.call(findWidget, undefined, { query: { key: 'framed' } })).status).toBe(401);
  });
});

describe('the configuration of a widget', () => {
  it('has name, colors and portal of the organization, without its CSS', async () => {
    const team = await withSubdomain(await TeamUnderTest.found(identity, 'Shown'), 'shown');
    await save(team.admin.ctx, { ...open, allowed_sites: ['https://acme.example'] });
    await identity.call(saveBranding, team.admin.ctx, { body: { primary_color: '#112233', custom_css: '.a{color:red}' } });
    expect(await config(anonymous(team.id), 'shown')).toEqual({
      status: 200,
      data: {
        name: 'Shown',
        identity_required: false,
        theme: 'auto',
        portal_url: 'https://shown.tandem.example',
        languages: { default: 'en', offered: ['en'] },
        has_wording: false,
        branding: { primary_color: '#112233', secondary_color: '#8B5CF6', logo_url: null, favicon_url: null, hide_powered_by: false },
      },
    });
  });
  it('has the theme of the settings, which stays when others are saved, and is recorded', async () => {
    const team = await withSubdomain(await TeamUnderTest.found(identity), 'themed');
    expect((await save(team.admin.ctx, { ...open, theme: 'dark' })).data).toMatchObject({ theme: 'dark' });
    expect((await team.log()).at(-1)).toMatchObject({ type: 'widget.updated', changes: { theme: { from: 'auto', to: 'dark' } } });
    await save(team.admin.ctx, { ...open, allowed_sites: ['https://acme.example'] });
    expect((await config(anonymous(team.id), 'themed')).data).toMatchObject({ theme: 'dark' });
  });
  it("has the product's URL if the organization has no subdomain", async () => {
    const team = await withSubdomain(await TeamUnderTest.found(identity), null);
    expect((await config(anonymous(team.id))).data.portal_url).toBe('https://tandem.example');
  });
  it('is not found for an unknown key', async () => {
    for (const ctx of [anonymous(), anonymous(newId())])
      expect(await config(ctx)).toMatchObject({ status: 404, data: { code: 'organization.not_found' } });
  });
});
