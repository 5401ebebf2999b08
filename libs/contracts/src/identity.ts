import * as z from 'zod';
import { event, operation } from './define';
import { email, Id, requiredText, text, Timestamp } from './scalars';
import { passwordRules, subdomainRule } from './values/limits';
import { roles } from './values/permissions';

const owner = 'identity';

// ---- shapes ---------------------------------------------------------------------------------------------------

export const Organization = z.object({
  id: Id,
  name: z.string(),
  slug: z.string(),
  /** Names the organization's portal: `{subdomain}.{product domain}`. Null when it has none. */
  subdomain: z.string().nullable(),
  /** The letters before the counter in ticket numbers, 2 to 5, taken from the name. */
  ticket_prefix: z.string(),
  trial_ends_at: Timestamp,
  created_at: Timestamp,
});
export type Organization = z.infer<typeof Organization>;

/** What the organization's customers may know of it. */
export const PublicOrganization = z.object({ id: Id, name: z.string(), subdomain: z.string().nullable() });
export type PublicOrganization = z.infer<typeof PublicOrganization>;

/** A person's place in one organization (the specification's profile). */
export const Member = z.object({
  user_id: Id,
  organization_id: Id,
  email: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  role: z.enum(roles),
  is_active: z.boolean(),
  created_at: Timestamp,
});
export type Member = z.infer<typeof Member>;

export const Profile = z.object({
  user_id: Id,
  email: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  organization_id: Id.nullable(),
  role: z.enum(roles).nullable(),
});
export type Profile = z.infer<typeof Profile>;

/** Who is signed in, and until when: the browser mirrors these deadlines, the server enforces them. */
export const Session = z.object({
  session_id: Id,
  profile: Profile,
  organization: Organization.nullable(),
  idle_expires_at: Timestamp,
  absolute_expires_at: Timestamp,
});
export type Session = z.infer<typeof Session>;

/** A session as the gateway gets it: with the refresh token it puts into the cookie. Null: keep the cookie that is there. */
export const IssuedSession = z.object({ session: Session, refresh_token: z.string().nullable() });
export type IssuedSession = z.infer<typeof IssuedSession>;

// ---- inputs ---------------------------------------------------------------------------------------------------

/** Exact bytes: a password is never trimmed or folded. */
const newPassword = z
  .string()
  .min(1, 'Email and password are required')
  .min(passwordRules.minLength, 'Password must be at least 8 characters long')
  .max(passwordRules.maxLength, 'Password must be at most 256 characters long')
  .refine((value) => !value.includes('\u0000') && value.isWellFormed(), 'Contains characters that cannot be stored');
const personName = text(100)
  .nullish()
  .transform((value) => (value ? value : null));
/** Tokens of mailed links: 32 random bytes, base64url. */
const token = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'Not a valid token');

export const SignUp = z.strictObject({
  email: email('Email and password are required'),
  password: newPassword,
  first_name: personName,
  last_name: personName,
});
export type SignUp = z.infer<typeof SignUp>;
export const Credentials = z.strictObject({
  email: email('Email and password are required'),
  password: z.string().min(1, 'Email and password are required').max(1024),
});
export type Credentials = z.infer<typeof Credentials>;
export const UpdateProfile = z.strictObject({ first_name: personName.optional(), last_name: personName.optional() });
export type UpdateProfile = z.infer<typeof UpdateProfile>;
export const CreateOrganization = z.strictObject({ name: requiredText(100, 'Organization name must not be blank') });
export type CreateOrganization = z.infer<typeof CreateOrganization>;
export const Subdomain = z.string().trim().toLowerCase().regex(subdomainRule.pattern, subdomainRule.message);

const Accepted = z.object({ message: z.string() });

// ---- operations -----------------------------------------------------------------------------------------------

