import { invitationCreated, type DataOf, type Invitation, type Role } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Secrets } from '@tandem/platform';
import { TOTP, URI } from 'otpauth';
import type { Browser } from './client';
import { anAddress } from './client';
import { password, type Founder, type House } from './house';

/** Somebody who was invited and has accepted, with the browser that is signed in. */
export interface Colleague {
  browser: Browser;
  email: string;
  user_id: string;
}

/** The token of an invitation's link, as identity announced it to whoever writes the mail. */
export async function invitationToken(house: House, invitation_id: string): Promise<string> {
  const { app } = house.services.identity;
  const row = await app
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
  return app.get(Secrets, { strict: false }).open('invitation', sealed_token);
}

export async function invite(house: House, founder: Founder, role: Role, email = anAddress('colleague')): Promise<string> {
  const answer = await founder.browser.post<Invitation>('/team/invitations', { email, role });
  if (answer.status !== 201) throw new Error(`invitations answered ${answer.status}: ${answer.text}`);
  return invitationToken(house, answer.data.id);
}

/** The whole way of somebody new on the team: invitation, account, sign-in, acceptance. */
export async function colleague(house: House, founder: Founder, role: Role): Promise<Colleague> {
  const email = await house.account();
  const token = await invite(house, founder, role, email);
  const { browser, session } = await house.signIn(email);
  const answer = await browser.post(`/invitations/${token}/accept`);
  if (answer.status !== 200) throw new Error(`accept answered ${answer.status}: ${answer.text}`);
  return { browser, email, user_id: session.profile.user_id };
}

/** Another tab of a browser: the same cookies, from here on each for itself. */
export function copyOf(browser: Browser, onto: Browser): Browser {
  for (const [name, cookie] of browser.cookies) onto.cookies.set(name, cookie);
  return onto;
}

/** Switches two-factor sign-in on, and gives the authenticator. Each code is taken once: ask for later ones. */
export async function withAuthenticator(browser: Browser): Promise<(periodsLater: number) => string> {
  const begun = await browser.post<{ otpauth_uri: string }>('/me/mfa', { current_password: password });
  if (begun.status !== 200) throw new Error(`mfa answered ${begun.status}: ${begun.text}`);
  const totp = URI.parse(begun.data.otpauth_uri) as TOTP;
  const code = (periodsLater: number) => totp.generate({ timestamp: Date.now() + periodsLater * 30_000 });
  for (;;) {
    const period = Math.floor(Date.now() / 30_000);
    // The code of the period before: the current one is left for what comes next.
    const confirmed = await browser.post('/me/mfa/confirm', { code: code(-1) });
    if (confirmed.status === 200) return code;
    // Where a period has ended on the way, the code was two periods old.
    if (Math.floor(Date.now() / 30_000) === period) throw new Error(`mfa/confirm answered ${confirmed.status}: ${confirmed.text}`);
  }
}
