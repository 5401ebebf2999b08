import { createHash } from 'node:crypto';
import {
  createParamDecorator,
  Inject,
  Injectable,
  RequestMapping,
  RequestMethod,
  Res,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { AppError, isTenantContext, type Context, type ContextOf, type InputOf, type Operation, type OutputOf } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { contextHeader, verifyContext, type ServiceConfig } from '@tandem/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { accessHeaders } from './access-header';
import { assertAllowed } from './authorize';
import { answerOf, notModified, type Answer } from './answer';
import { answerOnce, idempotencyKeyOf } from './idempotency';
import { parseInput } from './input';
import { addMethodMetadata, methodMetadataOf, type MethodDecoratorFor } from '../method-metadata';
import { inSpan } from '../spans';

export const operationHandlers = Symbol('tandem.handles');

/** What the guard and the interceptor store for each other and for the handler's parameters. */
interface Call {
  ctx: Context;
  input?: InputOf<Operation>;
}
const calls = new WeakMap<FastifyRequest, Call>();
const callOf = (execution: ExecutionContext): Call => calls.get(execution.switchToHttp().getRequest<FastifyRequest>())!;
const CallerContext = createParamDecorator((_: unknown, execution) => callOf(execution).ctx);
const CallInput = createParamDecorator((_: unknown, execution) => callOf(execution).input);

/**
 * Implements an operation of the contracts with the method, which is called with `(ctx, input)`. Before it runs, the
 * signed context is verified (401 without), `allow` is checked, and the input is parsed (422 with fields). Its result is
 * sent in the envelope with the operation's status and entity tag; `Idempotency-Key` is honored if the operation is
 * idempotent. Outside production the result must match the contract member by member. The class must be a `@Controller()`.
 */
export function Handles<const Op extends Operation>(
  op: Op,
): MethodDecoratorFor<(ctx: ContextOf<Op>, input: InputOf<Op>) => OutputOf<Op> | Promise<OutputOf<Op>>> {
  return (target, key, descriptor) => {
    addMethodMetadata(operationHandlers, descriptor.value, op);
    RequestMapping({ path: op.path, method: RequestMethod[op.method] })(target, key, descriptor);
    UseGuards(AllowGuard)(target, key, descriptor);
    UseInterceptors(OperationInterceptor)(target, key, descriptor);
    CallerContext()(target, key, 0);
    CallInput()(target, key, 1);
    // With @Res Nest leaves sending to the interceptor, the only place that knows the status (201, 304, a stored one).
    Res()(target, key, 2);
  };
}

const operationOf = (execution: ExecutionContext): Operation => methodMetadataOf<Operation>(operationHandlers, execution.getHandler())[0]!;
const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

/** Verifies the caller's context and checks `allow`. */
@Injectable()
export class AllowGuard implements CanActivate {
  constructor(@Inject('CONFIG') private readonly config: ServiceConfig) {}

  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<FastifyRequest>();
    const ctx = verifyContext(headerOf(request, contextHeader), this.config.CONTEXT_SECRET);
    if (!ctx) throw new AppError('session.required');
    assertAllowed(operationOf(execution), ctx);
    calls.set(request, { ctx });
    return true;
  }
}

/** Parses the input before the handler runs, and sends its result afterwards. */
@Injectable()
export class OperationInterceptor implements NestInterceptor {
  constructor(
    @Inject('CONFIG') private readonly config: ServiceConfig,
    @Inject(Database) private readonly db: Database,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<void> {
    const op = operationOf(execution);
    const call = callOf(execution);
    const { organization_id, actor } = call.ctx;
    const attributes = { 'tandem.operation': op.name, 'tandem.organization_id': organization_id ?? '', 'tandem.actor': actor.type };
    return from(inSpan(op.name, attributes, () => this.answer(op, call, execution, next)));
  }

  private async answer(op: Operation, call: Call, execution: ExecutionContext, next: CallHandler): Promise<void> {
    const request = execution.switchToHttp().getRequest<FastifyRequest>();
    const reply = execution.switchToHttp().getResponse<FastifyReply>();
    call.input = parseInput(op, request, headerOf(request, 'if-match'));
    const strict = this.config.NODE_ENV !== 'production';
    const run = async () => answerOf(op, call.ctx, await lastValueFrom(next.handle(), { defaultValue: undefined }), strict);
    const key = op.idempotent ? idempotencyKeyOf(headerOf(request, 'idempotency-key')) : undefined;
    const { ctx } = call;
    // Without an organization there is no tenant to store the response under.
    const once = key !== undefined && isTenantContext(ctx);
    const answer = once ? await answerOnce(this.db, ctx, op, key, fingerprintOf(request), run) : await run();
    reply.headers(accessHeaders(ctx));
    send(request, reply, answer);
  }
}

/** Two requests with the same fingerprint (URL and parsed body) count as the same request. */
const fingerprintOf = (request: FastifyRequest): string =>
  createHash('sha256')
    .update(`${request.url}\n${JSON.stringify(request.body ?? null)}`)
    .digest('hex');

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
  reply.headers(answer.headers);
  if (request.method === 'GET' && notModified(answer, headerOf(request, 'if-none-match'))) {
    reply.status(304).send();
    return;
  }
  reply.status(answer.status);
  if (answer.body === '') reply.send();
  else reply.header('content-type', 'application/json; charset=utf-8').send(answer.body);
}
