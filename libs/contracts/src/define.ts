import type * as z from 'zod';
import type { Context, TenantContext } from './context';
import type { Page } from './pagination';
import type { ProblemCode } from './values/errors';
import type { LimitClass } from './values/rate-limits';
import type { Permission } from './values/permissions';
import type { TokenPermission } from './values/api-tokens';

export const serviceNames = ['identity', 'tickets', 'notifications', 'integrations', 'analytics'] as const;
export type ServiceName = (typeof serviceNames)[number];

/**
 * Who may call an operation:
 * - a permission: a signed-in member whose role grants it, or an API token that has the operation's `token` permission;
 * - `token`: an API token that has the operation's `token` permission, and no other caller;
 * - `signed-in`: any signed-in user, even without an organization;
 * - `operator`: an operator of the installation (OPERATORS). Any other caller gets 404: the gateway asks identity at each request;
 * - `portal`: any visitor, for the organization of the page's host;
 * - `widget`: any visitor, for the organization whose widget key (its subdomain) is in the query's `organization`;
 * - `public`: any caller;
 * - `gateway`: our own gateway on behalf of any caller; has no route.
 */
export type Allow = Permission | 'token' | 'signed-in' | 'operator' | 'portal' | 'widget' | 'public' | 'gateway';

type Schema = z.ZodType;
export interface InputSchemas {
  params?: Schema;
  query?: Schema;
  body?: Schema;
}

export interface Operation<
  I extends InputSchemas = InputSchemas,
  O extends Schema = Schema,
  Paged extends boolean = boolean,
  A extends Allow = Allow,
> {
  /** `tickets.create`: owner, then verb. Used as the name in spans, metrics and logs. */
  name: string;
  /** One sentence for the API document. */
  summary: string;
  /** `gateway`: implemented in the gateway; no service has a handler for it. */
  owner: ServiceName | 'gateway';
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `/api/v1` at the gateway and below `/` at the owner; parameters as `:id`. */
  path: string;
  allow: A;
  /** The permission that lets an API token call it; null: no token may. */
  token: TokenPermission | null;
  /** The rate limit that the gateway applies to this call. */
  limit: LimitClass;
  input: I;
  /** The schema of the response's `data`; of one item when `paginated`. */
  output: O;
  paginated: Paged;
  /** The status code on success; default 200. */
  status: number;
  /** The operation's own problems, in addition to those that any call can cause. */
  problems: readonly ProblemCode[];
  /**
   * The strong entity tag of a response: with it GET returns 304 for `If-None-Match`, and PATCH supports `If-Match`. `content`: a weak one
   * is derived from the response body.
   */
  etag: ((data: never) => string) | 'content' | undefined;
  /**
   * For a GET with an entity tag whose response changes only when its owner commits a change to the organization, never with time: the
   * gateway answers 304 itself while there was none. Also list its owner in `versionedOwners` (`@tandem/messaging`).
   */
  versioned: boolean;
  /** For a POST that creates something: supports `Idempotency-Key`. Its handler calls `storeResponse` in its transaction. */
  idempotent: boolean;
  /** The gateway implements this path itself (cookies, raw bodies) and calls the owner: no route is generated. */
  handwritten: boolean;
}

type Optional = 'token' | 'limit' | 'paginated' | 'status' | 'problems' | 'etag' | 'versioned' | 'idempotent' | 'handwritten' | 'input';

/** Declares an operation: the only place that defines its path, who may call it, its input and its output. */
export function operation<const I extends InputSchemas, O extends Schema, const A extends Allow, const Paged extends boolean = false>(
  definition: Omit<Operation<I, O, Paged, A>, Optional | 'etag'> &
    Partial<Omit<Pick<Operation<I, O, Paged, A>, Optional>, 'etag'>> & { etag?: ((data: z.output<O>) => string) | 'content' },
): Operation<I, O, Paged, A> {
  return {
    token: null,
    limit: 'api',
    input: {} as I,
    paginated: false as Paged,
    status: 200,
    problems: [],
    versioned: false,
    idempotent: false,
    handwritten: false,
    ...definition,
    etag: definition.etag,
  };
}

type Parsed<S> = S extends Schema ? z.output<S> : undefined;
type Raw<S> = S extends Schema ? z.input<S> : undefined;

