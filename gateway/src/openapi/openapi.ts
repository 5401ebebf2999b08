import {
  allOperations,
  clientSchemas,
  downloadAuditLog,
  downloadFile,
  exportAnalytics,
  finishSso,
  followTicket,
  Pagination,
  problems,
  readBrandingAsset,
  readMailPage,
  refreshSession,
  streamEvents,
  unsubscribe,
  uploadFile,
  type Operation,
  type ProblemCode,
} from '@tandem/contracts';
import * as z from 'zod';
import { apiBase, usesSession } from '../routes/for-operation';

type Json = Record<string, unknown>;

/** Pages rather than an API: only browsers and mail programs call them. */
const pages: readonly Operation[] = [finishSso, unsubscribe];
/** All operations that clients can call. */
export const documentedOperations: readonly Operation[] = allOperations.filter(
  (operation) => !operation.path.startsWith('/internal/') && !pages.includes(operation),
);

/** What clients send and receive, where the gateway changes it. */
const clientSchemasOf = new Map<string, { body?: z.ZodType; output?: z.ZodType }>(Object.entries(clientSchemas));

/** `$schema` belongs in the document, not in each of its schemas. */
const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json =>
  Object.fromEntries(
    Object.entries<unknown>(z.toJSONSchema(schema, { io, unrepresentable: 'any' })).filter(([name]) => name !== '$schema'),
  );

const rateHeaders = Object.fromEntries(
  [
    ['X-RateLimit-Limit', 'Calls in a window'],
    ['X-RateLimit-Remaining', 'Calls left in this window'],
    ['X-RateLimit-Reset', 'When the window ends, Unix seconds'],
    ['X-RateLimit-Used', 'Calls made in this window'],
  ].map(([name, description]): [string, Json] => [name!, { description, schema: { type: 'integer' } }]),
);
const requestIdHeader = {
  'X-Request-Id': { description: 'Identifies this request in logs and in messages to support', schema: { type: 'string' } },
};
const retryAfter = { 'Retry-After': { description: 'Seconds until a retry makes sense', schema: { type: 'integer' } } };

/** Accepts any content type and uses no session, so CSRF is not possible. */
const acceptsAnyContentType = (op: Operation): boolean => op.name === uploadFile.name || op.allow === 'gateway';

/** The problems of an operation: its own, and those of every operation of its kind. */
export function problemsOf(op: Operation): ProblemCode[] {
  const unsafe = op.method !== 'GET';
  const codes: ProblemCode[] = ['limit.exceeded', 'service.unavailable', 'internal', ...op.problems];
  if (op.input.params || op.input.query || op.input.body) codes.push('request.invalid', 'request.malformed');
  if (unsafe) codes.push('request.malformed', 'request.too_large');
  if (unsafe && !acceptsAnyContentType(op)) codes.push('request.unsupported_media_type', 'csrf.failed');
  if (usesSession(op)) codes.push('session.required', 'session.expired');
  if (usesSession(op) && op.allow !== 'signed-in') codes.push('organization.required', 'permission.denied', 'mfa.enrolment_required');
  if (op.allow === 'portal' || op.allow === 'widget') codes.push('organization.not_found');
  if (op.idempotent) codes.push('idempotency.key_reused', 'idempotency.running');
  if (op.etag && unsafe) codes.push('request.precondition_failed');
  return [...new Set(codes)];
}

function problemResponses(op: Operation): Json {
  const byStatus = Map.groupBy(problemsOf(op), (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('\n'),
        headers: { ...requestIdHeader, ...(status === 429 || status === 503 ? retryAfter : {}) },
        content: {
          'application/problem+json': {
            schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }] },
          },
        },
      },
    ]),
  );
}

/** Responses without our envelope. `of` is the schema of their content. */
const otherAnswers = new Map<string, { description: string; type: string; of?: z.ZodType; headers?: Json }>([
  [
    streamEvents.name,
    { description: 'A stream of events; `data` of each is this object', type: 'text/event-stream', of: streamEvents.output },
  ],
  [
    downloadAuditLog.name,
    { description: 'A header line with the column names, then one line per entry', type: 'text/csv', of: downloadAuditLog.output },
  ],
  [
    exportAnalytics.name,
    { description: 'A header line with the column names, then one line per ticket', type: 'text/csv', of: exportAnalytics.output },
  ],
  [
    followTicket.name,
    { description: 'A stream of events; `data` of each is this object', type: 'text/event-stream', of: followTicket.output },
  ],
  [readBrandingAsset.name, { description: 'The image', type: 'image/*' }],
  [readMailPage.name, { description: 'A page for a sandboxed frame', type: 'text/html', of: readMailPage.output }],
  [
    downloadFile.name,
    {
      description: 'The file: images that browsers may display with their own type, everything else as a download',
      type: '*/*',
      headers: {
        'Content-Disposition': { description: 'Whether to display or download it, and the file name', schema: { type: 'string' } },
      },
    },
  ],
]);

