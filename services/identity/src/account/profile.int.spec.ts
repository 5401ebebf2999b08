import { readProfile, updateProfile } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { anonymous, asActor, asPerson, IdentityUnderTest } from '../../test/identity';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

describe("the user's own profile", () => {
  it('is readable without an organization', async () => {
    const person = await identity.aPerson();
    expect(await identity.call(readProfile, asPerson(person))).toEqual({
      status: 200,
      data: { ...person, first_name: 'Maria', last_name: null, signature: null, organization_id: null, role: null },
    });
  });
  it('changes per field, blank clears it, and publishes no event without an organization', async () => {
    const me = asPerson(await identity.aPerson());
    const before = await identity.weight();
    expect(await identity.call(updateProfile, me, { body: { last_name: ' Lopez ' } })).toMatchObject({
      status: 200,
      data: { first_name: 'Maria', last_name: 'Lopez' },
    });
    expect(await identity.call(updateProfile, me, { body: { first_name: '  ' } })).toMatchObject({
      status: 200,
      data: { first_name: null, last_name: 'Lopez' },
    });
    expect(await identity.call(updateProfile, me, { body: {} })).toMatchObject({
      status: 200,
      data: { first_name: null, last_name: 'Lopez' },
    });
    expect(await identity.weight()).toEqual(before);
  });
  it('has a signature, which can be changed separately', async () => {
    const me = asPerson(await identity.aPerson());
    const signature = 'Regards,\n**Maria**';
    expect(await identity.call(updateProfile, me, { body: { signature } })).toMatchObject({ status: 200, data: { signature } });
    expect(await identity.call(readProfile, me)).toMatchObject({ data: { signature, first_name: 'Maria' } });
    expect(await identity.call(updateProfile, me, { body: { signature: '  ' } })).toMatchObject({ data: { signature: null } });
  });
  it('keeps the changes of two concurrent requests', async () => {
    const me = asPerson(await identity.aPerson());
    await Promise.all([{ first_name: 'Anna' }, { last_name: 'Berg' }].map((body) => identity.call(updateProfile, me, { body })));
    expect(await identity.call(readProfile, me)).toMatchObject({ data: { first_name: 'Anna', last_name: 'Berg' } });
  });
  it.each([
    { first_name: 'a'.repeat(101) },
    { first_name: 5 },
    { last_name: 'a\u0000' },
    { last_name: [] },
    { signature: 'a'.repeat(2_001) },
    { signature: 5 },
    { email: 'other@example.com' },
    { role: 'admin' },
    { user_id: newId() },
    [],
    null,
  ])('rejects %j and changes nothing', async (body) => {
    const me = asPerson(await identity.aPerson());
    const { status } = await identity.call(updateProfile, me, { body });
    expect([400, 422]).toContain(status);
    expect(await identity.call(readProfile, me)).toMatchObject({ data: { first_name: 'Maria', last_name: null, role: null } });
  });
  it('requires a session', async () => {
    for (const ctx of [
      anonymous(),
      asActor({ type: 'system' }),
      asActor({ type: 'token', token_id: newId(), name: 'Importer', permissions: ['tickets:read'], via: 'api' }, newId()),
    ]) {
      for (const op of [readProfile, updateProfile]) {
        const { status } = await identity.call(op, ctx, op === updateProfile ? { body: {} } : {});
        expect([401, 403]).toContain(status);
      }
    }
    expect(await identity.call(readProfile, undefined)).toMatchObject({ status: 401 });
  });
  it('of a deleted account returns an expired session', async () => {
    expect(await identity.call(readProfile, asPerson({ user_id: newId(), email: '' }))).toMatchObject({
      status: 401,
      data: { code: 'session.expired' },
    });
  });
});
