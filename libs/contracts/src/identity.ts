import * as z from 'zod';
import { event, job, operation } from './define';
import { SessionOrganization, Subdomain } from './organizations';
import { missing } from './messages';
import { blankToNull, currentPassword, email, Id, text, Timestamp } from './scalars';
import { passwordRules, profileLimits, sessionRules } from './values/limits';
import { roles } from './values/permissions';

const owner = 'identity';

// ---- shapes ---------------------------------------------------------------------------------------------------

export const Profile = z.object({
  user_id: Id,
  email: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  /** Markdown that the app adds below the user's replies to customers. */
  signature: z.string().nullable().default(null),
  organization_id: Id.nullable(),
  role: z.enum(roles).nullable(),
});
export type Profile = z.infer<typeof Profile>;

/** A user's two-factor sign-in. */
export const MfaState = z.object({
  enabled: z.boolean(),
  enabled_at: Timestamp.nullable(),
  recovery_codes_left: z.number().int(),
  /** The organization requires it for this role: it cannot be disabled, and without it no data of the organization is accessible. */
  required: z.boolean(),
});
export type MfaState = z.infer<typeof MfaState>;

/** The signed-in user and the session's deadlines: the browser displays them, the server enforces them. */
export const Session = z.object({
  session_id: Id,
  profile: Profile,
  organization: SessionOrganization.nullable(),
  /** The organization requires two-factor sign-in and the user has not set it up: until then only the user's own account is accessible. */
  mfa_enrolment_required: z.boolean(),
  idle_expires_at: Timestamp,
  absolute_expires_at: Timestamp,
});
export type Session = z.infer<typeof Session>;

/**
 * A session as the gateway gets it: with the refresh token for the cookie (null: keep the existing cookie), and the
 * version of the user's access for the access token. `access.changed` announces a newer version, which invalidates older tokens.
 */
export const IssuedSession = z.object({ session: Session, refresh_token: z.string().nullable(), access_version: z.number().int() });
export type IssuedSession = z.infer<typeof IssuedSession>;

/** The password was correct; the code from the user's authenticator is still required. */
export const MfaChallenge = z.object({ mfa_required: z.literal(true), mfa_token: z.string(), expires_at: Timestamp });
export type MfaChallenge = z.infer<typeof MfaChallenge>;

/** The response to a confirmed address: `session` is set if the confirmation has signed the browser in. */
export const ConfirmedEmail = z.object({ email: z.string(), session: Session.nullable() });
export type ConfirmedEmail = z.infer<typeof ConfirmedEmail>;

/** One sign-in on one device, as its user sees it. */
export const Device = z.object({
  id: Id,
  /** Whether it is the session of this request. */
  current: z.boolean(),
  user_agent: z.string().nullable(),
  ip: z.string().nullable(),
  created_at: Timestamp,
  last_seen_at: Timestamp,
});
export type Device = z.infer<typeof Device>;

// ---- inputs ---------------------------------------------------------------------------------------------------

/** A password is used exactly as typed: never trimmed, never case-folded. */
const newPassword = (whenEmpty = 'Enter a new password') =>
  z
    .string(missing(whenEmpty))
    .min(1, whenEmpty)
    .min(passwordRules.minLength, 'Password must be at least 8 characters long')
    .max(passwordRules.maxLength, 'Password must be at most 256 characters long')
    .refine((value) => !value.includes('\u0000') && value.isWellFormed(), 'Contains characters that cannot be stored');
const personName = text(100)
  .nullish()
  .transform((value) => (value ? value : null));
/** Tokens in emailed links: 32 random bytes, base64url. */
const tokenText = (refusal: string) => z.string(refusal).regex(/^[A-Za-z0-9_-]{43}$/, refusal);
const token = tokenText('Not a valid token');
/** An email program may have shortened the link. */
const linkToken = tokenText('This link is incomplete. Open it again from the email.');

