import type { DeliveryRules } from '../deliveries';
import type { SavedState } from './state';

export interface ClickUpSandboxOptions {
  host?: string;
  /** Any free one unless said. */
  port?: number;
  clientId?: string;
  clientSecret?: string;
  /** Where codes may be sent; anywhere unless said. */
  redirectUris?: string[];
  /** A personal token (`pk_…`) of admin@demo.test that is good from the start. */
  personalToken?: string;
  /** Requests a minute and token, 100 unless said; Infinity for no limit. */
  rateLimitPerMinute?: number;
  /** How much faster the minute of the rate limit passes: at 100 it is 600 ms, and `X-RateLimit-Reset` has a fraction (see RateLimit). Nothing else is scaled. */
  timeScale?: number;
  /** How webhooks are sent: 5 attempts of 7 s each, a second apart, at once, 20 at a time unless said. */
  deliveries?: Partial<DeliveryRules>;
  /** Whether a change of a webhook takes `events` as text only, as the schema of the reference has it; its prose allows an array. */
  webhookEventsAsText?: boolean;
  /** The same number gives the same ids; a random one unless said. */
  idSeed?: number;
  /** Judge requests by our own schemas, also where ClickUp's reference is to be found. */
  checkWith?: 'own-schemas' | 'clickup-openapi';
  /** What was there before (`save()`), instead of the demo's places. */
  saved?: SavedState;
  /** Called after each change. */
  onChange?: () => void;
  now?: () => number;
  /** What `GET /sandbox/instance` says, so that a starter recognizes its own. */
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
