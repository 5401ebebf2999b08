import * as z from 'zod';
import { event, operation } from './define';
import { Id, requiredText, Timestamp } from './scalars';
import { Changes } from './tickets';
import { apiTokenRules, tokenPermissionNames } from './values/api-tokens';

const owner = 'identity';
const allow = 'api_token.write';

// ---- shapes ---------------------------------------------------------------------------------------------------

const TokenPermissionName = z.enum(tokenPermissionNames);

/** A token without its value, which only the response to its creation or rotation contains. */
export const ApiToken = z.object({
  id: Id,
  organization_id: Id,
  name: z.string(),
  /** The last four characters of the value. */
  last_four: z.string(),
  permissions: z.array(TokenPermissionName),
  /** Client networks in CIDR notation that may use the token; empty: all. */
  networks: z.array(z.string()),
  is_active: z.boolean(),
  /** Null: never. An expired token stays in the list. */
  expires_at: Timestamp.nullable(),
  /** Updated at most once a minute. */
  last_used_at: Timestamp.nullable(),
  last_used_ip: z.string().nullable(),
  /** While the value before the last rotation is also valid. */
  previous_valid_until: Timestamp.nullable(),
  created_by: Id,
  /** The creator's name or address, and whether they are still an active member: otherwise the page shows a warning. */
  creator_name: z.string(),
  creator_is_active: z.boolean(),
  created_at: Timestamp,
});
export type ApiToken = z.infer<typeof ApiToken>;

/** The value appears here only. */
export const IssuedApiToken = z.object({ token: ApiToken, value: z.string() });
export type IssuedApiToken = z.infer<typeof IssuedApiToken>;

/** The data with which the gateway authenticates a caller; the gateway caches it. */
export const KnownApiToken = z.object({
  id: Id,
  organization_id: Id,
  name: z.string(),
  permissions: z.array(TokenPermissionName),
  networks: z.array(z.string()),
  is_active: z.boolean(),
  expires_at: Timestamp.nullable(),
  /** When this value of the token becomes invalid, if it was rotated. */
  valid_until: Timestamp.nullable(),
});
export type KnownApiToken = z.infer<typeof KnownApiToken>;

/** One request that was made with a token. */
export const ApiTokenRequest = z.object({
  request_id: z.string(),
  at: Timestamp,
  method: z.string(),
  /** The path template: `/tickets/:id`. */
  path: z.string(),
  status: z.number().int(),
  /** The problem's code; null for a success. */
  code: z.string().nullable(),
  duration_ms: z.number(),
});
export type ApiTokenRequest = z.infer<typeof ApiTokenRequest>;

// ---- inputs ---------------------------------------------------------------------------------------------------

const name = requiredText(100, 'Give the token a name');
const permissions = z.array(TokenPermissionName).min(1, 'Choose at least one permission');
/** An IPv4 or IPv6 network; a single address means a network of one. */
const networks = z
  .array(z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], 'Enter a network such as 203.0.113.0/24'))
  .max(apiTokenRules.maxNetworks);

export const CreateApiToken = z.strictObject({
  name,
  permissions: permissions.default(['tickets:read', 'tickets:write']),
  networks: networks.default([]),
  /** Null: never. */
  expires_in_days: z.union([z.literal(30), z.literal(90), z.literal(365), z.null()]).default(null),
});
export type CreateApiToken = z.infer<typeof CreateApiToken>;
/** The permissions and the expiry of a token never change: create another one. */
export const UpdateApiToken = z
  .strictObject({ name, networks, is_active: z.boolean() })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change');
export type UpdateApiToken = z.infer<typeof UpdateApiToken>;

// ---- operations -----------------------------------------------------------------------------------------------

const byToken = { params: z.object({ id: Id }) };

