import {
  createOrganization,
  findOrganizationOfHost,
  findPortal,
  listMembers,
  readOrganization,
  readPublicOrganization,
  updateProfile,
  type Member,
  type Organization,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { anonymous, asActor, asPerson, gateway, IdentityUnderTest, type Person } from '../../test/identity';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await IdentityUnderTest.start({ PUBLIC_URL: 'https://tandem.example', PORTAL_DOMAINS: 'desk.example' });
});
afterAll(() => identity?.close());

const create = (person: Person, name: unknown) => identity.call(createOrganization, asPerson(person), { body: { name } });
async function anOrganization(name = 'Some Company') {
  const person = await identity.aPerson();
  const { status, data } = await create(person, name);
  expect(status).toBe(201);
  const organization = data as unknown as Organization;
  return { person, organization, admin: asPerson(person, { organization_id: organization.id, role: 'admin' }) };
}
const ofHost = async (host: string) =>
  (await identity.call(findOrganizationOfHost, gateway, { query: { host } })).data as unknown as Organization | null;

describe('the first organization', () => {
  it('is not found while there is none', async () => expect(await ofHost('localhost:3000')).toBeNull());
});

describe('creating an organization', () => {
  it('follows the rules for slug, subdomain, prefix and trial, and makes the creator its admin', async () => {
    const { person, organization } = await anOrganization('Blue & Sons  Ltd.');
    expect(organization).toEqual({
      id: expect.any(String),
      name: 'Blue & Sons  Ltd.',
      slug: 'blue---sons--ltd-',
      subdomain: 'bluesonsltd',
      ticket_prefix: 'BSL',
      time_zone: 'UTC',
      business_hours: null,
      holidays: [],
      auto_assign: false,
      default_priority: 'medium',
      customer_follow_up: 'locked',
      instant_lookup: false,
      languages: { default: 'en', offered: ['en'] },
      categories: [],
      require_mfa_for_admins: false,
      created_at: expect.any(String),
      trial_ends_at: new Date(Date.parse(organization.created_at) + 14 * 86_400_000).toISOString(),
      plan: null,
      demo_ends_at: null,
      deletion_at: null,
    });
    const admin = asPerson(person, { organization_id: organization.id, role: 'admin' });
    expect(await identity.call(listMembers, admin)).toEqual({
      status: 200,
      data: [
        {
          ...person,
          organization_id: organization.id,
          first_name: 'Maria',
          last_name: null,
          role: 'admin',
          is_active: true,
          mfa_enabled: false,
          created_at: organization.created_at,
        },
      ],
    });
  });

  it('publishes the organization and its first member in the context of the organization', async () => {
    const { person, organization, admin } = await anOrganization();
    const { data: members } = await identity.call(listMembers, admin);
    const events = (await identity.events()).filter(({ organization_id }) => organization_id === organization.id);
    expect(events).toEqual([
      { type: 'organization.created', organization_id: organization.id, subject: organization.id, sequence: 1, data: { organization } },
      {
        type: 'member.joined',
        organization_id: organization.id,
        subject: person.user_id,
        sequence: 1,
        data: { member: (members as unknown as Member[])[0] },
      },
    ]);
  });

  it('gives two organizations with one name different subdomains and the same slug', async () => {
    const [one, other] = [await anOrganization('Twice Told'), await anOrganization('Twice Told')];
    expect(one.organization.subdomain).toBe('twicetold');
    expect(other.organization.subdomain).toMatch(/^twicetold\d{1,3}$/);
    expect(other.organization.slug).toBe('twice-told');
  });

  it('gives ten concurrent organizations with one name ten subdomains', async () => {
    const founded = await Promise.all(Array.from({ length: 10 }, () => anOrganization('Rush Hour')));
    const subdomains = founded.map(({ organization }) => organization.subdomain);
    expect(new Set(subdomains).size).toBe(10);
    for (const subdomain of subdomains) expect(subdomain).toMatch(/^rushhour(\d{1,3})?$/);
  });

  it.each([
    ['AB', /^ab\d{1,3}$/],
    ['日本', /^\d{3}$/],
    ['x'.repeat(100), /^x{30}$/],
    ['Support', /^support\d{1,3}$/],
  ])('gives %j a valid subdomain', async (name, pattern) => expect((await anOrganization(name)).organization.subdomain).toMatch(pattern));

  it('is rejected for a member of an organization, and writes nothing', async () => {
    const { person, admin } = await anOrganization();
    const before = await identity.weight();
    const refused = { status: 409, data: { code: 'organization.already_set_up' } };
    expect(await create(person, 'Another')).toMatchObject(refused);
    expect(await identity.call(createOrganization, admin, { body: { name: 'Another' } })).toMatchObject(refused);
    expect(await identity.weight()).toEqual(before);
  });

  it('happens once with concurrent requests of one user', async () => {
    const person = await identity.aPerson();
    const before = await identity.weight();
    const answers = await Promise.all(Array.from({ length: 6 }, (_, number) => create(person, `Attempt ${number % 2}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    const after = await identity.weight();
    expect(after).toEqual({
      ...before,
      organizations: (before.organizations ?? 0) + 1,
      members: (before.members ?? 0) + 1,
      outbox: (before.outbox ?? 0) + 2,
    });
  });

  it.each([
    ['no body', undefined],
    ['an array', []],
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a blank name', { name: ' \t\n ' }],
    ['a name that is too long', { name: 'x'.repeat(101) }],
    ['a name of the wrong type', { name: ['Acme'] }],
    ['a name that is null', { name: null }],
    ['a name with NUL', { name: 'Ac\u0000me' }],
    ['a name with an unpaired surrogate', { name: 'Ac\ud800me' }],
    ['an unknown member', { name: 'Acme', subdomain: 'acme' }],
    ['an organization_id', { name: 'Acme', organization_id: newId() }],
  ])('rejects %s and writes nothing', async (_what, body) => {
    const person = await identity.aPerson();
    const before = await identity.weight();
    const { status, data } = await identity.call(createOrganization, asPerson(person), { body });
    expect([400, 422]).toContain(status);
    expect(['request.invalid', 'request.malformed']).toContain(data.code);
    expect(await identity.weight()).toEqual(before);
  });

  it('requires the session of an existing user', async () => {
    const before = await identity.weight();
    for (const ctx of [
      undefined,
      anonymous(),
      gateway,
      asActor({ type: 'token', token_id: newId(), name: 'Importer', permissions: ['tickets:read'], via: 'api' }, newId()),
    ]) {
      expect([401, 403]).toContain((await identity.call(createOrganization, ctx, { body: { name: 'Acme' } })).status);
    }
    expect(await create({ user_id: newId(), email: '' }, 'Acme')).toMatchObject({ status: 401, data: { code: 'session.expired' } });
    expect(await identity.weight()).toEqual(before);
  });
});

describe('reading the organization', () => {
  it('is allowed for every role', async () => {
    const { person, organization } = await anOrganization();
    for (const role of ['admin', 'manager', 'agent'] as const) {
      const ctx = asPerson(person, { organization_id: organization.id, role });
      expect(await identity.call(readOrganization, ctx, { params: { id: organization.id } })).toEqual({ status: 200, data: organization });
    }
  });
  it('returns the same error for another organization and an unknown one', async () => {
    const [mine, other] = [await anOrganization(), await anOrganization()];
    const [theirs, nobodys] = await Promise.all(
      [other.organization.id, newId()].map((id) => identity.call(readOrganization, mine.admin, { params: { id } })),
    );
    expect(theirs).toMatchObject({ status: 404, data: { code: 'organization.not_found', title: 'Organization not found' } });
    expect({ ...theirs?.data, request_id: null }).toEqual({ ...nobodys?.data, request_id: null });
  });
  it.each(['x', '1', "' or 1=1 --", '00000000-0000-0000-0000-00000000000g'])('rejects the id %j', async (id) => {
    const { admin } = await anOrganization();
    expect((await identity.call(readOrganization, admin, { params: { id } })).status).toBe(422);
  });
  it('is rejected without an organization or a session', async () => {
    const { organization } = await anOrganization();
    const input = { params: { id: organization.id } };
    expect(await identity.call(readOrganization, asPerson(await identity.aPerson()), input)).toMatchObject({
      status: 403,
      data: { code: 'organization.required' },
    });
    expect(await identity.call(readOrganization, undefined, input)).toMatchObject({ status: 401 });
    expect([401, 403]).toContain((await identity.call(readOrganization, anonymous(organization.id), input)).status);
  });
});

describe('the team', () => {
  it('lists the members of the organization, oldest first', async () => {
    const { organization, admin, person } = await anOrganization();
    await anOrganization();
    const colleagues = [await identity.aPerson(), await identity.aPerson()];
    await identity.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx
        .insertInto('members')
        .values(colleagues.map(({ user_id }) => ({ organization_id: organization.id, user_id, role: 'agent' as const })))
        .execute(),
    );
    const { data } = await identity.call(listMembers, admin);
    expect((data as unknown as Member[]).map(({ user_id }) => user_id)).toEqual([
      person.user_id,
      ...colleagues.map(({ user_id }) => user_id),
    ]);
  });
  it('is rejected without an organization or a session', async () => {
    const { organization } = await anOrganization();
    expect(await identity.call(listMembers, undefined)).toMatchObject({ status: 401 });
    expect([401, 403]).toContain((await identity.call(listMembers, anonymous(organization.id))).status);
    expect(await identity.call(listMembers, asPerson(await identity.aPerson()))).toMatchObject({
      status: 403,
      data: { code: 'organization.required' },
    });
  });
  it('is not notified of the signature of a member', async () => {
    const { admin } = await anOrganization();
    const before = (await identity.events()).length;
    await identity.call(updateProfile, admin, { body: { signature: 'Regards, Maria' } });
    expect(await identity.events()).toHaveLength(before);
  });
  it("shows a member's new name", async () => {
    const { organization, admin, person } = await anOrganization();
    expect(await identity.call(updateProfile, admin, { body: { last_name: 'Lopez' } })).toMatchObject({
      status: 200,
      data: { last_name: 'Lopez', role: 'admin' },
    });
    const [joined, updated] = (await identity.events()).filter(({ subject }) => subject === person.user_id);
    expect(joined).toMatchObject({ type: 'member.joined', sequence: 1 });
    expect(updated).toMatchObject({
      type: 'member.updated',
      sequence: 2,
      organization_id: organization.id,
      data: { member: { last_name: 'Lopez' } },
    });
    await identity.call(updateProfile, admin, { body: { last_name: 'Lopez' } });
    expect((await identity.events()).filter(({ subject }) => subject === person.user_id)).toHaveLength(2);
  });
});

describe('the portal’s organization', () => {
  it('has name, subdomain, default priority and branding, and nothing else', async () => {
    const { organization } = await anOrganization('Open House');
    const { id, name, subdomain, languages } = organization;
    const branding = {
      primary_color: '#3B82F6',
      secondary_color: '#8B5CF6',
      logo_url: null,
      favicon_url: null,
      hide_powered_by: false,
      css: '',
    };
    expect(await identity.call(readPublicOrganization, anonymous(id))).toEqual({
      status: 200,
      data: {
        id,
        name,
        subdomain,
        default_priority: 'medium',
        business_hours: null,
        time_zone: 'UTC',
        holidays: [],
        languages,
        categories: [],
        has_wording: false,
        branding,
      },
    });
  });
  it('is not found for an unknown or deleted organization', async () => {
    expect(await identity.call(readPublicOrganization, anonymous(newId()))).toMatchObject({
      status: 404,
      data: { code: 'organization.not_found' },
    });
    expect([403, 404]).toContain((await identity.call(readPublicOrganization, anonymous())).status);
    expect(await identity.call(readPublicOrganization, undefined)).toMatchObject({ status: 401 });
  });
});

describe('the portal of a team', () => {
  const find = (team: string) => identity.call(findPortal, anonymous(), { query: { team } });

  it('is found by subdomain and by portal URL, and returns only name and URL', async () => {
    await anOrganization('Found House');
    const data = { name: 'Found House', url: 'https://foundhouse.tandem.example' };
    for (const team of ['foundhouse', ' FoundHouse ', 'foundhouse.tandem.example', 'https://foundhouse.desk.example/submit-ticket'])
      expect(await find(team)).toEqual({ status: 200, data });
  });
  it('is not found for other hosts, and is never the oldest organization', async () => {
    for (const team of ['no-such-team', 'foundhouse.bigbank.example', 'localhost', 'tandem.example', '127.0.0.1', 'a b', '\u0000'])
      expect([team, (await find(team)).data.code]).toEqual([team, expect.stringMatching(/^organization\.not_found$|^request\.invalid$/)]);
  });
  it('requires an address', async () => expect(await find(' ')).toMatchObject({ status: 422, data: { errors: [{ path: 'team' }] } }));
});

describe('the organization of a host', () => {
  it("is found by its subdomain below the product's domains and localhost, with any case and port", async () => {
    const { organization } = await anOrganization('Host House');
    const { id, name, subdomain } = organization;
    for (const host of [
      'hosthouse.tandem.example',
      'HostHouse.Tandem.Example:8443',
      'hosthouse.desk.example',
      'hosthouse.localhost:3000',
    ]) {
      expect(await ofHost(host)).toEqual({ id, name, subdomain, custom_domain: null });
    }
  });
  it('is not found on another domain whose first label is its subdomain', async () => {
    for (const host of ['hosthouse.bigbank.example', 'hosthouse.example', 'hosthouse.tandem.example.evil.example', 'a.hosthouse.localhost'])
      expect(await ofHost(host)).toBeNull();
  });
  it('is the oldest one only for localhost', async () => {
    const first = await ofHost('localhost');
    expect(first).not.toBeNull();
    expect(await ofHost('127.0.0.1:3000')).toEqual(first);
    expect([
      await ofHost('tandem.example'),
      await ofHost('nobody.tandem.example'),
      await ofHost('10.0.0.1'),
      await ofHost('[::1]:3000'),
      await ofHost(''),
    ]).toEqual(Array(5).fill(null));
  });
  it('rejects a missing or too long host, and unknown fields', async () => {
    for (const query of [{}, { host: 'a'.repeat(256) }, { host: 'localhost', organization_id: newId() }]) {
      expect(await identity.call(findOrganizationOfHost, gateway, { query: query as Record<string, string> })).toMatchObject({
        status: 422,
      });
    }
  });
  it('returns none for NUL and invalid hosts', async () => expect(await ofHost('a\u0000.b.c')).toBeNull());
  it('requires a signed context', async () => {
    expect(await identity.call(findOrganizationOfHost, undefined, { query: { host: 'localhost' } })).toMatchObject({ status: 401 });
  });
});
