import { createHash } from 'node:crypto';
import { Inject, Injectable, Req, RequestMapping, RequestMethod, Res } from '@nestjs/common';
import { isTenantContext, type Context, type ContextOf, type InputOf, type Operation, type OutputOf } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { requireContext, type ServiceConfig } from '@tandem/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessHeaders } from './access-header';
import { assertAllowed } from './authorize';
import { answerOf, notModified, type Answer } from './answer';
import { DataVersions, versionPendingHeader } from './data-versions';
import { answerOnce, idempotencyKeyOf } from './idempotency';
import { parseInput } from './input';
import type { MethodDecoratorFor } from '../method-metadata';
import { inSpan } from '../spans';

const runner = Symbol('tandem.operationRunner');
type Handler = (ctx: Context, input: InputOf<Operation>) => unknown;
/** A controller as its routes use it. */
type Handlers = { [runner]: OperationRunner } & Record<string | symbol, Handler>;

/**
 * Implements an operation of the contracts with the method, which is called with `(ctx, input)`. Before it runs, the
 * signed context is verified (401 without one, 503 if it cannot be verified), `allow` is checked, and the input is parsed (422 with fields). Its result is
 * sent in the envelope with the operation's status and entity tag; `Idempotency-Key` is honored if the operation is
 * idempotent: its handler calls `storeResponse` in its transaction. Outside production the result must match the contract member by member. The class must be a `@Controller()`.
 */
export function Handles<const Op extends Operation>(
  op: Op,
): MethodDecoratorFor<(ctx: ContextOf<Op>, input: InputOf<Op>) => OutputOf<Op> | Promise<OutputOf<Op>>> {
  return (target, key) => {
    // Nest calls a separate method, without guards, interceptors and pipes: they would cost more CPU than the checks.
    const value = function (this: Handlers, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      return this[runner].answer(op, request, reply, (ctx, input) => this[key]!(ctx, input));
    };
    const name = `${String(key)} route`;
    Object.defineProperty(target, name, { value });
    RequestMapping({ path: op.path, method: RequestMethod[op.method] })(target, name, { value });
    Req()(target, name, 0);
    Res()(target, name, 1);
    Inject(OperationRunner)(target, runner);
  };
}

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

/** Checks the caller, parses the input, runs the handler, and sends its result. */
@Injectable()
export class OperationRunner {
  constructor(
    @Inject('CONFIG') private readonly config: ServiceConfig,
    @Inject(Database) private readonly db: Database,
    @Inject(DataVersions) private readonly versions: DataVersions,
  ) {}

  async answer(op: Operation, request: FastifyRequest, reply: FastifyReply, handler: Handler): Promise<void> {
    const ctx = requireContext(request.raw, this.config.CONTEXT_SECRET);
    assertAllowed(op, ctx);
    const { organization_id, actor } = ctx;
    const attributes = { 'tandem.operation': op.name, 'tandem.organization_id': organization_id ?? '', 'tandem.actor': actor.type };
    await inSpan(op.name, attributes, () => this.run(op, ctx, request, reply, handler));
  }

  private async run(op: Operation, ctx: Context, request: FastifyRequest, reply: FastifyReply, handler: Handler): Promise<void> {
    const input = parseInput(op, request, headerOf(request, 'if-match'));
    const strict = this.config.NODE_ENV !== 'production';
    const work = async () => handler(ctx, input);
    const toAnswer = (result: unknown) => answerOf(op, ctx, result, strict);
    const key = op.idempotent ? idempotencyKeyOf(headerOf(request, 'idempotency-key')) : undefined;
    // Without an organization there is no tenant to store the response under.
    const once = key !== undefined && isTenantContext(ctx);
    const answer = once
      ? await answerOnce(this.db, ctx, { op, key, fingerprint: fingerprintOf(request) }, work, toAnswer)
      : toAnswer(await work());
    reply.headers(accessHeaders(ctx));
    if (this.versions.isPending(ctx.organization_id)) reply.header(versionPendingHeader, 'true');
    send(request, reply, answer);
  }
}

/** Two requests with the same fingerprint (URL and parsed body) count as the same request. */
const fingerprintOf = (request: FastifyRequest): string =>
  createHash('sha256')
    .update(`${request.url}\n${JSON.stringify(request.body ?? null)}`)
    .digest('hex');

/** From this length on, a body is sent as bytes: Node copies a string together with the headers before it encodes both. */
const encodedLength = 4_096;

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
  reply.headers(answer.headers);
  if (request.method === 'GET' && notModified(answer, headerOf(request, 'if-none-match'))) {
    reply.status(304).send();
    return;
  }
  reply.status(answer.status);
  if (answer.body === '') reply.send();
  else {
    const body = answer.body.length < encodedLength ? answer.body : Buffer.from(answer.body);
    reply.header('content-type', 'application/json; charset=utf-8').send(body);
  }
}
