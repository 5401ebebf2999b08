import type { Operation } from '@tandem/contracts';
import { applyDecorators, RequestMapping, RequestMethod, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';

export const apiBase = '/api/v1';

const operationKey = 'tandem:operation';
const rawKey = 'tandem:raw';

export interface HandlerOptions {
  /** Accepts any content type, unparsed and without CSRF checks: the caller is authenticated by a signature. */
  raw?: boolean;
  /** The body stays a stream (`request.body`) of any type; the handler decides how much of it to read. Only with `raw`. */
  stream?: boolean;
  /** The maximum body size in bytes; 1 MiB by default. */
  bodyLimitBytes?: number;
}

/** Binds a handler to an operation's method and path below `/api/v1`; the guards take its permission and limit from the operation. */
export function ForOperation(operation: Operation, options: HandlerOptions = {}): MethodDecorator {
  return applyDecorators(
    RequestMapping({ path: `${apiBase}${operation.path}`, method: RequestMethod[operation.method] }),
    SetMetadata(operationKey, operation),
    SetMetadata(rawKey, options.raw ?? false),
    RouteConfig({ ...options }),
  );
}

/** Returns a function that reads metadata of a handler once per handler: several guards need it on each request. */
export function handlerMetadata<T>(key: string): (context: Pick<ExecutionContext, 'getHandler'>) => T | undefined {
  const known = new WeakMap<object, { value: T | undefined }>();
  return (context) => {
    const handler = context.getHandler();
    let entry = known.get(handler);
    if (entry === undefined) {
      entry = { value: Reflect.getMetadata(key, handler) as T | undefined };
      known.set(handler, entry);
    }
    return entry.value;
  };
}

export const operationOf = handlerMetadata<Operation>(operationKey);

const rawOf = handlerMetadata<boolean>(rawKey);
export const isRawRoute = (context: ExecutionContext): boolean => rawOf(context) === true;

const withoutSession: ReadonlySet<Operation['allow']> = new Set(['public', 'portal', 'widget', 'gateway']);
/** Operations for customers ignore sessions: a staff member is a visitor there like any other. */
export const usesSession = ({ allow }: Operation): boolean => !withoutSession.has(allow);