export const signUp = operation({
  name: 'identity.signUp',
  summary: 'Open an account; a confirmation link is mailed. The answer is the same for a taken address.',
  owner,
  method: 'POST',
  path: '/auth/sign-up',
  allow: 'public',
  status: 202,
  input: { body: SignUp },
  output: Accepted,
});
export const confirmEmail = operation({
  name: 'identity.confirmEmail',
  summary: 'Confirm an address with the token of the mailed link.',
  owner,
  method: 'POST',
  path: '/auth/confirm-email',
  allow: 'public',
  input: { body: z.strictObject({ token }) },
  output: z.object({ email: z.string() }),
  problems: ['confirmation.invalid'],
});
export const resendConfirmation = operation({
  name: 'identity.resendConfirmation',
  summary: 'Mail a new confirmation link. The answer is the same for an unknown address.',
  owner,
  method: 'POST',
  path: '/auth/resend-confirmation',
  allow: 'public',
  status: 202,
  input: { body: z.strictObject({ email: email() }) },
  output: Accepted,
});
export const signIn = operation({
  name: 'identity.signIn',
  summary: 'Sign in with e-mail and password; sets the session cookies.',
  owner,
  method: 'POST',
  path: '/auth/sign-in',
  allow: 'public',
  limit: 'login',
  handwritten: true,
  input: { body: Credentials },
  output: IssuedSession,
  problems: ['credentials.invalid', 'email.not_confirmed', 'account.inactive', 'login.blocked'],
});
export const refreshSession = operation({
  name: 'identity.refreshSession',
  summary: 'Rotate the refresh token and renew the access token; re-use of an old one ends the session.',
  owner,
  method: 'POST',
  path: '/auth/refresh',
  allow: 'public',
  handwritten: true,
  input: { body: z.strictObject({ refresh_token: token }) },
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
  handwritten: true,
  output: z.object({}),
});
export const readSession = operation({
  name: 'identity.readSession',
  summary: 'Who is signed in: profile, organization, deadlines.',
  owner,
  method: 'GET',
  path: '/auth/session',
  allow: 'signed-in',
  output: Session,
  problems: ['session.expired'],
});
export const readProfile = operation({
  name: 'identity.readProfile',
  summary: 'The own profile.',
  owner,
  method: 'GET',
  path: '/me',
  allow: 'signed-in',
  output: Profile,
});
export const updateProfile = operation({
  name: 'identity.updateProfile',
  summary: 'Change the own name.',
  owner,
  method: 'PATCH',
  path: '/me',
  allow: 'signed-in',
  input: { body: UpdateProfile },
  output: Profile,
});
export const createOrganization = operation({
  name: 'identity.createOrganization',
  summary: 'Name a new organization; the caller becomes its admin.',
  owner,
  method: 'POST',
  path: '/organizations',
  allow: 'signed-in',
  status: 201,
  handwritten: true,
  input: { body: CreateOrganization },
  output: Organization,
  problems: ['organization.already_set_up'],
});
export const readOrganization = operation({
  name: 'identity.readOrganization',
  summary: 'The own organization.',
  owner,
  method: 'GET',
  path: '/organizations/:id',
  allow: 'organization.read',
  input: { params: z.object({ id: Id }) },
  output: Organization,
  problems: ['organization.not_found'],
});
export const listMembers = operation({
  name: 'identity.listMembers',
  summary: 'Everybody on the team.',
  owner,
  method: 'GET',
  path: '/team/members',
  allow: 'team.read',
  output: z.array(Member),
});
export const readPublicOrganization = operation({
  name: 'identity.readPublicOrganization',
  summary: 'The organization whose portal this host is.',
  owner,
  method: 'GET',
  path: '/public/organization',
  allow: 'portal',
  output: PublicOrganization,
  problems: ['organization.not_found'],
});
export const findOrganizationOfHost = operation({
  name: 'identity.findOrganizationOfHost',
  summary: 'Which organization a host name stands for; for the gateway only.',
  owner,
  method: 'GET',
  path: '/internal/organization-of-host',
  allow: 'gateway',
  handwritten: true,
  input: { query: z.strictObject({ host: z.string().max(255) }) },
  output: PublicOrganization.nullable(),
});

// ---- events ---------------------------------------------------------------------------------------------------

export const organizationCreated = event('organization.created', owner, z.object({ organization: Organization }));
export const organizationUpdated = event('organization.updated', owner, z.object({ organization: Organization }), { live: true });
export const memberJoined = event('member.joined', owner, z.object({ member: Member }), { live: true });
export const memberUpdated = event('member.updated', owner, z.object({ member: Member }), { live: true });
/** `sealed_token` is encrypted for the notifications service; null when the address already has a confirmed account. */
export const emailConfirmationRequested = event(
  'email.confirmation_requested',
  owner,
  z.object({ user_id: Id, email: z.string(), first_name: z.string().nullable(), sealed_token: z.string().nullable() }),
);
