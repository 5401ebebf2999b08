/** The permissions that an API token can have. A token never has a role. */
export const tokenPermissions = {
  'tickets:read': { label: 'Read tickets', description: 'Tickets, comments, files, timelines and changes', byDefault: true },
  'tickets:write': { label: 'Change tickets', description: 'Create and change tickets, reply to customers, write notes', byDefault: true },
  'tickets:send': {
    label: 'Send replies as an assistant',
    description: 'Without it, a token that can connect an assistant only drafts replies, which an agent sends',
    byDefault: false,
  },
  'articles:read': {
    label: 'Read articles',
    description: 'Articles, drafts and internal ones included, and their categories',
    byDefault: false,
  },
  'articles:write': {
    label: 'Change articles',
    description: 'Create, change, publish and delete articles and categories',
    byDefault: false,
  },
  'organization:read': { label: 'Read the organization', description: 'Name, subdomain, time zone and settings', byDefault: false },
  'organization:write': {
    label: 'Change the organization',
    description: 'The same settings as on the organization page',
    byDefault: false,
  },
  'analytics:read': { label: 'Read analytics', description: 'All figures of the analytics page and its exports', byDefault: false },
  'webhooks:manage': {
    label: 'Manage webhooks',
    description: 'List, change, test and replay endpoints; never read or rotate their secrets',
    byDefault: false,
  },
  mcp: {
    label: 'Connect an assistant (MCP)',
    description: 'The tools at /mcp, as far as the other permissions allow',
    byDefault: false,
  },
} as const satisfies Record<string, { label: string; description: string; byDefault: boolean }>;

export type TokenPermission = keyof typeof tokenPermissions;
export const tokenPermissionNames = Object.keys(tokenPermissions) as [TokenPermission, ...TokenPermission[]];

export const apiTokenRules = {
  /** `tnd_live_`, 32 random bytes in hex, and 6 base62 characters of the CRC-32 of the preceding characters. */
  pattern: /^tnd_live_[0-9a-f]{64}[0-9A-Za-z]{6}$/,
  /** Maximum number of tokens per organization, expired ones included. */
  max: 100,
  /** The choices for the time until a token expires; null: never. */
  lifetimesDays: [30, 90, 365, null],
  /** Maximum time for which the old value stays valid after a rotation. */
  maxOverlapHours: 24,
  maxNetworks: 20,
  /** How long the log of a token's requests is kept, and the maximum number of requests in it. */
  requestLogDays: 7,
  requestLogMax: 10_000,
} as const;