export const SignUp = z.strictObject({
  email: email('Email and password are required'),
  password: newPassword('Email and password are required'),
  first_name: personName,
  last_name: personName,
});
export type SignUp = z.infer<typeof SignUp>;
export const Credentials = z.strictObject({
  email: email('Email and password are required'),
  password: z.string(missing('Email and password are required')).min(1, 'Email and password are required').max(1024),
});
export type Credentials = z.infer<typeof Credentials>;
/** Six digits from an authenticator, or a recovery code; spaces and hyphens between the characters are ignored. */
const enterCode = 'Enter the 6-digit code of your authenticator app, or a recovery code';
const mfaCode = z
  .string(missing(enterCode))
  .max(64, enterCode)
  .transform((value) => value.replace(/[\s-]/g, '').toLowerCase())
  .pipe(z.string().regex(/^(?:\d{6}|[a-z2-7]{16})$/, enterCode));
export const ChangePassword = z.strictObject({ current_password: currentPassword, new_password: newPassword() });
export type ChangePassword = z.infer<typeof ChangePassword>;
export const ChangeEmail = z.strictObject({ email: email(), current_password: currentPassword });
export type ChangeEmail = z.infer<typeof ChangeEmail>;
/** The token of a link in an email. */
export const EmailToken = z.strictObject({ token: linkToken });
export const ProvePassword = z.strictObject({ current_password: currentPassword });
export const UpdateProfile = z.strictObject({
  first_name: personName.optional(),
  last_name: personName.optional(),
  signature: blankToNull(profileLimits.signature).optional(),
});
export type UpdateProfile = z.infer<typeof UpdateProfile>;

const Accepted = z.object({ message: z.string() });

// ---- operations -----------------------------------------------------------------------------------------------

