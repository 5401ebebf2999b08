import type { Operation } from '@tandem/contracts';
import { applyDecorators, RequestMapping, RequestMethod, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';

export const apiBase = '/api/v1';

const operationKey = 'tandem:operation';
const rawKey = 'tandem:raw';

export interface HandlerOptions {
  /** Takes any content type, unparsed and without the CSRF checks: callers prove themselves by a signature over the bytes. */
  raw?: boolean;
  /** The body stays a stream (`request.body`), of any length and type: the handler says how much of it is read. Only with `raw`. */
  stream?: boolean;
  /** The largest body in bytes, 1 MiB unless said. */
  bodyLimitBytes?: number;
}

/** Binds a handler to an operation's method and path below `/api/v1`; the guards read who may call and what is counted from it. */
export function ForOperation(operation: Operation, options: HandlerOptions = {}): MethodDecorator {
  return applyDecorators(
    RequestMapping({ path: `${apiBase}${operation.path}`, method: RequestMethod[operation.method] }),
    SetMetadata(operationKey, operation),
    SetMetadata(rawKey, options.raw ?? false),
    RouteConfig({ ...options }),
  );
}

export const operationOf = (context: ExecutionContext): Operation | undefined =>
  Reflect.getMetadata(operationKey, context.getHandler()) as Operation | undefined;

export const isRawRoute = (context: ExecutionContext): boolean => Reflect.getMetadata(rawKey, context.getHandler()) === true;

const withoutSession: ReadonlySet<Operation['allow']> = new Set(['public', 'portal', 'widget', 'gateway']);
/** What is for customers never looks at a session: a staff member there is a visitor like any other. */
export const usesSession = ({ allow }: Operation): boolean => !withoutSession.has(allow);
