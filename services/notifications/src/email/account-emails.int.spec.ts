import {
  accountChanged,
  emailChangeRequested,
  invitationCreated,
  organizationCreated,
  passwordResetRequested,
  type Context,
  type DataOf,
  type Envelope,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { Secrets, type RunningService } from '@tandem/platform';
import { customer, eventually, mailbox, organizationOf, startForTest, testEnv } from '@tandem/testing';
import { notificationsService } from '../notifications.module';
import type { NotificationsSchema } from '../schema';
import { AccountEmails } from './account-emails';

let service: RunningService;
let db: Database<NotificationsSchema>;
let secrets: Secrets;

beforeAll(async () => {
  const env = await testEnv({ SWEEP_MS: '300' });
  service = await startForTest(notificationsService, env);
  db = service.app.get<Database<NotificationsSchema>>(Database);
  secrets = new Secrets(env.ENCRYPTION_KEYS!);
});

const anAddress = () => `${newId()}@example.com`;
const outside = (): Context => ({ ...customer(newId()), organization_id: null });
const accountEmailsTo = (address: string) =>
  db.asSystem('a test', (tx) => tx.selectFrom('account_emails').selectAll().where('to_address', '=', address).execute());
const organizationEmailsTo = (ctx: Context, address: string) =>
  db.forTenant(ctx, (tx) => tx.selectFrom('emails').selectAll().where('to_address', '=', address).execute());

async function aKnownOrganization(name = 'Northwind'): Promise<Context & { organization_id: string }> {
  const ctx = customer(newId());
  await db.forTenant(ctx, (tx) =>
    emit(tx, ctx, organizationCreated, ctx.organization_id, {
      organization: organizationOf(ctx.organization_id, { name, subdomain: 'northwind' }),
    }),
  );
  return ctx;
}
const anInvitation = (ctx: { organization_id: string }, email: string): DataOf<typeof invitationCreated> => ({
  invitation: {
    id: newId(),
    organization_id: ctx.organization_id,
    email,
    role: 'agent',
    status: 'pending',
    created_at: '2026-11-20T10:00:00.000Z',
    expires_at: '2026-11-27T10:00:00.000Z',
  },
  organization_name: 'Northwind',
  invited_by: 'Grace Hopper',
  sealed_token: secrets.seal('invitation', 'the-token'),
});
/** Emits the event as identity does, through the outbox of the service under test. */
const announceReset = (ctx: Context, email: string) =>
  db.asSystem('a test', (tx) =>
    emit(tx, ctx, passwordResetRequested, newId(), {
      user_id: newId(),
      email,
      first_name: 'Ada',
      sealed_token: secrets.seal('password-reset', 'the-token'),
    }),
  );

describe('the password reset email', () => {
  it('contains the token, which is stored encrypted before and removed afterward', async () => {
    const email = anAddress();
    await announceReset(outside(), email);
    const mail = await mailbox.waitFor({ to: email });
    expect(mail.subject).toBe('Set a new password');
    expect(mail.links).toContain('http://localhost:3000/auth/reset-password?token=the-token');
    await eventually(async () =>
      expect((await accountEmailsTo(email)).map(({ state, data }) => ({ state, data }))).toEqual([
        { state: 'sent', data: { first_name: 'Ada' } },
      ]),
    );
  });

  it('is sent once, even if its event is delivered several times', async () => {
    const email = anAddress();
    const envelope = { id: newId() } as Envelope;
    const data = { user_id: newId(), email, first_name: null, sealed_token: secrets.seal('password-reset', 'the-token') };
    // Bypasses the inbox, which stops most repeats: inbox rows are deleted after a while.
    const deliver = () =>
      db.asSystem('a test', (tx) => service.app.get(AccountEmails).onPasswordResetRequested(outside(), data, tx, envelope));
    await Promise.all([deliver(), deliver()]);
    await mailbox.waitFor({ to: email });
    await eventually(async () => expect((await accountEmailsTo(email)).map(({ state }) => state)).toEqual(['sent']));
    await deliver();
    const other = anAddress();
    await announceReset(outside(), other);
    await mailbox.waitFor({ to: other });
    expect(await accountEmailsTo(email)).toHaveLength(1);
    expect(await mailbox.find({ to: email })).toHaveLength(1);
  });

  it('has the branding of the product, even if its event has an organization', async () => {
    const ctx = await aKnownOrganization();
    const email = anAddress();
    await announceReset(ctx, email);
    expect((await mailbox.waitFor({ to: email })).text).not.toContain('Northwind');
    expect(await organizationEmailsTo(ctx, email)).toEqual([]);
    expect(await accountEmailsTo(email)).toHaveLength(1);
  });
});

describe('the confirmation of a new email address', () => {
  const request = async (token: string | null) => {
    const email = anAddress();
    await db.asSystem('a test', (tx) =>
      emit(tx, outside(), emailChangeRequested, newId(), {
        user_id: newId(),
        email,
        first_name: 'Ada',
        sealed_token: token === null ? null : secrets.seal('email-change', token),
      }),
    );
    return { email, mail: await mailbox.waitFor({ to: email }) };
  };
  it('contains the token, which is removed afterward', async () => {
    const { email, mail } = await request('the-token');
    expect(mail.subject).toBe('Confirm your new email address');
    expect(mail.links).toContain('http://localhost:3000/auth/confirm-email-change?token=the-token');
    await eventually(async () => expect((await accountEmailsTo(email)).map(({ data }) => data)).toEqual([{ first_name: 'Ada' }]));
  });
  it('reports an existing account instead, without a token', async () => {
    const { mail } = await request(null);
    expect(mail.subject).toBe('You already have an account');
    expect(mail.links.filter((link) => link.includes('token'))).toEqual([]);
  });
});

describe('the email about a changed account', () => {
  it.each([
    ['password_changed', 'Your password was changed'],
    ['email_changed', 'Your email address was changed'],
    ['mfa_enabled', 'Two-factor sign-in is on'],
    ['mfa_disabled', 'Two-factor sign-in is off'],
  ] as const)('reports %s', async (what, subject) => {
    const email = anAddress();
    await db.asSystem('a test', (tx) => emit(tx, outside(), accountChanged, newId(), { user_id: newId(), email, first_name: 'Ada', what }));
    expect((await mailbox.waitFor({ to: email })).subject).toBe(subject);
  });
});

describe('an invitation', () => {
  const announce = async (ctx: Context & { organization_id: string }) => {
    const email = anAddress();
    const data = anInvitation(ctx, email);
    await db.forTenant(ctx, (tx) => emit(tx, ctx, invitationCreated, data.invitation.id, data));
    return email;
  };

  it('is an email of the organization, whose token is removed afterward', async () => {
    const ctx = await aKnownOrganization();
    const email = await announce(ctx);
    const mail = await mailbox.waitFor({ to: email });
    expect(mail.subject).toBe('Invitation to join Northwind');
    expect(mail.text).toContain('Grace Hopper has invited you');
    expect(mail.links).toContain('http://localhost:3000/accept-invitation?token=the-token');
    await eventually(async () =>
      expect((await organizationEmailsTo(ctx, email)).map(({ state, data }) => ({ state, data }))).toEqual([
        { state: 'sent', data: { invited_by: 'Grace Hopper', role: 'agent', expires_at: '2026-11-27T10:00:00.000Z' } },
      ]),
    );
    expect(await organizationEmailsTo(await aKnownOrganization(), email)).toEqual([]);
    expect(await accountEmailsTo(email)).toEqual([]);
  });

  it('is sent again with a new link when it is resent', async () => {
    const ctx = await aKnownOrganization();
    const email = anAddress();
    const first = anInvitation(ctx, email);
    const again = { ...first, sealed_token: secrets.seal('invitation', 'another-token') };
    for (const data of [first, again]) await db.forTenant(ctx, (tx) => emit(tx, ctx, invitationCreated, data.invitation.id, data));
    await eventually(async () =>
      expect((await mailbox.find({ to: email })).flatMap(({ links }) => links).sort()).toEqual([
        'http://localhost:3000/accept-invitation?token=another-token',
        'http://localhost:3000/accept-invitation?token=the-token',
      ]),
    );
  });

  it('whose token was encrypted for another purpose is not sent', async () => {
    const ctx = await aKnownOrganization();
    const email = anAddress();
    const data = { ...anInvitation(ctx, email), sealed_token: secrets.seal('password-reset', 'the-token') };
    await db.forTenant(ctx, (tx) => emit(tx, ctx, invitationCreated, data.invitation.id, data));
    await eventually(async () => expect((await organizationEmailsTo(ctx, email))[0]?.last_error).toEqual(expect.any(String)));
    expect(await mailbox.find({ to: email })).toEqual([]);
  });
});
