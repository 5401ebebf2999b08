import * as z from 'zod';
import { BusinessHours, BusinessSpan, Holiday, TimeZone } from './business-hours';
import { PublicBranding } from './branding';
import { event, job, operation, type ServiceName } from './define';
import { currentPassword, email, Id, requiredText, Timestamp } from './scalars';
import { customerFollowUps } from './values/customers';
import { languages } from './values/languages';
import { subdomainRule } from './values/limits';
import { roles } from './values/permissions';
import { planNames } from './values/plans';
import { slaLimits } from './values/sla';
import { defaultPriority, ticketLimits, ticketPriorities } from './values/tickets';

const owner = 'identity';

// ---- shapes ---------------------------------------------------------------------------------------------------

/** The languages of portal, widget and emails. Texts of a customer whose language is not offered are in the default language. */
export const OrganizationLanguages = z.object({ default: z.enum(languages), offered: z.array(z.enum(languages)) });
export type OrganizationLanguages = z.infer<typeof OrganizationLanguages>;
/** Applies to organizations that have not changed their languages. */
export const defaultLanguages: OrganizationLanguages = { default: 'en', offered: ['en'] };

/** A category that customers can choose. Tickets store its name; `translations` maps each language to the name that customers see. */
export const TicketCategory = z.object({ name: z.string(), translations: z.partialRecord(z.enum(languages), z.string()).default({}) });
export type TicketCategory = z.infer<typeof TicketCategory>;

export const Organization = z.object({
  id: Id,
  name: z.string(),
  slug: z.string(),
  /** The portal's subdomain: `{subdomain}.{product domain}`. Null if there is none. */
  subdomain: z.string().nullable(),
  /** The 2 to 5 letters before the counter in ticket numbers, derived from the name; changed with `PUT /ticket-prefix`. */
  ticket_prefix: z.string(),
  /** Whether admins must use two-factor sign-in. */
  require_mfa_for_admins: z.boolean().default(false),
  /** IANA name; the time zone of business hours and holidays. */
  time_zone: z.string().default('UTC'),
  /** When the SLA timers run; null: always. */
  business_hours: z.array(BusinessSpan).nullable().default(null),
  holidays: z.array(Holiday).default([]),
  /** Whether new tickets go to the agent with the least open work. */
  auto_assign: z.boolean().default(false),
  default_priority: z.enum(ticketPriorities).default(defaultPriority),
  /** The effect of a customer's message on a resolved or closed ticket. */
  customer_follow_up: z.enum(customerFollowUps).default('locked'),
  /** Whether a matching email and ticket number open the ticket directly; otherwise links are emailed. */
  instant_lookup: z.boolean().default(false),
  languages: OrganizationLanguages.default(defaultLanguages),
  /** The categories that customers choose from; empty: they can enter any. */
  categories: z.array(TicketCategory).default([]),
  trial_ends_at: Timestamp,
  /** Set by an operator of the installation; null: on trial, or the trial has ended. */
  plan: z.enum(planNames).nullable().default(null),
  /** When a demo organization is deleted; null for all others. Demo organizations send no emails. */
  demo_ends_at: Timestamp.nullable().default(null),
  /** When the organization is deleted, because an admin requested it; null if no deletion is requested. */
  deletion_at: Timestamp.nullable().default(null),
  created_at: Timestamp,
});
export type Organization = z.infer<typeof Organization>;

/** The parts of an organization in a session; its settings are at `GET /organizations/{id}`. */
export const SessionOrganization = Organization.omit({
  business_hours: true,
  holidays: true,
  auto_assign: true,
  customer_follow_up: true,
  instant_lookup: true,
  categories: true,
});
export type SessionOrganization = z.infer<typeof SessionOrganization>;

/** The parts of an organization that its customers may see. */
export const PublicOrganization = z.object({
  id: Id,
  name: z.string(),
  subdomain: z.string().nullable(),
  default_priority: z.enum(ticketPriorities),
  /** When the team is available, in `time_zone`; null: no hours are set. */
  business_hours: z.array(BusinessSpan).nullable().default(null),
  time_zone: z.string().default('UTC'),
  holidays: z.array(Holiday).default([]),
  languages: OrganizationLanguages.default(defaultLanguages),
  /** The categories that customers choose from; empty: they can enter any. */
  categories: z.array(TicketCategory).default([]),
  /** Whether it has custom wording (`GET /public/wording/{part}/{language}`). */
  has_wording: z.boolean().default(false),
  branding: PublicBranding,
});
export type PublicOrganization = z.infer<typeof PublicOrganization>;
/** The organization of a host name or a widget key. */
export const FoundOrganization = PublicOrganization.pick({ id: true, name: true, subdomain: true });
export type FoundOrganization = z.infer<typeof FoundOrganization>;
/** The organization of a host name. Its links use `custom_domain`, which is null unless it is verified. */
export const OrganizationAtHost = FoundOrganization.extend({ custom_domain: z.string().nullable().default(null) });
export type OrganizationAtHost = z.infer<typeof OrganizationAtHost>;