export const listApiTokens = operation({
  name: 'identity.listApiTokens',
  summary: 'List the API tokens of the organization, the newest first.',
  owner,
  method: 'GET',
  path: '/api-tokens',
  allow,
  output: z.array(ApiToken),
});
/** Not idempotent by key: the stored response would contain the value. */
export const createApiToken = operation({
  name: 'identity.createApiToken',
  summary: 'Create an API token. Only this response contains its value.',
  owner,
  method: 'POST',
  path: '/api-tokens',
  allow,
  status: 201,
  input: { body: CreateApiToken },
  output: IssuedApiToken,
  problems: ['api_token.too_many'],
});
export const updateApiToken = operation({
  name: 'identity.updateApiToken',
  summary: 'Rename an API token, change its networks, or activate or deactivate it.',
  owner,
  method: 'PATCH',
  path: '/api-tokens/:id',
  allow,
  input: { ...byToken, body: UpdateApiToken },
  output: ApiToken,
  problems: ['api_token.not_found'],
});
export const rotateApiToken = operation({
  name: 'identity.rotateApiToken',
  summary: 'Give an API token a new value. The old value stays valid for the chosen time. Only this response contains the new value.',
  owner,
  method: 'POST',
  path: '/api-tokens/:id/rotate',
  allow,
  input: {
    ...byToken,
    body: z.strictObject({
      overlap_hours: z.number().int().min(0).max(apiTokenRules.maxOverlapHours).default(apiTokenRules.maxOverlapHours),
    }),
  },
  output: IssuedApiToken,
  problems: ['api_token.not_found'],
});
export const deleteApiToken = operation({
  name: 'identity.deleteApiToken',
  summary: 'Delete an API token. It stops working immediately.',
  owner,
  method: 'DELETE',
  path: '/api-tokens/:id',
  allow,
  input: byToken,
  output: z.object({}),
  problems: ['api_token.not_found'],
});
/** The gateway keeps this log in Redis. */
export const listApiTokenRequests = operation({
  name: 'gateway.listApiTokenRequests',
  summary: 'The requests of an API token in the last 7 days, at most 10,000, the latest first. Bodies are never stored.',
  owner: 'gateway',
  method: 'GET',
  path: '/api-tokens/:id/requests',
  allow,
  handwritten: true,
  input: {
    ...byToken,
    query: z.strictObject({ cursor: z.string().min(1).max(100).optional(), limit: z.coerce.number().int().min(1).max(100).default(50) }),
  },
  output: z.object({ requests: z.array(ApiTokenRequest), next_cursor: z.string().nullable() }),
  problems: ['api_token.not_found'],
});
export const findApiToken = operation({
  name: 'identity.findApiToken',
  summary: 'Find the token with the SHA-256 (hex) of a presented value; for the gateway only.',
  owner,
  method: 'POST',
  path: '/internal/api-tokens/find',
  allow: 'gateway',
  handwritten: true,
  input: { body: z.strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/) }) },
  output: KnownApiToken.nullable(),
});
/** The gateway sends it at most once a minute. */
export const recordApiTokenUse = operation({
  name: 'identity.recordApiTokenUse',
  summary: 'Record when and from where tokens were last used, and rejections by network; for the gateway only.',
  owner,
  method: 'POST',
  path: '/internal/api-tokens/use',
  allow: 'gateway',
  handwritten: true,
  input: {
    body: z.strictObject({
      uses: z.array(z.strictObject({ token_id: Id, organization_id: Id, at: Timestamp, ip: z.string().max(64) })).max(1_000),
      /** At most one per token, address and minute. */
      rejections: z
        .array(
          z.strictObject({ token_id: Id, organization_id: Id, at: Timestamp, ip: z.string().max(64), user_agent: z.string().max(512) }),
        )
        .max(1_000),
    }),
  },
  output: z.object({}),
});

// ---- events ---------------------------------------------------------------------------------------------------

/**
 * Its subject is the token. Every replica of the gateway drops its cached data of the token, and notifications emails all admins about
 * a new one.
 */
export const apiTokenChanged = event(
  'api_token.changed',
  owner,
  z.object({ what: z.enum(['created', 'updated', 'rotated', 'deleted']), token: ApiToken, changes: Changes }),
  { live: true },
);
