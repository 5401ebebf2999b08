import type { DeliveryRules } from '../deliveries';
import type { SavedState } from './state';

export interface ClickUpSandboxOptions {
  host?: string;
  /** Default: any free port. */
  port?: number;
  clientId?: string;
  clientSecret?: string;
  /** Allowed redirect URIs; default: all. */
  redirectUris?: string[];
  /** A personal token (`pk_…`) of admin@demo.test that is valid from the start. */
  personalToken?: string;
  /** Requests per minute and token, default 100; Infinity for no limit. */
  rateLimitPerMinute?: number;
  /**
   * How much faster the minute of the rate limit passes: at 100 it takes 600 ms, and `X-RateLimit-Reset` has a fraction (see RateLimit).
   * Nothing else is scaled.
   */
  timeScale?: number;
  /** How webhooks are sent; default: 5 attempts with a timeout of 7 s, a second apart, without delay, 20 at a time. */
  deliveries?: Partial<DeliveryRules>;
  /** Whether updating a webhook accepts `events` only as a string, as in the reference's schema; its text allows an array. */
  webhookEventsAsText?: boolean;
  /** The same seed produces the same ids; default random. */
  idSeed?: number;
  /** Check requests with our own schemas, even if ClickUp's reference is available. */
  checkWith?: 'own-schemas' | 'clickup-openapi';
  /** A saved state (`save()`) to start from, instead of the demo data. */
  saved?: SavedState;
  /** Called after each change. */
  onChange?: () => void;
  now?: () => number;
  /** Returned by `GET /sandbox/instance`, so that a starter recognizes its own process. */
  directory?: string;
}

export type Settled = Required<Omit<ClickUpSandboxOptions, 'saved' | 'idSeed' | 'personalToken' | 'deliveries' | 'port' | 'host'>> &
  Pick<ClickUpSandboxOptions, 'saved' | 'idSeed' | 'personalToken'> & { deliveries: DeliveryRules };

export function withDefaults(options: ClickUpSandboxOptions): Settled {
  return {
    clientId: options.clientId ?? 'sandbox-client',
    clientSecret: options.clientSecret ?? 'sandbox-secret',
    redirectUris: options.redirectUris ?? [],
    rateLimitPerMinute: options.rateLimitPerMinute ?? 100,
    timeScale: options.timeScale ?? 1,
    deliveries: { attempts: 5, timeoutMs: 7000, retryDelayMs: 1000, delayMs: 0, concurrency: 20, ...options.deliveries },
    webhookEventsAsText: options.webhookEventsAsText ?? false,
    checkWith: options.checkWith ?? 'clickup-openapi',
    onChange: options.onChange ?? (() => undefined),
    now: options.now ?? Date.now,
    directory: options.directory ?? '',
    saved: options.saved,
    personalToken: options.personalToken,
    idSeed: options.idSeed,
  };
}