/** A user's membership in one organization. */
export const Member = z.object({
  user_id: Id,
  organization_id: Id,
  email: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  role: z.enum(roles),
  is_active: z.boolean(),
  /** Whether two-factor sign-in is enabled. */
  mfa_enabled: z.boolean().default(false),
  created_at: Timestamp,
});
export type Member = z.infer<typeof Member>;

/** A pending invitation past `expires_at` keeps its status and is shown as Expired. */
export const Invitation = z.object({
  id: Id,
  organization_id: Id,
  email: z.string(),
  role: z.enum(roles),
  status: z.enum(['pending', 'accepted', 'cancelled']),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type Invitation = z.infer<typeof Invitation>;

/** The data that the holder of an invitation link sees. */
export const OfferedInvitation = z.object({
  organization_name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  expires_at: Timestamp,
});
export type OfferedInvitation = z.infer<typeof OfferedInvitation>;

/** The organization's own OpenID provider. The client secret is write-only. */
export const OidcConnection = z.object({
  issuer: z.string(),
  client_id: z.string(),
  has_client_secret: z.boolean(),
  is_active: z.boolean(),
  /** Users of the provider without an account here join as agents at their first sign-in. */
  auto_join: z.boolean(),
  /** The redirect URL that must be registered with the provider. */
  redirect_uri: z.string(),
  updated_at: Timestamp,
});
export type OidcConnection = z.infer<typeof OidcConnection>;

// ---- inputs ---------------------------------------------------------------------------------------------------

const organizationName = requiredText(100, 'Organization name must not be blank');
export const CreateOrganization = z.strictObject({ name: organizationName });
export type CreateOrganization = z.infer<typeof CreateOrganization>;
export const Subdomain = z
  .string(subdomainRule.message)
  .max(200, { error: subdomainRule.message, abort: true })
  .trim()
  .toLowerCase()
  .regex(subdomainRule.pattern, subdomainRule.message);
/** An empty subdomain is stored as null. */
const subdomainOrNull = z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? null : value), Subdomain.nullable());
const SaveLanguages = z
  .strictObject({
    default: z.enum(languages, 'Choose a language from the list'),
    offered: z
      .array(z.enum(languages, 'Choose a language from the list'))
      .max(languages.length)
      .transform((offered) => languages.filter((each) => offered.includes(each))),
  })
  .refine((saved) => saved.offered.includes(saved.default), { path: ['offered'], message: 'Include the default language' });
