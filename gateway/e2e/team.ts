import { invitationCreated, type DataOf, type Invitation, type Role } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Secrets } from '@tandem/platform';
import { TOTP, URI } from 'otpauth';
import { anAddress, type Browser } from './client';
import { password, type OwnerSession, type TestApp } from './test-app';

/** A person who has accepted an invitation, with a signed-in browser. */
export interface Colleague {
  browser: Browser;
  email: string;
  user_id: string;
}

/** The token of an invitation link, from identity's event for the email. */
export async function invitationToken(app: TestApp, invitation_id: string): Promise<string> {
  const identity = app.services.identity.app;
  const row = await identity
    .get<Database<{ outbox: { type: string; subject: string; envelope: { data: unknown } } }>>(Database, { strict: false })
    .asSystem('test', (tx) =>
      tx
        .selectFrom('outbox')
        .select('envelope')
        .where('type', '=', invitationCreated.type)
        .where('subject', '=', invitation_id)
        .executeTakeFirstOrThrow(),
    );
  const { sealed_token } = row.envelope.data as DataOf<typeof invitationCreated>;
  return identity.get(Secrets, { strict: false }).open('invitation', sealed_token);
}

export async function invite(app: TestApp, owner: OwnerSession, role: Role, email = anAddress('colleague')): Promise<string> {
  const answer = await owner.browser.post<Invitation>('/team/invitations', { email, role });
  if (answer.status !== 201) throw new Error(`invitations answered ${answer.status}: ${answer.text}`);
  return invitationToken(app, answer.data.id);
}

/** Creates a team member: invitation, account, sign-in, acceptance. */
export async function colleague(app: TestApp, owner: OwnerSession, role: Role): Promise<Colleague> {
  const email = await app.account();
  const token = await invite(app, owner, role, email);
  const { browser, session } = await app.signIn(email);
  const answer = await browser.post(`/invitations/${token}/accept`);
  if (answer.status !== 200) throw new Error(`accept answered ${answer.status}: ${answer.text}`);
  return { browser, email, user_id: session.profile.user_id };
}

/** Another tab of a browser: starts with the same cookies, which diverge from then on. */
export function copyOf(browser: Browser, onto: Browser): Browser {
  for (const [name, cookie] of browser.cookies) onto.cookies.set(name, cookie);
  return onto;
}

/** Enables two-factor sign-in and returns a code generator. Each code is accepted once: request codes of later periods. */
export async function withAuthenticator(browser: Browser): Promise<(periodsLater: number) => string> {
  const begun = await browser.post<{ otpauth_uri: string }>('/me/mfa', { current_password: password });
  if (begun.status !== 200) throw new Error(`mfa answered ${begun.status}: ${begun.text}`);
  const totp = URI.parse(begun.data.otpauth_uri) as TOTP;
  const code = (periodsLater: number) => totp.generate({ timestamp: Date.now() + periodsLater * 30_000 });
  for (;;) {
    const period = Math.floor(Date.now() / 30_000);
    // The code of the previous period, so that the current one stays unused.
    const confirmed = await browser.post('/me/mfa/confirm', { code: code(-1) });
    if (confirmed.status === 200) return code;
    // If a period ended in the meantime, the code was two periods old: try again.
    if (Math.floor(Date.now() / 30_000) === period) throw new Error(`mfa/confirm answered ${confirmed.status}: ${confirmed.text}`);
  }
}
