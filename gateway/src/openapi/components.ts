import { isDeepStrictEqual } from 'node:util';
import type { Json } from './schemas';

/** Parts of the document that operations refer to. */

export const ref = (kind: 'examples' | 'headers' | 'parameters' | 'responses' | 'schemas', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});
export const headerRefs = (...names: (keyof typeof headers)[]) => Object.fromEntries(names.map((name) => [name, ref('headers', name)]));

/** The headers of responses. */
export const headers = {
  'X-Request-Id': header('Identifies this request in logs and in messages to support', { type: 'string' }),
  'X-RateLimit-Limit': header('Calls in a window', { type: 'integer' }),
  'X-RateLimit-Remaining': header('Calls left in this window', { type: 'integer' }),
  'X-RateLimit-Reset': header('When the window ends, Unix seconds', { type: 'integer' }),
  'X-RateLimit-Used': header('Calls made in this window', { type: 'integer' }),
  RateLimit: header('The calls left and the seconds until the window ends', { type: 'string' }),
  'RateLimit-Policy': header('The limit and its window', { type: 'string' }),
  'Retry-After': header('Seconds until a retry makes sense', { type: 'integer' }),
  ETag: header('The version of the response', { type: 'string' }),
  'Idempotent-Replayed': header('The stored response of an earlier request with this key', { const: 'true' }),
  Link: header('The next page, with `rel="next"`; missing on the last page', { type: 'string' }),
  'Content-Disposition': header('Whether to display or download it, and the file name', { type: 'string' }),
};
function header(description: string, schema: Json) {
  return { description, schema };
}

export const headerParameter = (name: string, description: string) => ({ name, in: 'header', description, schema: { type: 'string' } });
export const commonParameters: Record<string, Json> = {
  Id: { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
  Page: {
    name: 'page',
    in: 'query',
    description: 'For people; programs continue with `cursor`',
    schema: { type: 'integer', minimum: 1, maximum: 10_000 },
  },
  Cursor: {
    name: 'cursor',
    in: 'query',
    description: 'The `next_cursor` of the page before',
    schema: { type: 'string', minLength: 1, maxLength: 500 },
  },
  IdempotencyKey: headerParameter('Idempotency-Key', 'The same key and body return the stored response for 24 hours'),
  IfMatch: headerParameter('If-Match', 'Returns 412 if this is no longer the version'),
  IfNoneMatch: headerParameter('If-None-Match', 'Returns 304 while this is still the version'),
};
/** Replaces a common parameter with a reference to it. */
export function shortened(parameter: Json): Json {
  const { example: _, description: __, ...plain } = parameter;
  const common = Object.entries(commonParameters).find(
    ([, { description, ...known }]) =>
      isDeepStrictEqual(known, plain) && (parameter.description === undefined || parameter.description === description),
  );
  return common === undefined ? parameter : ref('parameters', common[0]);
}
