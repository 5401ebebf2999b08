import { allOperations, AppError, type Context, type Operation, type Problem, type ProblemCode } from '@tandem/contracts';
import { Services, splitAnswer } from '@tandem/messaging';
import { ConcurrencyLimit } from '@tandem/platform';
import { Controller, Inject, Injectable, Req, Res, type Type } from '@nestjs/common';
import type { GatewayConfig } from '../config';
import { OrganizationOfRequest } from '../host/organization-of-request';
import { RedisLimitStorage } from '../limits/redis-limit-storage';
import { bytesOf, contextOf, contextOfCaller, type GatewayReply, type GatewayRequest } from '../request';
import { apiBase, ForOperation } from './for-operation';
import { KnownTags } from './known-tags';
import { foreignTicketOf, KnownTickets } from './known-tickets';

/** The request headers that are passed to the service, and the response headers that are passed back; no others are. */
const headersIn = ['content-type', 'if-none-match', 'if-match', 'idempotency-key'] as const;
const headersOut = ['content-type', 'etag', 'idempotent-replayed', 'retry-after'] as const;

const nothing = Buffer.alloc(0);

export interface OwnerResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export const dataOf = <T>({ body }: OwnerResponse): T => (JSON.parse(body.toString('utf8')) as { data: T }).data;
/** The code of an error response. */
export const codeOf = ({ body }: OwnerResponse): ProblemCode => (JSON.parse(body.toString('utf8')) as Problem).code;

/**
 * Requests of one API token that this process forwards at once. A token may make 1,000 requests in a minute; without this limit, a client that makes
 * them all at the start of the minute would delay all other organizations for these seconds.
 */
const concurrencyOfToken = { maxConcurrent: 4, maxWaitMs: 5_000 };

/** Forwards requests to an operation's service and its responses back, as unparsed bytes. */
@Injectable()
export class OperationForwarder {
  private readonly ofToken = new ConcurrencyLimit(concurrencyOfToken);

  constructor(
    private readonly services: Services,
    private readonly organizations: OrganizationOfRequest,
    private readonly limits: RedisLimitStorage,
    private readonly tickets: KnownTickets,
    private readonly tags: KnownTags,
    @Inject('CONFIG') private readonly config: Pick<GatewayConfig, 'PUBLIC_URL'>,
  ) {}

  async answer(operation: Operation, request: GatewayRequest, reply: GatewayReply): Promise<void> {
    const unchanged = this.tags.matching(request);
    if (unchanged !== undefined) return this.send(reply, { status: 304, headers: { etag: unchanged }, body: nothing });
    const answer = await this.forwardAndRefund(operation, request);
    this.tags.add(request, answer);
    // After the call, so that invalid input is rejected first. This is safe: the service has no data about an unknown ticket to read
    // or change.
    const ticket_id = answer.status < 400 ? foreignTicketOf(operation, request) : undefined;
    if (ticket_id !== undefined) await this.tickets.check(await this.contextFor(operation, request), ticket_id);
    if (operation.paginated && answer.status === operation.status) this.linkNext(operation, request, reply, answer);
    await this.send(reply, answer);
  }

  /** RFC 8288: clients that follow links need not build the next page's URL. */
  private linkNext(operation: Operation, request: GatewayRequest, reply: GatewayReply, { body }: OwnerResponse): void {
    const { next_cursor } = JSON.parse(splitAnswer(body).pagination) as { next_cursor: string | null };
    if (next_cursor === null) return;
    const url = new URL(`${apiBase}${pathOf(operation, request)}`, this.config.PUBLIC_URL);
    url.searchParams.delete('page');
    url.searchParams.set('cursor', next_cursor);
    reply.header('link', `<${url.href}>; rel="next"`);
  }

  async forward(operation: Operation, request: GatewayRequest): Promise<OwnerResponse> {
    const context = await this.contextFor(operation, request);
    const forward = () =>
      this.services.forward(operation, context, {
        path: pathOf(operation, request),
        headers: pick(request.headers, headersIn),
        body: bytesOf(request),
      });
    return request.apiToken === undefined ? forward() : this.ofToken.run(request.apiToken.id, forward);
  }

  /** Refunds the limits that do not count this outcome (`refundOn`). An owner that is unavailable is a failure like any other. */
  private async forwardAndRefund(operation: Operation, request: GatewayRequest): Promise<OwnerResponse> {
    let status = 500;
    try {
      const answer = await this.forward(operation, request);
      status = answer.status;
      return answer;
    } catch (error) {
      if (error instanceof AppError) status = error.status;
      throw error;
    } finally {
      await this.refund(request, status);
    }
  }

  private refund({ consumed = [] }: GatewayRequest, status: number): Promise<void> {
    return this.limits.refundAll(consumed.filter(({ refundOn }) => refundOn !== undefined && status >= refundOn));
  }

  async send(reply: GatewayReply, { status, headers, body }: OwnerResponse): Promise<void> {
    await reply.status(status).headers(pick(headers, headersOut)).header('cache-control', 'private, no-cache').send(body);
  }

  private async contextFor(operation: Operation, request: GatewayRequest): Promise<Context> {
    return contextOfCaller(request) ?? contextOf(request, { type: 'customer' }, await this.organizations.find(operation, request));
  }
}

/** Built from the matched parameters, not from the client's URL: the service gets exactly the route that was authorized here. */
export function pathOf(operation: Operation, request: GatewayRequest): string {
  const params = request.params as Record<string, string>;
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const { url } = request.raw;
  const query = url?.indexOf('?') ?? -1;
  return query < 0 ? path : path + url!.slice(query);
}

function pick(headers: Record<string, string | string[] | undefined>, names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
}

/** Operations without a handwritten handler in the gateway. */
export const forwardedOperations = allOperations.filter(({ handwritten, allow }) => !handwritten && allow !== 'gateway');

type Route = (this: { forwarder: OperationForwarder }, request: GatewayRequest, reply: GatewayReply) => Promise<void>;

/** A controller with one method per operation, decorated as Nest expects it. */
export function operationRoutes(operations: readonly Operation[]): Type<object> {
  class OperationRoutes {
    constructor(readonly forwarder: OperationForwarder) {}
  }
  const prototype = OperationRoutes.prototype as unknown as Record<string, Route>;
  for (const operation of operations) {
    prototype[operation.name] = function (request, reply) {
      return this.forwarder.answer(operation, request, reply);
    };
    Req()(prototype, operation.name, 0);
    Res()(prototype, operation.name, 1);
    ForOperation(operation)(prototype, operation.name, Object.getOwnPropertyDescriptor(prototype, operation.name)!);
  }
  Inject(OperationForwarder)(OperationRoutes, undefined, 0);
  Controller()(OperationRoutes);
  return OperationRoutes;
}
