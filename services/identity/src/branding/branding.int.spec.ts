import {
  addBrandingAsset,
  readBranding,
  readBrandingAsset,
  readPublicOrganization,
  saveBranding,
  type Branding,
  type Context,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { randomBytes } from 'node:crypto';
import { anonymous, IdentityUnderTest } from '../../test/identity';
import { aPicture } from '../../test/pictures';
import { TeamUnderTest } from '../../test/team';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

const read = (ctx: Context | undefined) => identity.call(readBranding, ctx);
const save = (ctx: Context | undefined, body: unknown) => identity.call(saveBranding, ctx, { body });
const add = (ctx: Context | undefined, bytes: Buffer) =>
  identity.call(addBrandingAsset, ctx, { body: { content: bytes.toString('base64') } });
const urlOf = async (ctx: Context, bytes: Buffer = aPicture.png()) => (await add(ctx, bytes)).data.url as string;
const bytesAt = (url: string) => identity.send(readBrandingAsset, anonymous(), { params: { id: url.split('/').at(-1)! } });
const branded = (id: string) =>
  identity.db.forTenant({ organization_id: id }, async (tx) => ({
    branding: await tx.selectFrom('branding').selectAll().execute(),
    assets: await tx.selectFrom('branding_assets').select('id').orderBy('id').execute(),
  }));
/** Everything that a rejected call must leave unchanged. */
const state = async (team: TeamUnderTest) => ({ ...(await team.state()), ...(await branded(team.id)) });

const defaults = (organization_id: string): Branding => ({
  organization_id,
  primary_color: '#3B82F6',
  secondary_color: '#8B5CF6',
  logo_url: null,
  favicon_url: null,
  custom_css: '',
  hide_powered_by: false,
  custom_domain: null,
  custom_domain_verified: false,
  custom_domain_record: null,
  custom_domain_missing_since: null,
  email_template_header: '',
  email_template_footer: '',
  email_templates: {},
  updated_at: null,
});

describe('the branding of an organization', () => {
  it('has the default colors until it is saved', async () => {
    const team = await TeamUnderTest.found(identity);
    expect(await read(team.admin.ctx)).toEqual({ status: 200, data: defaults(team.id) });
  });

  it('is saved, published completely, and recorded in the audit log', async () => {
    const team = await TeamUnderTest.found(identity);
    const wanted = { primary_color: '#112233', hide_powered_by: true, email_template_header: '<p>Hello</p><script>x</script>' };
    const { status, data } = await save(team.admin.ctx, wanted);
    expect(status).toBe(200);
    expect(data).toEqual({
      ...defaults(team.id),
      primary_color: '#112233',
      hide_powered_by: true,
      email_template_header: '<p>Hello</p>',
      updated_at: expect.any(String),
    });
    expect(await read((await team.join('agent')).ctx)).toEqual({ status: 200, data });
    const events = await team.events('branding.updated');
    expect(events).toEqual([
      { type: 'branding.updated', organization_id: team.id, subject: team.id, sequence: expect.any(Number), data: { branding: data } },
    ]);
    expect((await team.log()).at(-2)).toMatchObject({
      type: 'branding.updated',
      actor_id: team.admin.user_id,
      changes: {
        primary_color: { from: '#3B82F6', to: '#112233' },
        hide_powered_by: { from: false, to: true },
        email_template_header: { from: '0 characters', to: '12 characters' },
      },
    });
  });

  it('has sanitized email templates by language, without empty ones', async () => {
    const team = await TeamUnderTest.found(identity);
    const templates = { de: { header: '<p>Moin</p><script>x</script>', footer: '' }, ar: { header: ' ', footer: '' } };
    const { status, data } = await save(team.admin.ctx, { email_templates: templates });
    expect([status, data.email_templates]).toEqual([200, { de: { header: '<p>Moin</p>', footer: '' } }]);
    expect((await team.events('branding.updated')).at(-1)?.data).toEqual({ branding: data });
    expect((await save(team.admin.ctx, { primary_color: '#112233' })).data.email_templates).toEqual(data.email_templates);
  });

  it('keeps omitted fields, and publishes nothing if it is saved unchanged', async () => {
    const team = await TeamUnderTest.found(identity);
    await save(team.admin.ctx, { primary_color: '#abcdef', custom_css: '.a{color:red}' });
    const { data } = await save(team.admin.ctx, { secondary_color: '#000000' });
    expect(data).toMatchObject({ primary_color: '#ABCDEF', secondary_color: '#000000', custom_css: '.a{color:red}' });
    const before = await state(team);
    for (const body of [{}, { primary_color: '#ABCDEF', custom_css: ' .a{color:red} ', custom_domain: null }])
      expect(await save(team.admin.ctx, body)).toEqual({ status: 200, data });
    expect(await state(team)).toEqual(before);
  });

  it('keeps the changes of two concurrent requests', async () => {
    const team = await TeamUnderTest.found(identity);
    await Promise.all([{ primary_color: '#111111' }, { secondary_color: '#222222' }].map((body) => save(team.admin.ctx, body)));
    expect((await read(team.admin.ctx)).data).toMatchObject({ primary_color: '#111111', secondary_color: '#222222' });
  });

  it('is public with the safe part of the style sheet', async () => {
    const team = await TeamUnderTest.found(identity, 'Open House');
    const logo_url = await urlOf(team.admin.ctx);
    await save(team.admin.ctx, { logo_url, custom_css: 'body{color:red;position:fixed}' });
    expect(await identity.call(readPublicOrganization, anonymous(team.id))).toEqual({
      status: 200,
      data: {
        id: team.id,
        name: 'Open House',
        subdomain: expect.any(String),
        default_priority: 'medium',
        business_hours: null,
        time_zone: 'UTC',
        holidays: [],
        languages: { default: 'en', offered: ['en'] },
        categories: [],
        has_wording: false,
        branding: {
          primary_color: '#3B82F6',
          secondary_color: '#8B5CF6',
          logo_url,
          favicon_url: null,
          hide_powered_by: false,
          css: '.portal{color:red}',
        },
      },
    });
    expect((await read(team.admin.ctx)).data.custom_css).toBe('body{color:red;position:fixed}');
    await save(team.admin.ctx, { custom_css: '' });
    expect((await identity.call(readPublicOrganization, anonymous(team.id))).data).toMatchObject({ branding: { css: '' } });
  });

  it.each([
    ['a color by name', { primary_color: 'red' }, 'primary_color'],
    ['a short color', { secondary_color: '#fff' }, 'secondary_color'],
    ['a color with additional CSS', { primary_color: '#112233;}' }, 'primary_color'],
    ['an invalid style sheet', { custom_css: '.a{color:red' }, 'custom_css'],
    ['a style sheet that is too long', { custom_css: 'a'.repeat(20_001) }, 'custom_css'],
    ['a template that is too long', { email_template_footer: 'a'.repeat(10_001) }, 'email_template_footer'],
    ['a template of an unknown language', { email_templates: { tlh: { header: '', footer: '' } } }, 'email_templates.tlh'],
    [
      'a template of a language that is too long',
      { email_templates: { de: { header: 'a'.repeat(10_001), footer: '' } } },
      'email_templates.de.header',
    ],
    ['a template with NUL', { email_template_header: 'a\u0000' }, 'email_template_header'],
    ['a domain that is a URL', { custom_domain: 'https://support.acme.example' }, 'custom_domain'],
    ['a domain of one label', { custom_domain: 'localhost' }, 'custom_domain'],
    ['a numeric domain', { custom_domain: '127.0.0.1' }, 'custom_domain'],
    ['a domain with a port', { custom_domain: 'support.acme.example:8080' }, 'custom_domain'],
    ['a domain below localhost', { custom_domain: 'acme.localhost' }, 'custom_domain'],
    ['a string as a boolean', { hide_powered_by: 'yes' }, 'hide_powered_by'],
    ['an organization_id', { organization_id: newId() }, 'organization_id'],
  ])('rejects %s, names the field and changes nothing', async (_what, body, path) => {
    const team = await TeamUnderTest.found(identity);
    const before = await state(team);
    const { status, data } = await save(team.admin.ctx, { ...('primary_color' in body ? {} : { primary_color: '#111111' }), ...body });
    expect(status).toBe(422);
    expect(data.errors).toEqual([expect.objectContaining({ path })]);
    expect(await state(team)).toEqual(before);
  });

  it('reports the position of a CSS error', async () => {
    const team = await TeamUnderTest.found(identity);
    expect((await save(team.admin.ctx, { custom_css: '.a{}\n.b{' })).data).toMatchObject({
      code: 'request.invalid',
      detail: 'Line 2: unclosed block',
      errors: [{ path: 'custom_css', message: 'Line 2: unclosed block' }],
    });
  });

  it('can be changed only by admins of the organization', async () => {
    const team = await TeamUnderTest.found(identity);
    const [manager, agent, demoted] = [await team.join('manager'), await team.join('agent'), await team.join('admin')];
    await identity.db.forTenant({ organization_id: team.id }, (tx) =>
      tx.updateTable('members').set({ role: 'agent' }).where('user_id', '=', demoted.user_id).execute(),
    );
    const before = await state(team);
    for (const { ctx } of [manager, agent, demoted]) {
      expect(await save(ctx, { primary_color: '#111111' })).toMatchObject({ status: 403, data: { code: 'permission.denied' } });
      expect(await add(ctx, aPicture.png())).toMatchObject({ status: 403, data: { code: 'permission.denied' } });
    }
    for (const ctx of [undefined, anonymous(team.id)]) {
      expect((await read(ctx)).status).toBe(401);
      expect((await save(ctx, {})).status).toBe(401);
      expect((await add(ctx, aPicture.png())).status).toBe(401);
    }
    expect(await state(team)).toEqual(before);
  });
});

describe('logos and icons', () => {
  it.each([
    ['image/png', aPicture.png()],
    ['image/jpeg', aPicture.jpeg()],
    ['image/gif', aPicture.gif()],
    ['image/webp', aPicture.webp()],
    ['image/x-icon', aPicture.icon()],
  ])('are public and unchanged: %s', async (type, bytes) => {
    const team = await TeamUnderTest.found(identity);
    const { status, data } = await add(team.admin.ctx, bytes);
    expect(status).toBe(201);
    const answer = await bytesAt(data.url as string);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('are public while they are in use', async () => {
    const team = await TeamUnderTest.found(identity);
    const [logo_url, favicon_url] = [await urlOf(team.admin.ctx), await urlOf(team.admin.ctx, aPicture.icon())];
    expect((await save(team.admin.ctx, { logo_url, favicon_url })).data).toMatchObject({ logo_url, favicon_url });
    expect((await save(team.admin.ctx, { logo_url: null })).data).toMatchObject({ logo_url: null, favicon_url });
  });

  it('have at most 512 KB', async () => {
    const team = await TeamUnderTest.found(identity);
    const room = 512 * 1024 - aPicture.png().length;
    expect((await add(team.admin.ctx, aPicture.png(randomBytes(room)))).status).toBe(201);
    const before = await state(team);
    expect(await add(team.admin.ctx, aPicture.png(randomBytes(room + 1)))).toMatchObject({ status: 422 });
    expect(await add(team.admin.ctx, aPicture.png(randomBytes(room + 10)))).toMatchObject({ status: 422 });
    expect(await state(team)).toEqual(before);
  });

  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['nothing', Buffer.alloc(0)],
    ['a PDF', Buffer.from('%PDF-1.7')],
  ])('are rejected: %s', async (_what, bytes) => {
    const team = await TeamUnderTest.found(identity);
    const before = await state(team);
    expect(await add(team.admin.ctx, bytes)).toMatchObject({ status: 422, data: { code: 'branding.asset_refused' } });
    expect(await state(team)).toEqual(before);
  });

  it.each([
    ['not base64', '%%%'],
    ['no text', 7],
  ])('are rejected: %s', async (_what, content) => {
    const team = await TeamUnderTest.found(identity);
    const { status, data } = await identity.call(addBrandingAsset, team.admin.ctx, { body: { content } });
    expect([status, data.errors?.[0]?.path]).toEqual([422, 'content']);
  });

  it('must belong to the organization: other ids and URLs are rejected with the field named', async () => {
    const [team, other] = [await TeamUnderTest.found(identity), await TeamUnderTest.found(identity)];
    const theirs = await urlOf(other.admin.ctx);
    const before = await state(team);
    for (const url of [
      theirs,
      `https://evil.example${theirs}`,
      theirs.replace(/[^/]+$/, newId()),
      `${theirs}?x`,
      '/x',
      'javascript:alert(1)',
    ])
      for (const path of ['logo_url', 'favicon_url'])
        expect(await save(team.admin.ctx, { [path]: url, primary_color: '#111111' })).toMatchObject({
          status: 404,
          data: { code: 'branding.asset_not_found', errors: [{ path }] },
        });
    expect(await state(team)).toEqual(before);
  });

  it('are limited to twenty: the oldest unused one is deleted', async () => {
    const team = await TeamUnderTest.found(identity);
    const logo_url = await urlOf(team.admin.ctx);
    const inMail = await urlOf(team.admin.ctx);
    await save(team.admin.ctx, { logo_url, email_template_footer: `<img src="${inMail}">` });
    const unused = await urlOf(team.admin.ctx);
    for (let count = 0; count < 17; count++) await urlOf(team.admin.ctx);
    expect((await bytesAt(unused)).status).toBe(200);
    const last = await urlOf(team.admin.ctx);
    expect((await branded(team.id)).assets).toHaveLength(20);
    expect(await Promise.all([logo_url, inMail, unused, last].map(async (url) => (await bytesAt(url)).status))).toEqual([
      200, 200, 404, 200,
    ]);
  });

  it("are not found for an invalid id, and require the gateway's signature", async () => {
    for (const id of [newId(), 'x', '%00'])
      expect((await identity.send(readBrandingAsset, anonymous(), { params: { id } })).status).toBe(404);
    expect((await identity.send(readBrandingAsset, undefined, { params: { id: newId() } })).status).toBe(401);
  });
});
