import { AppError } from '@tandem/contracts';
import { fieldProblems } from '@tandem/platform';
import type * as z from 'zod';
import { bytesOf, type GatewayRequest } from '../request';

/**
 * Parses the body of a route that the gateway answers itself: throws `request.malformed` for invalid JSON, `request.invalid` for a schema
 * mismatch.
 */
export function bodyOf<S extends z.ZodType>(request: GatewayRequest, schema: S): z.output<S> {
  const parsed = schema.safeParse(jsonIn(bytesOf(request)));
  if (!parsed.success) throw new AppError('request.invalid', { fields: fieldProblems(parsed.error) });
  return parsed.data;
}

function jsonIn(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '');
  } catch (cause) {
    throw new AppError('request.malformed', { cause });
  }
}
