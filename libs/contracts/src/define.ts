import type * as z from 'zod';
import type { Page } from './pagination';
import type { ProblemCode } from './values/errors';
import type { LimitClass } from './values/limits';
import type { Permission } from './values/permissions';

export const serviceNames = ['identity', 'tickets', 'notifications', 'integrations', 'analytics'] as const;
export type ServiceName = (typeof serviceNames)[number];

/**
 * Who may call an operation:
 * - a permission: a signed-in member whose role grants it, or an API token that carries it;
 * - `signed-in`: any signed-in person, also before there is an organization;
 * - `portal`: anyone, for the organization that the page's host names;
 * - `widget`: anyone, for the organization whose widget key (its subdomain) the query's `organization` names;
 * - `public`: anyone;
 * - `gateway`: our own gateway on behalf of anyone; has no route of its own.
 */
export type Allow = Permission | 'signed-in' | 'portal' | 'widget' | 'public' | 'gateway';

type Schema = z.ZodType;
export interface InputSchemas {
  params?: Schema;
  query?: Schema;
  body?: Schema;
}

export interface Operation<I extends InputSchemas = InputSchemas, O extends Schema = Schema, Paged extends boolean = boolean> {
  /** `tickets.create`: owner, then verb. Span, metric and log name. */
  name: string;
  /** One sentence for the API document. */
  summary: string;
  /** `gateway`: composed or answered there; no service has a handler for it. */
  owner: ServiceName | 'gateway';
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1` at the gateway and below `/` at the owner; parameters as `:id`. */
  path: string;
  allow: Allow;
  /** Which of the specification's limits counts this call at the gateway. */
  limit: LimitClass;
  input: I;
  /** The schema of `data` in the answer; of one item when `paginated`. */
  output: O;
  paginated: Paged;
  /** The status of success, 200 unless said. */
  status: number;
  /** The problems that belong to this operation, beside those that any call can meet. */
  problems: readonly ProblemCode[];
  /**
   * The strong entity tag of an answer: makes GET answer 304 to `If-None-Match`, and PATCH honour `If-Match`. `content`: a handwritten handler
   * derives a weak one from the bytes.
   */
  etag: ((data: never) => string) | 'content' | undefined;
  /** POST that creates: honours `Idempotency-Key`. */
  idempotent: boolean;
  /** The gateway answers this path itself (cookies, raw bodies) and calls the owner: no generated route. */
  handwritten: boolean;
}

type Optional = 'limit' | 'paginated' | 'status' | 'problems' | 'etag' | 'idempotent' | 'handwritten' | 'input';

/** Declares an operation: the one place that says its address, who may call it, what goes in and what comes out. */
export function operation<const I extends InputSchemas, O extends Schema, const Paged extends boolean = false>(
  definition: Omit<Operation<I, O, Paged>, Optional | 'etag'> &
    Partial<Omit<Pick<Operation<I, O, Paged>, Optional>, 'etag'>> & { etag?: ((data: z.output<O>) => string) | 'content' },
): Operation<I, O, Paged> {
  return {
    limit: 'api',
    input: {} as I,
    paginated: false as Paged,
    status: 200,
    problems: [],
    idempotent: false,
    handwritten: false,
    ...definition,
    etag: definition.etag,
  };
}

type Parsed<S> = S extends Schema ? z.output<S> : undefined;
type Raw<S> = S extends Schema ? z.input<S> : undefined;

/** What a handler receives: each part parsed. `if_match` is the version that the caller says it saw. */
export interface InputOf<Op extends Operation> {
  params: Parsed<Op['input']['params']>;
  query: Parsed<Op['input']['query']>;
  body: Parsed<Op['input']['body']>;
  if_match?: string;
}
/** What a caller passes to `Services.call`: parts that the operation lacks are left out. */
export type CallOf<Op extends Operation> = {
  [Part in keyof InputSchemas as Op['input'][Part] extends Schema ? Part : never]: Raw<Op['input'][Part]>;
};
/** What a handler returns. */
export type OutputOf<Op extends Operation> = Op['paginated'] extends true ? Page<z.output<Op['output']>> : z.output<Op['output']>;

export interface EventType<T extends string = string, S extends Schema = Schema> {
  type: T;
  /** Who announces it; only that service emits it. */
  source: ServiceName;
  data: S;
  /** What browsers of the organization may hear of it: `{ type, subject, sequence }`, never the data. */
  live: boolean;
  /** Customers may subscribe to it with a webhook (spec part 2, section 4). */
  public: boolean;
  /** Identity writes it to the audit log: its envelope names the client's address and browser. No other event carries them. */
  audited: boolean;
}
/** Declares an event: past tense, one schema for good; new fields are optional, a changed meaning is a new type. */
export const event = <const T extends string, S extends Schema>(
  type: T,
  source: ServiceName,
  data: S,
  options: { live?: boolean; public?: boolean; audited?: boolean } = {},
): EventType<T, S> => ({
  type,
  source,
  data,
  live: options.live ?? false,
  public: options.public ?? false,
  audited: options.audited ?? false,
});
export type DataOf<E extends EventType> = z.output<E['data']>;

export interface JobType<T extends string = string, S extends Schema = Schema> {
  type: T;
  owner: ServiceName;
  /** BullMQ queue. */
  queue: string;
  data: S;
  /** How often it is tried, and the pause before each repeat in milliseconds; the last pause repeats. */
  attempts: number;
  backoffMs: readonly number[];
}
/** Declares a job: a verb. Its row in the owner's database is the truth; the job only says when to look at it. */
export const job = <const T extends string, S extends Schema>(definition: JobType<T, S>): JobType<T, S> => definition;
export type JobDataOf<J extends JobType> = z.output<J['data']>;