const categoryName = requiredText(ticketLimits.category, 'Enter the name of the category');
const categoryTranslations = z
  .partialRecord(z.enum(languages), z.string().trim().max(ticketLimits.category))
  .transform((texts): TicketCategory['translations'] => Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')));
const SaveCategories = z
  .array(z.strictObject({ name: categoryName, translations: categoryTranslations.default({}) }))
  .max(ticketLimits.categories)
  .check(({ value, issues }) => {
    const index = value.findIndex(({ name }, at) => value.findIndex((each) => each.name.toLowerCase() === name.toLowerCase()) < at);
    if (index >= 0) issues.push({ code: 'custom', path: [index, 'name'], message: 'This category is already in the list', input: value });
  });
export const UpdateOrganization = z.strictObject({
  name: organizationName.optional(),
  subdomain: subdomainOrNull.optional(),
  require_mfa_for_admins: z.boolean().optional(),
  time_zone: TimeZone.optional(),
  business_hours: BusinessHours.nullable().optional(),
  holidays: z.array(Holiday).max(slaLimits.holidays).optional(),
  auto_assign: z.boolean().optional(),
  default_priority: z.enum(ticketPriorities).optional(),
  customer_follow_up: z.enum(customerFollowUps).optional(),
  instant_lookup: z.boolean().optional(),
  languages: SaveLanguages.optional(),
  categories: SaveCategories.optional(),
});
export type UpdateOrganization = z.infer<typeof UpdateOrganization>;
/** The two confirmations: the exact name of the organization, and the caller's password. */
export const RequestOrganizationDeletion = z.strictObject({
  name: requiredText(100, 'Enter the name of your organization'),
  current_password: currentPassword,
});
export type RequestOrganizationDeletion = z.infer<typeof RequestOrganizationDeletion>;
export const UpdateMember = z.strictObject({ role: z.enum(roles).optional(), is_active: z.boolean().optional() });
export type UpdateMember = z.infer<typeof UpdateMember>;
export const CreateInvitation = z.strictObject({
  email: requiredText(254, 'Enter the email address of the person to invite').pipe(email()),
  role: z.enum(roles).default('agent'),
});
export type CreateInvitation = z.infer<typeof CreateInvitation>;
export const SaveOidcConnection = z.strictObject({
  issuer: requiredText(500, 'Enter the address of your OpenID provider'),
  client_id: requiredText(500, 'Enter the client id'),
  /** Omitted: the stored secret is kept. */
  client_secret: z.string().min(1, 'Enter the client secret').max(1000).optional(),
  is_active: z.boolean().default(true),
  auto_join: z.boolean().default(false),
});
export type SaveOidcConnection = z.infer<typeof SaveOidcConnection>;

/** Tokens in emailed links: 32 random bytes, base64url. Any other text is treated as an unknown invitation. */
const invitationToken = z.object({ token: z.string() });
const ById = z.object({ id: Id });

// ---- operations -----------------------------------------------------------------------------------------------

export const createOrganization = operation({
  name: 'identity.createOrganization',
  summary: 'Create an organization; the caller becomes its admin.',
  owner,
  method: 'POST',
  path: '/organizations',
  allow: 'signed-in',
  status: 201,
  handwritten: true,
  input: { body: CreateOrganization },
  output: Organization,
  problems: ['organization.already_set_up', 'sign_up.closed'],
});
export const readOrganization = operation({
  name: 'identity.readOrganization',
  summary: 'Read the organization of the caller.',
  owner,
  method: 'GET',
  path: '/organizations/:id',
  allow: 'organization.read',
  token: 'organization:read',
  input: { params: z.object({ id: Id }) },
  output: Organization,
  problems: ['organization.not_found'],
});
export const updateOrganization = operation({
  name: 'identity.updateOrganization',
  summary: 'Change the name, the subdomain or the settings of the organization.',
  owner,
  method: 'PATCH',
  path: '/organizations/:id',
  allow: 'organization.write',
  token: 'organization:write',
  input: { params: ById, body: UpdateOrganization },
  output: Organization,
  problems: ['organization.not_found', 'subdomain.taken', 'mfa.own_first'],
});
export const requestOrganizationDeletion = operation({
  name: 'identity.requestOrganizationDeletion',
  summary: 'Request that the organization is deleted with all of its data and the accounts of its members, 14 days later.',
  owner,
  method: 'POST',
  path: '/organizations/:id/deletion',
  allow: 'organization.write',
  input: { params: ById, body: RequestOrganizationDeletion },
  output: Organization,
  problems: ['organization.not_found', 'organization.deletion_requested', 'demo.not_deletable', 'password.wrong', 'login.blocked'],
});
export const cancelOrganizationDeletion = operation({
  name: 'identity.cancelOrganizationDeletion',
  summary: 'Cancel the requested deletion of the organization; without a request, nothing changes.',
  owner,
  method: 'DELETE',
  path: '/organizations/:id/deletion',
  allow: 'organization.write',
  input: { params: ById },
  output: Organization,
  problems: ['organization.not_found'],
});
export const checkSubdomain = operation({
  name: 'identity.checkSubdomain',
  summary: 'Check whether the organization can have this subdomain, and why not.',
  owner,
  method: 'GET',
  path: '/organizations/subdomain-availability',
  allow: 'organization.write',
  input: { query: z.strictObject({ subdomain: Subdomain }) },
  output: z.object({ subdomain: z.string(), available: z.boolean(), message: z.string().nullable() }),
});
export const listMembers = operation({
  name: 'identity.listMembers',
  summary: 'List the members of the organization.',
  owner,
  method: 'GET',
  path: '/team/members',
  allow: 'team.read',
  output: z.array(Member),
});
export const updateMember = operation({
  name: 'identity.updateMember',
  summary: 'Change the role of a member, or whether they are active; the last active admin can be neither demoted nor deactivated.',
  owner,
  method: 'PATCH',
  path: '/team/members/:userId',
  allow: 'team.write',
  input: { params: z.object({ userId: Id }), body: UpdateMember },
  output: Member,
  problems: ['user.not_found', 'member.last_admin'],
});
export const resetMemberMfa = operation({
  name: 'identity.resetMemberMfa',
  summary: 'Turn off two-factor sign-in for a member who has lost the device and the recovery codes; ends their sessions.',
  owner,
  method: 'DELETE',
  path: '/team/members/:userId/mfa',
  allow: 'team.write',
  input: { params: z.object({ userId: Id }) },
  output: Member,
  problems: ['user.not_found', 'mfa.own'],
});
export const listInvitations = operation({
  name: 'identity.listInvitations',
  summary: 'List pending invitations, newest first, including expired ones.',
  owner,
  method: 'GET',
  path: '/team/invitations',
  allow: 'team.write',
  output: z.array(Invitation),
});
export const createInvitation = operation({
  name: 'identity.createInvitation',
  summary: 'Invite a person by email; the link works once, for 7 days.',
  owner,
  method: 'POST',
  path: '/team/invitations',
  allow: 'team.write',
  status: 201,
  idempotent: true,
  input: { body: CreateInvitation },
  output: Invitation,
  problems: ['invitation.already_member', 'invitation.pending', 'invitation.too_many'],
});
export const resendInvitation = operation({
  name: 'identity.resendInvitation',
  summary: 'Email a new link for another 7 days; the previous one stops working.',
  owner,
  method: 'POST',
  path: '/team/invitations/:id/resend',
  allow: 'team.write',
  input: { params: ById },
  output: Invitation,
  problems: ['invitation.not_found', 'invitation.too_many'],
});
export const cancelInvitation = operation({
  name: 'identity.cancelInvitation',
  summary: 'Withdraw a pending invitation.',
  owner,
  method: 'DELETE',
  path: '/team/invitations/:id',
  allow: 'team.write',
  input: { params: ById },
  output: Invitation,
  problems: ['invitation.not_found'],
});
export const readInvitation = operation({
  name: 'identity.readInvitation',
  summary: 'Read an invitation by the token in its link.',
  owner,
  method: 'GET',
  path: '/invitations/:token',
  allow: 'public',
  input: { params: invitationToken },
  output: OfferedInvitation,
  problems: ['invitation.not_found'],
});
export const acceptInvitation = operation({
  name: 'identity.acceptInvitation',
  summary: 'Join the organization; the signed-in address must be the invited one.',
  owner,
  method: 'POST',
  path: '/invitations/:token/accept',
  allow: 'signed-in',
  handwritten: true,
  input: { params: invitationToken },
  output: Member,
  problems: ['invitation.not_found', 'invitation.other_address', 'organization.already_set_up'],
});
export const declineInvitation = operation({
  name: 'identity.declineInvitation',
  summary: 'Decline an invitation; the link stops working.',
  owner,
  method: 'POST',
  path: '/invitations/:token/decline',
  allow: 'public',
  input: { params: invitationToken },
  output: z.object({}),
  problems: ['invitation.not_found'],
});
export const readOidcConnection = operation({
  name: 'identity.readOidcConnection',
  summary: 'Read the connected OpenID provider; null if there is none.',
  owner,
  method: 'GET',
  path: '/oidc-connection',
  allow: 'organization.write',
  output: OidcConnection.nullable(),
});
export const saveOidcConnection = operation({
  name: 'identity.saveOidcConnection',
  summary: 'Connect an OpenID provider or change the connection; its metadata is requested first.',
  owner,
  method: 'PUT',
  path: '/oidc-connection',
  allow: 'organization.write',
  input: { body: SaveOidcConnection },
  output: OidcConnection,
  problems: ['oidc.unreachable'],
});
export const deleteOidcConnection = operation({
  name: 'identity.deleteOidcConnection',
  summary: 'Disconnect the OpenID provider; users sign in with their passwords again.',
  owner,
  method: 'DELETE',
  path: '/oidc-connection',
  allow: 'organization.write',
  output: z.object({}),
});
export const readPublicOrganization = operation({
  name: 'identity.readPublicOrganization',
  summary: 'Read the organization whose portal this host serves.',
  owner,
  method: 'GET',
  path: '/public/organization',
  allow: 'portal',
  output: PublicOrganization,
  problems: ['organization.not_found'],
});
export const findPortal = operation({
  name: 'identity.findPortal',
  summary: 'Find the portal of a team by its subdomain or portal URL.',
  owner,
  method: 'GET',
  path: '/public/portal',
  allow: 'public',
  input: { query: z.strictObject({ team: requiredText(300, 'Enter your team’s address') }) },
  output: z.object({ name: z.string(), url: z.string() }),
  problems: ['organization.not_found'],
});
export const findOrganizationOfHost = operation({
  name: 'identity.findOrganizationOfHost',
  summary: 'The organization of a host name; for the gateway only.',
  owner,
  method: 'GET',
  path: '/internal/organization-of-host',
  allow: 'gateway',
  handwritten: true,
  input: { query: z.strictObject({ host: z.string().max(255) }) },
  output: OrganizationAtHost.nullable(),
});
export const findPortalHosts = operation({
  name: 'identity.findPortalHosts',
  summary: 'All subdomains and verified domains, unless the caller has this version; for the gateway only.',
  owner,
  method: 'GET',
  path: '/internal/portal-hosts',
  allow: 'gateway',
  handwritten: true,
  input: { query: z.strictObject({ unless: z.string().max(64).optional() }) },
  output: z.object({
    version: z.string(),
    /** Null if the caller's version is current. */
    hosts: z.object({ subdomains: z.array(z.string()), domains: z.array(z.string()) }).nullable(),
  }),
});

// ---- events ---------------------------------------------------------------------------------------------------

export const organizationCreated = event('organization.created', owner, z.object({ organization: Organization }));
export const organizationUpdated = event('organization.updated', owner, z.object({ organization: Organization }), { live: true });
export const memberJoined = event('member.joined', owner, z.object({ member: Member }), { live: true });
export const memberUpdated = event('member.updated', owner, z.object({ member: Member }), { live: true });
/**
 * For a service whose database is new: the organization with the sequence of its newest event, then its members. They change nothing for
 * services that have these or newer events.
 */
export const organizationSnapshot = event(
  'organization.snapshot',
  owner,
  z.object({ organization: Organization, sequence: z.number().int().positive() }),
);
export const memberSnapshots = event(
  'member.snapshots',
  owner,
  z.object({ members: z.array(z.object({ member: Member, sequence: z.number().int().positive() })).min(1) }),
);
/** Identity consumes this event itself, and emits the snapshots of the organizations after this one. */
export const organizationSnapshotsContinued = event(
  'organization.snapshots_continued',
  owner,
  z.object({ created_before: Timestamp, after_id: Id }),
  { tenant: false },
);
/** Emitted in addition to `member.updated`, for consumers that must react to a deactivation immediately. */
export const memberDeactivated = event('member.deactivated', owner, z.object({ member: Member }));
/** The organization and the accounts of its members no longer exist: every service deletes its rows and files. */
export const organizationDeleted = event(
  'organization.deleted',
  owner,
  z.object({ deleted_at: Timestamp, member_ids: z.array(Id).default([]) }),
  { live: true },
);
/** A visitor has started a demo: the tickets service writes demo data for these members (admin, manager, agent). */
export const demoStarted = event('demo.started', owner, z.object({ member_ids: z.array(Id).min(1) }));
/** Also emitted when the invitation is sent again. `sealed_token` opens with the purpose `invitation`. */
export const invitationCreated = event(
  'invitation.created',
  owner,
  z.object({ invitation: Invitation, organization_name: z.string(), invited_by: z.string().nullable(), sealed_token: z.string() }),
);

// ---- jobs -----------------------------------------------------------------------------------------------------

/** Deletes the rows and files of a deleted organization in one service. In a separate queue, because a pass can take minutes. */
const deletionIn = <S extends ServiceName>(service: S) =>
  job({
    type: `delete_organization_in_${service}`,
    owner: service,
    queue: `${service}-deletions`,
    data: z.strictObject({}),
    attempts: 5,
    backoffMs: [1_000, 5_000, 30_000],
  });
export const deleteInIdentity = deletionIn('identity');
export const deleteInTickets = deletionIn('tickets');
export const deleteInNotifications = deletionIn('notifications');
export const deleteInIntegrations = deletionIn('integrations');
export const deleteInAnalytics = deletionIn('analytics');

/** Deletes an expired demo organization. */
export const endDemo = job({
  type: 'end_demo',
  owner,
  queue: 'identity-deletions',
  data: z.strictObject({}),
  attempts: 3,
  backoffMs: [30_000],
});

/** Reminds the admins of a requested deletion, and deletes the organization when it is due. */
export const advanceOrganizationDeletion = job({
  type: 'advance_organization_deletion',
  owner,
  queue: 'identity-deletions',
  data: z.strictObject({}),
  attempts: 3,
  backoffMs: [30_000],
});

/** Writes the history of a live demo. In a separate queue, because it takes seconds of CPU time. */
export const writeDemoHistory = job({
  type: 'write_demo_history',
  owner: 'tickets',
  queue: 'demo-histories',
  data: z.strictObject({}),
  attempts: 5,
  backoffMs: [1_000, 10_000, 60_000],
});
