import { types } from 'node:util';
import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { AppError, type FieldProblem, type Problem, type ProblemCode } from '@tandem/contracts';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import type { Logger } from './log';
import { methodsElsewhere } from './routes';

/** How long a caller is asked to wait when something behind us is away. */
const retryAfterSeconds = 2;

const byStatus: Record<number, ProblemCode> = {
  401: 'session.required',
  403: 'permission.denied',
  404: 'route.not_found',
  405: 'method.not_allowed',
  412: 'request.precondition_failed',
  413: 'request.too_large',
  415: 'request.unsupported_media_type',
  422: 'request.invalid',
  429: 'limit.exceeded',
  502: 'service.unavailable',
  503: 'service.unavailable',
  504: 'service.unavailable',
};

// Sockets, undici and PostgreSQL: the other side is away, which is nobody's bug and passes.
const awayCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_(CONNECT_TIMEOUT|SOCKET|HEADERS_TIMEOUT|BODY_TIMEOUT|CLOSED|DESTROYED)|57P0[1-3]|53300|08...)$/;
const awayNames = new Set(['MaxRetriesPerRequestError', 'NoRespondersError', 'ConnectionError', 'ClosedConnectionError']);

/** Errors of Node's own modules come from another realm wherever code runs in a context (tests): `instanceof` misses them. */
const isError = (value: unknown): value is Error => value instanceof Error || types.isNativeError(value);

/** Whether a server that we depend on could not be reached, as far as its error says so. */
export function isConnectionError(error: unknown): boolean {
  if (!isError(error)) return false;
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isConnectionError);
  const { code } = error as { code?: unknown };
  return (typeof code === 'string' && awayCodes.test(code)) || awayNames.has(error.name) || isConnectionError(error.cause);
}

/** zod's issues as the members of our problem: dotted path, code, sentence. An unknown member is a problem at its own path. */
export function fieldProblems(error: z.core.$ZodError, prefix: (string | number)[] = []): FieldProblem[] {
  return error.issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path.map(String)];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key].join('.'), code: 'unknown', message: 'This field is not known' }));
    }
    return [{ path: path.join('.'), code: issue.code ?? 'invalid', message: issue.message }];
  });
}

interface HasStatus {
  status: number;
  message: string;
}

/** Fastify's own errors (body, media type, address) and Nest's exceptions both say which answer they mean. */
function httpStatusOf(error: unknown): HasStatus | undefined {
  if (error instanceof HttpException) return { status: error.getStatus(), message: error.message };
  if (!isError(error)) return undefined;
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
  const ofFastify = typeof code === 'string' && code.startsWith('FST_');
  if (typeof statusCode === 'number' && (ofFastify || statusCode < 500)) return { status: statusCode, message: error.message };
  return undefined;
}

function ofHttpStatus(error: unknown, { status, message }: HasStatus): AppError {
  const code = byStatus[status] ?? (status >= 400 && status < 500 ? 'request.malformed' : 'internal');
  const speaks = ['request.malformed', 'request.too_large', 'request.unsupported_media_type'].includes(code);
  const retry = code === 'service.unavailable' ? { retryAfterSeconds } : {};
  return new AppError(code, { cause: error, ...retry, ...(speaks ? { detail: message.slice(0, 200) } : {}) });
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof z.core.$ZodError) return new AppError('request.invalid', { fields: fieldProblems(error) });
  const http = httpStatusOf(error);
  if (http) return ofHttpStatus(error, http);
  if (error instanceof URIError) return new AppError('request.malformed', { cause: error });
  if (isConnectionError(error)) return new AppError('service.unavailable', { retryAfterSeconds, cause: error });
  return new AppError('internal', { cause: error });
}

/**
 * What was thrown, as the caller may see it. Bad input is never a 500; what nobody foresaw is logged whole and leaves as
 * `internal` without a word about itself; a server that is away is 503 with a time to come back.
 */
export function toProblem(error: unknown, requestId: string, log?: Logger): { problem: Problem; retryAfterSeconds?: number } {
  const known = asAppError(error);
  if (known.code === 'internal') log?.error({ err: error, request_id: requestId }, 'unexpected error');
  else if (known.status === 503) log?.warn({ err: error, request_id: requestId }, 'something that we need is away');
  return {
    problem: known.toProblem(requestId),
    ...(known.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: known.retryAfterSeconds }),
  };
}

/**
 * Answers with the problem: `application/problem+json`, and `Retry-After` where a repeat makes sense.
 * An address that answers another method gets 405 with `Allow`. An answer that has already begun is cut: half of it is no answer.
 */
export function sendProblem(reply: FastifyReply, error: unknown, requestId: string, log?: Logger): void {
  const answer = toProblem(error, requestId, log);
  let { problem } = answer;
  if (reply.sent || reply.raw.headersSent) {
    reply.raw.destroy();
    return;
  }
  if (problem.code === 'route.not_found' && !(error instanceof AppError)) {
    const methods = methodsElsewhere(reply.request);
    if (methods.length > 0) {
      ({ problem } = toProblem(new AppError('method.not_allowed'), requestId));
      void reply.header('allow', methods.join(', '));
    }
  }
  const { retryAfterSeconds: seconds } = answer;
  if (seconds !== undefined) void reply.header('retry-after', String(Math.max(1, Math.ceil(seconds))));
  // As text: a serializer of the failed route must not see it.
  void reply.status(problem.status).header('content-type', 'application/problem+json').serializer(String).send(JSON.stringify(problem));
}

/** Everything that a route throws leaves as a problem. Registered for each service and for the gateway by `startService`. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log?: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    // Consumers and workers have their own ways to fail; a filter that swallowed their errors would acknowledge them.
    if (host.getType() !== 'http') throw error;
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    sendProblem(reply, error, reply.request.id, this.log);
  }
}
