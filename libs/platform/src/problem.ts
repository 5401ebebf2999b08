import { types } from 'node:util';
import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { AppError, type FieldProblem, type Problem, type ProblemCode } from '@tandem/contracts';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import type { Logger } from './log';
import { methodsElsewhere } from './routes';

/** `Retry-After` for problems caused by a dependency that is down. */
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

// Codes of sockets, undici and PostgreSQL that mean the server is down: temporary, and not a bug.
const unavailableCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_(CONNECT_TIMEOUT|SOCKET|HEADERS_TIMEOUT|BODY_TIMEOUT|CLOSED|DESTROYED)|57P0[1-3]|53300|08...)$/;
const unavailableNames = new Set(['MaxRetriesPerRequestError', 'NoRespondersError', 'ConnectionError', 'ClosedConnectionError']);

/** Errors of Node's own modules come from another realm when code runs in a vm context (tests), so `instanceof` misses them. */
const isError = (value: unknown): value is Error => value instanceof Error || types.isNativeError(value);

/** Whether the error means that a server we depend on could not be reached. */
export function isConnectionError(error: unknown): boolean {
  if (!isError(error)) return false;
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isConnectionError);
  const { code } = error as { code?: unknown };
  return (typeof code === 'string' && unavailableCodes.test(code)) || unavailableNames.has(error.name) || isConnectionError(error.cause);
}

/** Converts zod issues to the members of our problem: dotted path, code, sentence. An unknown member is reported at its own path. */
export function fieldProblems(error: z.core.$ZodError, prefix: (string | number)[] = []): FieldProblem[] {
  return error.issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path.map(String)];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key].join('.'), code: 'unknown', message: 'Unknown field' }));
    }
    return [{ path: path.join('.'), code: issue.code ?? 'invalid', message: issue.message }];
  });
}

interface HasStatus {
  status: number;
  message: string;
}

/** Fastify's own errors (body, media type, address) and Nest's exceptions both have an HTTP status. */
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
  const isFrameworkMessage = ['request.malformed', 'request.too_large', 'request.unsupported_media_type'].includes(code);
  const retry = code === 'service.unavailable' ? { retryAfterSeconds } : {};
  return new AppError(code, { cause: error, ...retry, ...(isFrameworkMessage ? { detail: message.slice(0, 200) } : {}) });
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
 * Turns an error into the problem that the caller gets. Invalid input is never a 500; an unexpected error is logged in full and
 * becomes `internal` without details; an unreachable server becomes 503 with `Retry-After`.
 */
export function toProblem(error: unknown, requestId: string, log?: Logger): { problem: Problem; retryAfterSeconds?: number } {
  const known = asAppError(error);
  if (known.code === 'internal') log?.error({ err: error, request_id: requestId }, 'Unexpected error');
  else if (known.status === 503) log?.warn({ err: error, request_id: requestId }, 'A dependency is unavailable');
  return {
    problem: known.toProblem(requestId),
    ...(known.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: known.retryAfterSeconds }),
  };
}

/**
 * Sends the problem as `application/problem+json`, with `Retry-After` if a retry makes sense.
 * If the path exists for other methods, sends 405 with `Allow`. If the response has already started, closes the connection,
 * so that the client does not take a partial response for a complete one.
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
  // Serialized here, because the failed route's serializer must not be applied.
  void reply.status(problem.status).header('content-type', 'application/problem+json').serializer(String).send(JSON.stringify(problem));
}

/** Turns every error of a route into a problem. `startService` registers it for each service and for the gateway. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log?: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    // Consumers and workers handle their own failures; a filter that swallowed their errors would acknowledge them.
    if (host.getType() !== 'http') throw error;
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    sendProblem(reply, error, reply.request.id, this.log);
  }
}