/** The context that an operation's handler receives: `allow` rejects callers without an organization unless it is one of these four. */
export type ContextOf<Op extends Operation> =
  Op['allow'] extends Exclude<Allow, 'signed-in' | 'operator' | 'public' | 'gateway'> ? TenantContext : Context;

/** The handler's input, with each part parsed. `if_match` is the version that the caller last saw. */
export interface InputOf<Op extends Operation> {
  params: Parsed<Op['input']['params']>;
  query: Parsed<Op['input']['query']>;
  body: Parsed<Op['input']['body']>;
  if_match?: string;
}
/** The input of `Services.call`, without the parts that the operation does not declare. */
export type CallOf<Op extends Operation> = {
  [Part in keyof InputSchemas as Op['input'][Part] extends Schema ? Part : never]: Raw<Op['input'][Part]>;
};
/** The handler's result. */
export type OutputOf<Op extends Operation> = Op['paginated'] extends true ? Page<z.output<Op['output']>> : z.output<Op['output']>;

declare const operationOf: unique symbol;
/** An operation as clients see it, where the gateway changes its body or its output (`client-schemas.ts`). */
export type ClientOperation<Op extends Operation, Changed extends { body?: Schema; output?: Schema }> = Omit<Op, 'input' | 'output'> & {
  input: Changed extends { body: infer Body } ? Omit<Op['input'], 'body'> & { body: Body } : Op['input'];
  output: Changed extends { output: infer Output } ? Output : Op['output'];
};
/** An operation in the browser: its method and path, and its types, which exist at compile time only (`endpoints.ts`). */
export type Endpoint<Op extends Operation> = string & { readonly [operationOf]: Op };

export interface EventType<T extends string = string, S extends Schema = Schema, Tenant extends boolean = boolean> {
  type: T;
  /** The only service that emits it. */
  source: ServiceName;
  data: S;
  /** Browsers of the organization may receive `{ type, subject, sequence }`, never the data. */
  live: boolean;
  /** Customers may subscribe to it with a webhook. Also list it in `public-events.ts`. */
  public: boolean;
  /** Identity writes it to the audit log: its envelope has the client's address and browser. Other events do not have them. */
  audited: boolean;
  /** Every such event belongs to an organization. False for events about a user's own account, and emails that belong to none. */
  tenant: Tenant;
}
/** Declares an event: named in past tense, with one permanent schema. New fields are optional; a changed meaning needs a new type. */
export const event = <const T extends string, S extends Schema, const Tenant extends boolean = true>(
  type: T,
  source: ServiceName,
  data: S,
  options: { live?: boolean; public?: boolean; audited?: boolean; tenant?: Tenant } = {},
): EventType<T, S, Tenant> => ({
  type,
  source,
  data,
  live: options.live ?? false,
  public: options.public ?? false,
  audited: options.audited ?? false,
  tenant: (options.tenant ?? true) as Tenant,
});
/** The context that an event's consumer receives. */
export type ContextOfEvent<E extends EventType> = E['tenant'] extends true ? TenantContext : Context;
export type DataOf<E extends EventType> = z.output<E['data']>;

export interface JobType<T extends string = string, S extends Schema = Schema, Tenant extends boolean = boolean> {
  type: T;
  owner: ServiceName;
  /** BullMQ queue. */
  queue: string;
  data: S;
  /** Maximum number of attempts, and the pause before each retry in milliseconds; the last pause repeats. */
  attempts: number;
  backoffMs: readonly number[];
  /** Each job belongs to an organization. False for work on the rows of all organizations, and on rows that may belong to none. */
  tenant: Tenant;
}
/** Declares a job, named with a verb. Its row in the owner's database is the source of truth; the job only triggers the work. */
export const job = <const T extends string, S extends Schema, const Tenant extends boolean = true>(
  definition: Omit<JobType<T, S>, 'tenant'> & { tenant?: Tenant },
): JobType<T, S, Tenant> => ({ ...definition, tenant: (definition.tenant ?? true) as Tenant });
/** The context that a job's handler receives. */
export type ContextOfJob<J extends JobType> = J['tenant'] extends true ? TenantContext : Context;
export type JobDataOf<J extends JobType> = z.output<J['data']>;
