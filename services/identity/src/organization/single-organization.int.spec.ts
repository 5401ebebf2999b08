import { createOrganization, startDemo } from '@tandem/contracts';
import { startForTest, testEnv } from '@tandem/testing';
import { anonymous, asPerson, IdentityUnderTest } from '../../test/identity';
import { TeamUnderTest } from '../../test/team';
import { seedDemoOrganization } from '../demo';
import { identityService } from '../identity.module';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start({ SINGLE_ORGANIZATION: 'true', LIVE_DEMOS: '2' })));
afterAll(() => identity?.close());

const startAgain = async () =>
  startForTest(identityService, await testEnv({ IDENTITY_DATABASE_URL: identity.database.url, SINGLE_ORGANIZATION: 'true', RUN: 'http' }));

it('is created by one of several users who do so at the same moment, next to a live demo', async () => {
  expect((await identity.call(startDemo, anonymous())).status).toBe(200);
  const people = await Promise.all([1, 2, 3, 4].map(() => identity.aPerson()));
  const answers = await Promise.all(
    people.map((person) => identity.call(createOrganization, asPerson(person), { body: { name: 'Acme' } })),
  );
  expect(answers.map(({ status, data }) => data.code ?? status).sort()).toEqual([201, ...Array<string>(3).fill('sign_up.closed')]);
  expect((await identity.call(startDemo, anonymous())).status).toBe(200);
});

it('excludes the lasting demo organization', async () => {
  const before = await identity.weight();
  await expect(seedDemoOrganization(identity.db, { isSingle: true })).rejects.toMatchObject({ code: 'sign_up.closed' });
  expect(await identity.weight()).toEqual(before);
});

it('prevents the start if there are several organizations', async () => {
  await startAgain();
  await TeamUnderTest.found(identity);
  await expect(startAgain()).rejects.toThrow('SINGLE_ORGANIZATION must be false: there are 2 organizations');
});
