import * as z from 'zod';
import { operation, serviceNames, type ServiceName } from './define';
import { Id, Timestamp } from './scalars';
import { planNames } from './values/plans';

/**
 * For operators of the installation: users in OPERATORS who have signed in with a second factor. Every request is recorded before it is
 * answered (`authorizeOperator`). Nothing here contains texts or addresses of customers.
 */

// ---- shapes ---------------------------------------------------------------------------------------------------

const seconds = z.number();
const count = z.number().int();

/** The pending work of one service. A value is `null` if the server that has it does not respond. */
export const ServiceState = z.object({
  version: z.string(),
  /** Age of the oldest event that is committed and not published. */
  outbox_oldest_seconds: seconds,
  /** Connections to the database of the process that answered, and callers that wait for one. */
  connections: z.object({ used: count, max: count, waiting: count }),
  dead_letters: count,
  /** Only consumers that are behind. */
  consumers: z.array(z.object({ name: z.string(), pending: count, unacknowledged: count, oldest_seconds: seconds })).nullable(),
  queues: z.array(z.object({ name: z.string(), waiting: count, active: count, delayed: count, oldest_seconds: seconds })).nullable(),
});
export type ServiceState = z.infer<typeof ServiceState>;

/** An event on which a consumer gave up; without its data. */
export const DeadLetterSummary = z.object({
  id: Id,
  consumer: z.string(),
  /** Null for a message that is not an event: it cannot be replayed. */
  event_type: z.string().nullable(),
  organization_id: Id.nullable(),
  error: z.string(),
  attempts: count,
  created_at: Timestamp,
});
export type DeadLetterSummary = z.infer<typeof DeadLetterSummary>;

export const UnsentEmails = z.object({ due: count, deferred: count, scheduled: count, oldest_seconds: seconds });
export type UnsentEmails = z.infer<typeof UnsentEmails>;

export const LastBackup = z.object({ taken_at: Timestamp, version: z.string(), folder: z.string() });

/** A newer version than this one, from UPDATES_URL. */
export const UpdateNotice = z.object({
  /** `off`: UPDATES_URL is empty. `unknown`: it does not respond. */
  status: z.enum(['off', 'unknown', 'current', 'available']),
  version: z.string().nullable(),
});

export const Installation = z.object({
  /** The version of the gateway that answered. */
  version: z.string(),
  update: UpdateNotice,
  /** Each part with its state; `state` is null if the service does not respond. */
  services: z.array(z.object({ name: z.enum(serviceNames), state: ServiceState.nullable() })),
  servers: z.array(z.object({ name: z.enum(['nats', 'redis']), is_up: z.boolean() })),
  /** Null if notifications does not respond. */
  emails: UnsentEmails.nullable(),
  last_backup: LastBackup.nullable(),
});
export type Installation = z.infer<typeof Installation>;

/** A connection to a task tool whose sync does not run. */
export const WaitingConnection = z.object({
  id: Id,
  organization_id: Id,
  provider: z.string(),
  reason: z.enum(['broken', 'rate_limit', 'unreachable']),
  since: Timestamp.nullable(),
  /** When the next attempt is made. */
  retry_at: Timestamp.nullable(),
});
export type WaitingConnection = z.infer<typeof WaitingConnection>;

export const InstallationOrganization = z.object({
  id: Id,
  name: z.string(),
  subdomain: z.string().nullable(),
  created_at: Timestamp,
  members: count,
  /** Null during and after the trial. */
  plan: z.enum(planNames).nullable(),
  trial_ends_at: Timestamp,
  /** Null if analytics does not respond. */
  tickets: count.nullable(),
  /** Tickets since the first of the month, UTC. Null if the tickets service does not respond, like the size of the files on tickets. */
  tickets_this_month: count.nullable(),
  file_bytes: count.nullable(),
  is_demo: z.boolean(),
  /** When the organization is deleted, because its admin requested it. */
  deletion_at: Timestamp.nullable().default(null),
});
export type InstallationOrganization = z.infer<typeof InstallationOrganization>;

export const operatorActions = [
  'overview.viewed',
  'dead_letters.viewed',
  'dead_letter.replayed',
  'dead_letter.discarded',
  'connections.viewed',
  'organizations.viewed',
  'plan.changed',
  'log.viewed',
] as const;
export type OperatorAction = (typeof operatorActions)[number];

