import { requestPasswordReset, resetPassword, signIn, type Context, type Session } from '@tandem/contracts';
import { hashToken } from '@tandem/platform';
import { anonymous, asSession, password, type IdentityUnderTest, type Person } from './identity';

export const nextPassword = 'another-one-9!';

/** Passwords that every form rejects, with the displayed message. */
export const refusedPasswords: [what: string, value: unknown, message?: string][] = [
  ['none', undefined],
  ['null', null],
  ['an empty one', '', 'Enter a new password'],
  ['a short one', 'x7Kq!m2', 'Password must be at least 8 characters long'],
  ['one that is too long', 'x7'.repeat(129), 'Password must be at most 256 characters long'],
  ['one of the wrong type', 12345678901],
  ['a list', [nextPassword]],
  ['an object', { $ne: '' }],
  ['one with NUL', 'x7Kq!m2v\u0000', 'Contains characters that cannot be stored'],
  ['one with an unpaired surrogate', 'x7Kq!m2v\ud800', 'Contains characters that cannot be stored'],
  ['only spaces', '          ', 'This password is too common. Choose another one.'],
  ['a common one', 'Password123!', 'This password is too common. Choose another one.'],
  ['our name', 'tandem2026', 'Choose a password that isn’t based on your email address or our name.'],
];

/** Actions and queries of the password tests. */
export class Passwords {
  constructor(private readonly identity: IdentityUnderTest) {}

  forgot(email: unknown) {
    return this.identity.call(requestPasswordReset, anonymous(), { body: { email } });
  }

  reset(body: unknown) {
    return this.identity.call(resetPassword, anonymous(), { body });
  }

  tryToSignIn(email: string, withPassword = password) {
    return this.identity.call(signIn, anonymous(), { body: { email, password: withPassword } });
  }

  async signedInAs({ email }: Person, withPassword = password): Promise<Context> {
    return asSession((await this.tryToSignIn(email, withPassword)).data.session as Session);
  }

  async mailsTo(email: string) {
    return (await this.identity.events('password.reset_requested')).filter(({ data }) => data.email === email);
  }

  /** The token of a new link for this person. */
  async aToken({ email }: Person): Promise<string> {
    await this.forgot(email);
    const tokens = (await this.mailsTo(email)).map(({ data }) => this.identity.secrets.open('password-reset', data.sealed_token as string));
    return tokens.at(-1) ?? '';
  }

  /** A person's sessions with their end reason; null while active. */
  async sessionsOf({ user_id }: Person): Promise<Record<string, string | null>> {
    const rows = await this.identity.db.asSystem('test', (tx) =>
      tx.selectFrom('sessions').select(['id', 'end_reason']).where('user_id', '=', user_id).execute(),
    );
    return Object.fromEntries(rows.map(({ id, end_reason }) => [id, end_reason]));
  }

  async changesOf({ user_id }: Person) {
    return (await this.identity.events('account.changed')).filter(({ subject }) => subject === user_id);
  }

  /** Inserts links of all kinds, which a new password must delete. */
  async otherLinks({ user_id }: Person): Promise<void> {
    await this.identity.db.asSystem('test', async (tx) => {
      const expires_at = new Date(Date.now() + 60_000).toISOString();
      const link = (kind: string) => ({ token_hash: hashToken(`${kind}${user_id}`), user_id, expires_at });
      await tx.insertInto('password_resets').values(link('reset')).execute();
      const change = { ...link('email'), email: 'thief@example.com' };
      await tx.insertInto('email_changes').values(change).execute();
      await tx.insertInto('mfa_challenges').values(link('mfa')).execute();
    });
  }

  /** The number of the person's links of all kinds. */
  async linksOf({ user_id }: Person): Promise<number> {
    const links = await this.identity.db.asSystem('test', (tx) =>
      Promise.all(
        (['password_resets', 'email_changes', 'mfa_challenges'] as const).map((table) =>
          tx.selectFrom(table).select('token_hash').where('user_id', '=', user_id).execute(),
        ),
      ),
    );
    return links.flat().length;
  }
}
