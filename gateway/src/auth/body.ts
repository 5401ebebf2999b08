import { AppError } from '@tandem/contracts';
import { fieldProblems } from '@tandem/platform';
import type * as z from 'zod';
import { bytesOf, type GatewayRequest } from '../request';

/**
 * Parses the body of a route that the gateway answers itself: throws `request.malformed` for invalid JSON, `request.invalid` for a schema
 * mismatch.
 */
export function bodyOf<S extends z.ZodType>(request: GatewayRequest, schema: S): z.output<S> {
  const parsed = schema.safeParse(jsonOf(request));
  if (!parsed.success) throw new AppError('request.invalid', { fields: fieldProblems(parsed.error) });
  return parsed.data;
}

/** The body as JSON. Throws `request.malformed` if it is not. */
export function jsonOf(request: GatewayRequest): unknown {
  try {
    return JSON.parse(bytesOf(request)?.toString('utf8') ?? '');
  } catch (cause) {
    throw new AppError('request.malformed', { cause });
  }
}