export const signUp = operation({
  name: 'identity.signUp',
  summary: 'Sign up; emails a confirmation link. The response is the same for a taken address.',
  owner,
  method: 'POST',
  path: '/auth/sign-up',
  allow: 'public',
  handwritten: true,
  status: 202,
  input: { body: SignUp },
  output: Accepted,
  problems: ['sign_up.closed', 'sign_up.invitation_required'],
});
export const confirmEmail = operation({
  name: 'identity.confirmEmail',
  summary: 'Confirm an address with the token of the emailed link; in the browser that signed up, this also signs in.',
  owner,
  method: 'POST',
  path: '/auth/confirm-email',
  allow: 'public',
  handwritten: true,
  input: { body: EmailToken },
  /** `issued` is null except in the browser that signed up. */
  output: z.object({ email: z.string(), issued: IssuedSession.nullable() }),
  problems: ['confirmation.invalid'],
});
export const resendConfirmation = operation({
  name: 'identity.resendConfirmation',
  summary: 'Email a new confirmation link. The response is the same for an unknown address.',
  owner,
  method: 'POST',
  path: '/auth/resend-confirmation',
  allow: 'public',
  handwritten: true,
  status: 202,
  input: { body: z.strictObject({ email: email() }) },
  output: Accepted,
});
export const signIn = operation({
  name: 'identity.signIn',
  summary: 'Sign in with email and password; sets the session cookies, or returns that a second factor is required.',
  owner,
  method: 'POST',
  path: '/auth/sign-in',
  allow: 'public',
  limit: 'login',
  handwritten: true,
  input: { body: Credentials },
  output: z.union([IssuedSession, MfaChallenge]),
  problems: ['credentials.invalid', 'email.not_confirmed', 'account.inactive', 'login.blocked'],
});
export const readInstallation = operation({
  name: 'identity.readInstallation',
  summary: 'What this installation offers to people without an account.',
  owner,
  method: 'GET',
  path: '/public/installation',
  allow: 'public',
  input: {},
  output: z.object({ sign_up: z.enum(['open', 'invite', 'closed']), has_live_demo: z.boolean() }),
});
export const startDemo = operation({
  name: 'identity.startDemo',
  summary: 'Sign in to a new organization with demo data, which is deleted after an hour; sets the session cookies.',
  owner,
  method: 'POST',
  path: '/auth/demo',
  allow: 'public',
  limit: 'demo',
  handwritten: true,
  input: {},
  output: IssuedSession,
  problems: ['demo.not_offered', 'demo.full'],
});
export const verifyMfa = operation({
  name: 'identity.verifyMfa',
  summary: 'The second step of a sign-in: a code of the authenticator, or a recovery code, which is then used up.',
  owner,
  method: 'POST',
  path: '/auth/mfa',
  allow: 'public',
  limit: 'login',
  handwritten: true,
  input: { body: z.strictObject({ mfa_token: token, code: mfaCode }) },
  output: IssuedSession,
  problems: ['mfa.code_invalid', 'mfa.challenge_expired', 'login.blocked', 'account.inactive'],
});
export const beginOidc = operation({
  name: 'identity.beginOidc',
  summary: "Start signing in at an organization's OpenID provider; returns the URL to which the browser is redirected.",
  owner,
  method: 'POST',
  path: '/auth/oidc',
  allow: 'public',
  handwritten: true,
  /** `binding` is the hash of a secret in the browser's cookie; the gateway adds it, and clients cannot set it. */
  input: {
    body: z.strictObject({
      subdomain: Subdomain,
      redirect: z.string().max(500).default('/dashboard'),
      binding: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  },
  output: z.object({ authorize_url: z.string() }),
  problems: ['oidc.not_connected', 'oidc.unreachable'],
});
export const finishOidc = operation({
  name: 'identity.finishOidc',
  summary: 'Exchange the response of the OpenID provider for a session; for the gateway only.',
  owner,
  method: 'POST',
  path: '/internal/oidc/finish',
  allow: 'gateway',
  handwritten: true,
  /** `query` is the query string that the provider appended to our redirect URL, which identifies the organization. */
  input: { body: z.strictObject({ organization_id: Id, query: z.string().max(8_000), binding: z.string().max(200) }) },
  output: z.object({ issued: IssuedSession, redirect: z.string() }),
  problems: ['oidc.failed', 'oidc.not_a_member', 'account.inactive'],
});
/** The redirect target of OpenID providers. Not part of the API, so not in the OpenAPI document. */
export const finishSso = operation({
  name: 'gateway.finishSso',
  summary: 'Callback of an OpenID provider: sets the session cookies and redirects to the requested page.',
  owner: 'gateway',
  method: 'GET',
  path: '/auth/oidc/callback/:organization_id',
  allow: 'public',
  handwritten: true,
  output: z.never(),
});
export const refreshSession = operation({
  name: 'identity.refreshSession',
  summary: 'Rotate the refresh token and renew the access token; reuse of an old refresh token ends the session.',
  owner,
  method: 'POST',
  path: '/auth/refresh',
  allow: 'public',
  limit: 'session',
  handwritten: true,
  input: {
    body: z.strictObject({
      refresh_token: token,
      /** Seconds since the user's last input in any tab: automatic refreshes of an open page must not keep a session alive. */
      idle_seconds: z
        .number()
        .int()
        .min(0)
        .max(sessionRules.idleMinutes * 60)
        .default(0),
    }),
  },
  output: IssuedSession,
  problems: ['session.expired'],
});
export const signOut = operation({
  name: 'identity.signOut',
  summary: 'End the session and clear its cookies.',
  owner,
  method: 'POST',
  path: '/auth/sign-out',
  allow: 'signed-in',
  limit: 'session',
  handwritten: true,
  output: z.object({}),
});
export const readSession = operation({
  name: 'identity.readSession',
  summary: 'Read the current session: user, organization and deadlines.',
  owner,
  method: 'GET',
  path: '/auth/session',
  allow: 'signed-in',
  limit: 'session',
  output: Session,
  problems: ['session.expired'],
});
export const extendSession = operation({
  name: 'identity.extendSession',
  summary: 'Extend the idle deadline, as activity does, up to the absolute one.',
  owner,
  method: 'POST',
  path: '/auth/session/extend',
  allow: 'signed-in',
  limit: 'session',
  handwritten: true,
  output: IssuedSession,
  problems: ['session.expired'],
});
export const listDevices = operation({
  name: 'identity.listDevices',
  summary: 'List the active sessions of the user, newest first.',
  owner,
  method: 'GET',
  path: '/auth/sessions',
  allow: 'signed-in',
  output: z.array(Device),
});
export const revokeDevice = operation({
  name: 'identity.revokeDevice',
  summary: 'End one of the user’s sessions.',
  owner,
  method: 'DELETE',
  path: '/auth/sessions/:id',
  allow: 'signed-in',
  input: { params: z.object({ id: Id }) },
  output: z.object({}),
  problems: ['device.not_found'],
});
export const revokeOtherDevices = operation({
  name: 'identity.revokeOtherDevices',
  summary: 'End all sessions of the user except this one.',
  owner,
  method: 'DELETE',
  path: '/auth/sessions',
  allow: 'signed-in',
  output: z.object({ ended: z.number().int() }),
});
export const requestPasswordReset = operation({
  name: 'identity.requestPasswordReset',
  summary: 'Email a link to reset the password. The response is the same for an unknown address.',
  owner,
  method: 'POST',
  path: '/auth/password/forgot',
  allow: 'public',
  limit: 'password_reset',
  status: 202,
  input: { body: z.strictObject({ email: email() }) },
  output: Accepted,
});
export const resetPassword = operation({
  name: 'identity.resetPassword',
  summary: 'Set a new password with the token of the mailed link; ends every session of the account.',
  owner,
  method: 'POST',
  path: '/auth/password/reset',
  allow: 'public',
  handwritten: true,
  input: { body: z.strictObject({ token: linkToken, password: newPassword() }) },
  output: z.object({ email: z.string() }),
  problems: ['reset.invalid'],
});
export const changePassword = operation({
  name: 'identity.changePassword',
  summary: 'Change the password of the user; ends every other session of the account.',
  owner,
  method: 'POST',
  path: '/me/password',
  allow: 'signed-in',
  input: { body: ChangePassword },
  output: z.object({}),
  problems: ['password.wrong', 'login.blocked'],
});
export const changeEmail = operation({
  name: 'identity.changeEmail',
  summary:
    'Request a new sign-in address: emails it a link, and takes effect when the link is opened. The response is the same for a taken address.',
  owner,
  method: 'POST',
  path: '/me/email',
  allow: 'signed-in',
  status: 202,
  input: { body: ChangeEmail },
  output: Accepted,
  problems: ['password.wrong', 'login.blocked'],
});
export const confirmEmailChange = operation({
  name: 'identity.confirmEmailChange',
  summary: 'Confirm the new sign-in address with the token of the emailed link.',
  owner,
  method: 'POST',
  path: '/auth/confirm-email-change',
  allow: 'public',
  input: { body: EmailToken },
  output: z.object({ email: z.string() }),
  problems: ['confirmation.invalid'],
});
export const readMfa = operation({
  name: 'identity.readMfa',
  summary: 'Read whether the user has two-factor sign-in.',
  owner,
  method: 'GET',
  path: '/me/mfa',
  allow: 'signed-in',
  output: MfaState,
});
export const beginMfa = operation({
  name: 'identity.beginMfa',
  summary: 'Start setting up two-factor sign-in: returns a new secret for the authenticator, which takes effect once a code is confirmed.',
  owner,
  method: 'POST',
  path: '/me/mfa',
  allow: 'signed-in',
  input: { body: ProvePassword },
  /** `secret` is base32 (RFC 4648), `otpauth_uri` is the content of the QR code. */
  output: z.object({ secret: z.string(), otpauth_uri: z.string() }),
  problems: ['password.wrong', 'login.blocked', 'mfa.already_enabled'],
});
export const confirmMfa = operation({
  name: 'identity.confirmMfa',
  summary: 'Turn on two-factor sign-in with a first code; returns the recovery codes, which are shown only once.',
  owner,
  method: 'POST',
  path: '/me/mfa/confirm',
  allow: 'signed-in',
  input: { body: z.strictObject({ code: mfaCode }) },
  output: z.object({ recovery_codes: z.array(z.string()) }),
  problems: ['mfa.code_invalid', 'mfa.not_begun', 'mfa.already_enabled', 'login.blocked'],
});
export const disableMfa = operation({
  name: 'identity.disableMfa',
  summary: 'Turn off two-factor sign-in of the user.',
  owner,
  method: 'DELETE',
  path: '/me/mfa',
  allow: 'signed-in',
  input: { body: ProvePassword },
  output: MfaState,
  problems: ['password.wrong', 'login.blocked', 'mfa.required'],
});
export const renewRecoveryCodes = operation({
  name: 'identity.renewRecoveryCodes',
  summary: 'Replace the user’s recovery codes; the new ones are shown only once.',
  owner,
  method: 'POST',
  path: '/me/mfa/recovery-codes',
  allow: 'signed-in',
  input: { body: ProvePassword },
  output: z.object({ recovery_codes: z.array(z.string()) }),
  problems: ['password.wrong', 'login.blocked', 'mfa.not_enabled'],
});
export const readProfile = operation({
  name: 'identity.readProfile',
  summary: 'Read the profile of the user.',
  owner,
  method: 'GET',
  path: '/me',
  allow: 'signed-in',
  output: Profile,
});
export const updateProfile = operation({
  name: 'identity.updateProfile',
  summary: 'Change the name of the user.',
  owner,
  method: 'PATCH',
  path: '/me',
  allow: 'signed-in',
  input: { body: UpdateProfile },
  output: Profile,
});
// ---- events ---------------------------------------------------------------------------------------------------

/** `sealed_token` is encrypted for the notifications service; null if the address already has a confirmed account. */
export const emailConfirmationRequested = event(
  'email.confirmation_requested',
  owner,
  z.object({ user_id: Id, email: z.string(), first_name: z.string().nullable(), sealed_token: z.string().nullable() }),
  { tenant: false },
);
/** `sealed_token` opens with the purpose `password-reset`. Not emitted for an address without a confirmed account. */
export const passwordResetRequested = event(
  'password.reset_requested',
  owner,
  z.object({ user_id: Id, email: z.string(), first_name: z.string().nullable(), sealed_token: z.string() }),
  { tenant: false },
);
/** Sent to the future new address. `sealed_token` opens with the purpose `email-change`; null if the address already has an account. */
export const emailChangeRequested = event(
  'email.change_requested',
  owner,
  z.object({ user_id: Id, email: z.string(), first_name: z.string().nullable(), sealed_token: z.string().nullable() }),
  { tenant: false },
);
/** The organization whose deletion also deletes the account. */
export const AccountDeletion = z.object({
  organization_id: Id,
  organization_name: z.string(),
  /** The name or address of the admin who requested the deletion; of the one who cancelled it, if it was cancelled. */
  actor_name: z.string().nullable(),
  requested_at: Timestamp,
  delete_at: Timestamp,
});
export type AccountDeletion = z.infer<typeof AccountDeletion>;
/**
 * A change that must be reported to the account's owner, at the address before the change. A deletion of the organization is reported to
 * its admins when it is requested, due or cancelled, and to every member when their account is deleted with it.
 */
export const accountChanged = event(
  'account.changed',
  owner,
  z.object({
    user_id: Id,
    email: z.string(),
    first_name: z.string().nullable(),
    what: z.enum([
      'password_changed',
      'email_changed',
      'mfa_enabled',
      'mfa_disabled',
      'deletion_requested',
      'deletion_due',
      'deletion_cancelled',
      'deleted',
    ]),
    /** If `what` is about a deletion. */
    deletion: AccountDeletion.optional(),
  }),
  { tenant: false },
);
/**
 * A user's access has changed (role, deactivation, password, a session that was revoked): every replica of the gateway rejects access
 * tokens with a lower version. Sessions that are still valid get a new token by refreshing.
 */
export const accessChanged = event('access.changed', owner, z.object({ user_id: Id, access_version: z.number().int() }), { tenant: false });

// ---- jobs -----------------------------------------------------------------------------------------------------

/** Deletes accounts that were never confirmed, and expired links; the job finds them in the tables. */
export const cleanUpAccounts = job({
  type: 'clean_up_accounts',
  owner,
  queue: 'identity',
  data: z.strictObject({}),
  attempts: 3,
  backoffMs: [30_000],
  tenant: false,
});