export const OperatorLogEntry = z.object({
  id: Id,
  action: z.enum(operatorActions),
  /** The dead letter, as `service/id`, or the organization and its new plan, as `id/plan`. */
  target: z.string().nullable(),
  email: z.string(),
  ip: z.string().nullable(),
  created_at: Timestamp,
});
export type OperatorLogEntry = z.infer<typeof OperatorLogEntry>;

const organizationPage = 50;
export const OrganizationSearch = z.strictObject({
  /** Part of the name or the beginning of the subdomain. */
  q: z.string().trim().max(100).default(''),
  limit: z.coerce.number().int().min(1).max(organizationPage).default(organizationPage),
});

// ---- operations of the page ---------------------------------------------------------------------------------------

const page = { owner: 'gateway', allow: 'operator', handwritten: true } as const;
const planChange = { params: z.strictObject({ id: Id }), body: z.strictObject({ plan: z.enum(planNames).nullable() }) };
const oneLetter = { params: z.strictObject({ service: z.enum(serviceNames), id: Id }) };

export const readOperations = operation({
  ...page,
  name: 'gateway.readOperations',
  summary: 'Read the health of each part of the installation, its queues, unsent emails, backup and version.',
  method: 'GET',
  path: '/operator',
  output: Installation,
});
export const listAllDeadLetters = operation({
  ...page,
  name: 'gateway.listAllDeadLetters',
  summary: 'List the dead letters of all services that respond, without the data of their events; at most 100 of each.',
  method: 'GET',
  path: '/operator/dead-letters',
  output: z.array(z.object({ service: z.enum(serviceNames), ...DeadLetterSummary.shape })),
});
export const replayOneDeadLetter = operation({
  ...page,
  name: 'gateway.replayOneDeadLetter',
  summary: 'Publish a dead letter again for the consumer that failed on it.',
  method: 'POST',
  path: '/operator/dead-letters/:service/:id/replay',
  input: oneLetter,
  output: z.object({}),
  problems: ['dead_letter.not_found', 'dead_letter.not_an_event', 'dead_letter.too_large'],
});
export const discardOneDeadLetter = operation({
  ...page,
  name: 'gateway.discardOneDeadLetter',
  summary: 'Delete a dead letter: its effect is lost.',
  method: 'DELETE',
  path: '/operator/dead-letters/:service/:id',
  input: oneLetter,
  output: z.object({}),
  problems: ['dead_letter.not_found'],
});
export const listAllWaitingConnections = operation({
  ...page,
  name: 'gateway.listAllWaitingConnections',
  summary: 'List connections to task tools whose sync does not run, and why; at most 100.',
  method: 'GET',
  path: '/operator/connections',
  output: z.array(z.object({ ...WaitingConnection.shape, organization_name: z.string().nullable() })),
});
export const listInstallationOrganizations = operation({
  ...page,
  name: 'gateway.listInstallationOrganizations',
  summary: 'List organizations with their size, newest first.',
  method: 'GET',
  path: '/operator/organizations',
  input: { query: OrganizationSearch },
  output: z.array(InstallationOrganization),
});
export const changePlan = operation({
  ...page,
  name: 'gateway.changePlan',
  summary: 'Change the plan of an organization. Nothing is refused beyond its limits.',
  method: 'PUT',
  path: '/operator/organizations/:id/plan',
  input: planChange,
  output: z.object({}),
  problems: ['organization.not_found'],
});
export const listOperatorLog = operation({
  ...page,
  name: 'gateway.listOperatorLog',
  summary: 'List who viewed or changed something here, newest first; at most 100.',
  method: 'GET',
  path: '/operator/log',
  output: z.array(OperatorLogEntry),
});

// ---- operations between our processes ------------------------------------------------------------------------------

const internal = { allow: 'gateway' } as const;

