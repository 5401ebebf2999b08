import { randomBytes } from 'node:crypto';
import { Secrets } from '@tandem/platform';
import { IdentityUnderTest } from '../../test/identity';
import { codeOf, wrongCodeOf } from '../../test/sign-ins';
import { newSecret } from './mfa';
import { findAuthenticator, saveSecret } from './mfa.store';
import { secretPurpose, verifyCode } from './verify-code';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

it('a correct code reseals a secret of an old key with the current key; a wrong code does not', async () => {
  const [old, current] = [newKey('old'), newKey('new')];
  const [before, during, after] = [new Secrets(old), new Secrets(`${current},${old}`), new Secrets(current)];
  const { user_id } = await identity.aPerson();
  const secret = newSecret();
  const sealed = async () => (await identity.db.asSystem('test', (tx) => findAuthenticator(tx, user_id)))!.sealed_secret;
  const take = (code: string) =>
    identity.db.asSystem('test', async (tx) => verifyCode(tx, during, user_id, (await findAuthenticator(tx, user_id))!, code));
  const original = before.seal(secretPurpose, secret);
  await identity.db.asSystem('test', (tx) => saveSecret(tx, user_id, original));

  expect(await take(wrongCodeOf(secret))).toEqual({ is: 'wrong', locksOut: false });
  expect(await sealed()).toBe(original);
  expect(await take(codeOf(secret))).toEqual({ is: 'right', recovery: false });
  expect(after.open(secretPurpose, await sealed())).toBe(secret);
});