function successResponse(op: Operation): Json {
  const other = otherAnswers.get(op.name);
  if (other) {
    return {
      description: other.description,
      headers: { ...requestIdHeader, ...rateHeaders, ...other.headers },
      content: { [other.type]: other.of ? { schema: jsonSchema(other.of, 'output') } : {} },
    };
  }
  const item = jsonSchema(clientSchemasOf.get(op.name)?.output ?? op.output, 'output');
  const meta = op.paginated ? { $ref: '#/components/schemas/PagedMeta' } : { $ref: '#/components/schemas/Meta' };
  const schema = {
    type: 'object',
    required: ['success', 'data', 'meta'],
    additionalProperties: false,
    properties: { success: { const: true }, data: op.paginated ? { type: 'array', items: item } : item, meta },
  };
  const etag = op.etag ? { ETag: { description: 'The version of the response', schema: { type: 'string' } } } : {};
  const replayed = op.idempotent
    ? { 'Idempotent-Replayed': { description: 'The stored response of an earlier request with this key', schema: { const: 'true' } } }
    : {};
  return {
    description: 'Success',
    headers: { ...requestIdHeader, ...rateHeaders, ...etag, ...replayed },
    content: { 'application/json': { schema } },
  };
}

const headerParameter = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

function parametersOf(op: Operation): Json[] {
  const partOf = (schema: z.ZodType | undefined, place: 'path' | 'query') => {
    const { properties = {}, required = [] } = (schema ? jsonSchema(schema, 'input') : {}) as { properties?: Json; required?: string[] };
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: property,
    }));
  };
  const headers = [
    ...(op.idempotent ? [headerParameter('Idempotency-Key', 'The same key and body return the stored response for 24 hours')] : []),
    ...(op.problems.includes('challenge.required')
      ? [headerParameter('X-Tandem-Challenge', 'The answer to GET /public/challenge, base64 of JSON, after `challenge.required`')]
      : []),
    ...(op.etag && op.method === 'GET' ? [headerParameter('If-None-Match', 'Returns 304 while this is still the version')] : []),
    ...(op.etag && op.method !== 'GET' ? [headerParameter('If-Match', 'Returns 412 if this is no longer the version')] : []),
  ];
  return [...partOf(op.input.params, 'path'), ...partOf(op.input.query, 'query'), ...headers];
}

function bodyOf(op: Operation): Json {
  if (op.allow === 'gateway') return { requestBody: { required: true, description: 'The signed bytes', content: { '*/*': {} } } };
  if (op.name === uploadFile.name)
    return { requestBody: { required: true, description: 'Exactly the announced bytes', content: { '*/*': {} } } };
  const body = clientSchemasOf.get(op.name)?.body ?? op.input.body;
  if (body === undefined) return {};
  return {
    requestBody: { required: op.name !== refreshSession.name, content: { 'application/json': { schema: jsonSchema(body, 'input') } } },
  };
}

function operationObject(op: Operation): Json {
  const notModified = op.etag && op.method === 'GET' ? { '304': { description: 'Unchanged', headers: requestIdHeader } } : {};
  const session = op.method === 'GET' ? { session: [] } : { session: [], csrf: [] };
  return {
    operationId: op.name,
    summary: op.summary,
    description: `Who may call: \`${op.allow === 'gateway' ? 'signature' : op.allow}\`. Limit: \`${op.limit}\`.`,
    tags: [op.name.split('.')[0]],
    security: usesSession(op) ? [session] : [],
    parameters: parametersOf(op),
    ...bodyOf(op),
    responses: { [String(op.status)]: successResponse(op), ...notModified, ...problemResponses(op) },
  };
}

function components(cookieName: string): Json {
  const requestId = { type: 'string' };
  const field = {
    type: 'object',
    required: ['path', 'code', 'message'],
    properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
  };
  return {
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: cookieName,
        description: 'Set by signing in; valid for ten minutes, renewed by POST /auth/refresh',
      },
      csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: 'Repeats the value of the readable csrf cookie' },
    },
    schemas: {
      Meta: { type: 'object', required: ['request_id'], additionalProperties: false, properties: { request_id: requestId } },
      PagedMeta: {
        type: 'object', required: ['request_id', 'pagination'], additionalProperties: false,
        properties: { request_id: requestId, pagination: jsonSchema(Pagination, 'output') },
      }, // prettier-ignore
      Problem: {
        type: 'object',
        description: 'RFC 9457 problem details with a stable code',
        required: ['success', 'type', 'title', 'status', 'code', 'request_id'],
        properties: {
          success: { const: false }, type: { type: 'string', format: 'uri-reference' }, title: { type: 'string' }, status: { type: 'integer' },
          code: { enum: Object.keys(problems) }, detail: { type: 'string' }, errors: { type: 'array', items: field }, request_id: requestId,
        }, // prettier-ignore
      },
    },
  };
}

/** The OpenAPI 3.1 document of the whole API, generated from the operations. */
export function openApiDocument(options: { serverUrl: string; cookieName: string }): Json {
  const paths: Record<string, Json> = {};
  for (const op of documentedOperations) {
    const path = op.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [op.method.toLowerCase()]: operationObject(op) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tandem', version: '1', description: 'The help desk that keeps every ticket in sync with a task.' },
    servers: [{ url: `${options.serverUrl.replace(/\/$/, '')}${apiBase}` }],
    tags: [...new Set(documentedOperations.map(({ name }) => name.split('.')[0]))].map((name) => ({ name })),
    paths,
    components: components(options.cookieName),
  };
}