export const authorizeOperator = operation({
  ...internal,
  name: 'identity.authorizeOperator',
  summary: 'Check that the signed-in user is an operator, and record the request; for the gateway only.',
  owner: 'identity',
  method: 'POST',
  path: '/internal/operator/requests',
  input: { body: z.strictObject({ action: z.enum(operatorActions), target: z.string().max(100).nullable() }) },
  output: z.object({}),
});
export const readOperatorLog = operation({
  ...internal,
  name: 'identity.readOperatorLog',
  summary: 'Read the log of operators; for the gateway only.',
  owner: 'identity',
  method: 'GET',
  path: '/internal/operator/log',
  output: z.array(OperatorLogEntry),
});
export const readInstallationRecords = operation({
  ...internal,
  name: 'identity.readInstallationRecords',
  summary: 'Read the latest backup and whether a newer version exists; for the gateway only.',
  owner: 'identity',
  method: 'GET',
  path: '/internal/operator/records',
  output: z.object({ last_backup: LastBackup.nullable(), update: UpdateNotice }),
});
export const searchOrganizations = operation({
  ...internal,
  name: 'identity.searchOrganizations',
  summary: 'Search organizations; for the gateway only.',
  owner: 'identity',
  method: 'GET',
  path: '/internal/operator/organizations',
  input: { query: OrganizationSearch },
  output: z.array(InstallationOrganization.omit({ tickets: true, tickets_this_month: true, file_bytes: true })),
});
export const nameOrganizations = operation({
  ...internal,
  name: 'identity.nameOrganizations',
  summary: 'Read names of organizations; for the gateway only.',
  owner: 'identity',
  method: 'POST',
  path: '/internal/operator/organization-names',
  input: { body: z.strictObject({ ids: z.array(Id).max(100) }) },
  output: z.array(z.object({ id: Id, name: z.string() })),
});
export const countTicketsOfOrganizations = operation({
  ...internal,
  name: 'analytics.countTicketsOfOrganizations',
  summary: 'Count the tickets of organizations; for the gateway only.',
  owner: 'analytics',
  method: 'POST',
  path: '/internal/operator/ticket-counts',
  input: { body: z.strictObject({ ids: z.array(Id).max(organizationPage) }) },
  output: z.array(z.object({ id: Id, tickets: count })),
});
export const measureUseOfOrganizations = operation({
  ...internal,
  name: 'tickets.measureUseOfOrganizations',
  summary: 'Count the tickets of this month and sum up the sizes of files of organizations; for the gateway only.',
  owner: 'tickets',
  method: 'POST',
  path: '/internal/operator/use',
  input: { body: z.strictObject({ ids: z.array(Id).max(organizationPage) }) },
  output: z.array(z.object({ id: Id, tickets_this_month: count, file_bytes: count })),
});
export const savePlan = operation({
  ...internal,
  name: 'identity.savePlan',
  summary: 'Change the plan of an organization; for the gateway only.',
  owner: 'identity',
  method: 'PUT',
  path: '/internal/operator/organizations/:id/plan',
  input: planChange,
  output: z.object({}),
  problems: ['organization.not_found'],
});
export const readUnsentEmails = operation({
  ...internal,
  name: 'notifications.readUnsentEmails',
  summary: 'Count the emails that are not sent yet; for the gateway only.',
  owner: 'notifications',
  method: 'GET',
  path: '/internal/operator/emails',
  output: UnsentEmails,
});
export const listWaitingConnections = operation({
  ...internal,
  name: 'integrations.listWaitingConnections',
  summary: 'List connections whose sync does not run; for the gateway only.',
  owner: 'integrations',
  method: 'GET',
  path: '/internal/operator/connections',
  output: z.array(WaitingConnection),
});

const letter = { params: z.strictObject({ id: Id }) };
/** What every service answers about itself. */
const ofService = <const Owner extends ServiceName>(owner: Owner) => ({
  readState: operation({
    ...internal,
    owner,
    name: `${owner}.readState`,
    summary: 'Read what waits in the service; for the gateway only.',
    method: 'GET',
    path: `/internal/${owner}/state`,
    output: ServiceState,
  }),
  listDeadLetters: operation({
    ...internal,
    owner,
    name: `${owner}.listDeadLetters`,
    summary: 'List dead letters without the data of their events; for the gateway only.',
    method: 'GET',
    path: `/internal/${owner}/dead-letters`,
    output: z.array(DeadLetterSummary),
  }),
  replayDeadLetter: operation({
    ...internal,
    owner,
    name: `${owner}.replayDeadLetter`,
    summary: 'Publish a dead letter again; for the gateway only.',
    method: 'POST',
    path: `/internal/${owner}/dead-letters/:id/replay`,
    input: letter,
    output: z.object({}),
    problems: ['dead_letter.not_found', 'dead_letter.not_an_event', 'dead_letter.too_large'],
  }),
  discardDeadLetter: operation({
    ...internal,
    owner,
    name: `${owner}.discardDeadLetter`,
    summary: 'Delete a dead letter; for the gateway only.',
    method: 'DELETE',
    path: `/internal/${owner}/dead-letters/:id`,
    input: letter,
    output: z.object({}),
    problems: ['dead_letter.not_found'],
  }),
});
export type OperationsOfService = ReturnType<typeof ofService>;
export const operationsOfServices = Object.fromEntries(serviceNames.map((name) => [name, ofService(name)])) as Record<
  ServiceName,
  OperationsOfService
>;
