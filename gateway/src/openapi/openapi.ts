import {
  allOperations,
  downloadAuditLog,
  downloadFile,
  exportAnalytics,
  finishSso,
  followTicket,
  may,
  Pagination,
  permissions,
  problems,
  readBrandingAsset,
  readMailPage,
  refreshSession,
  roles,
  streamChanges,
  streamEvents,
  tokenPermissions,
  unsubscribe,
  uploadFile,
  WebhookEvent,
  type Operation,
  type Permission,
  type ProblemCode,
} from '@tandem/contracts';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { apiBase, usesSession } from '../routes/for-operation';
import { exampleOf } from './examples';
import { documentSchemas, inputOf, operationIdOf, outputOf, type DocumentSchemas, type Json } from './schemas';
import { orderedSubjects, subjectOf } from './subjects';
import { webhookParameters, webhookResponses, webhooks } from './webhooks';

/** Pages rather than an API: only browsers and mail programs call them. */
const pages: readonly Operation[] = [finishSso, unsubscribe];
/** All operations that clients can call. */
export const documentedOperations: readonly Operation[] = allOperations.filter(
  (operation) => !operation.path.startsWith('/internal/') && !pages.includes(operation),
);
/**
 * The public document has the operations for API tokens, portals, widgets and task tools; the other one those that only the signed-in app
 * calls.
 */
export type DocumentName = 'public' | 'app';
const ofPeople: ReadonlySet<string> = new Set(['Account', 'Team']);
const isPublic = (op: Operation): boolean => (usesSession(op) ? op.token !== null : !ofPeople.has(subjectOf(op).name));
export const operationsOf = (name: DocumentName): readonly Operation[] =>
  documentedOperations.filter((op) => isPublic(op) === (name === 'public'));

/** Accepts any content type and uses no session, so CSRF is not possible. */
const acceptsAnyContentType = (op: Operation): boolean => op.name === uploadFile.name || op.allow === 'gateway';

/** The problems of an operation: its own, and those of every operation of its kind. */
export function problemsOf(op: Operation): ProblemCode[] {
  const unsafe = op.method !== 'GET';
  const codes: ProblemCode[] = ['limit.exceeded', 'service.unavailable', 'internal', ...op.problems];
  if (op.input.params || op.input.query || op.input.body) codes.push('request.invalid', 'request.malformed');
  if (unsafe) codes.push('request.malformed', 'request.too_large');
  if (unsafe && !acceptsAnyContentType(op)) codes.push('request.unsupported_media_type', 'csrf.failed');
  if (usesSession(op)) {
    codes.push('session.required', 'session.expired', 'token.invalid', 'token.inactive', 'token.expired', 'token.network_refused');
    codes.push('token.in_url', op.token === null ? 'token.not_allowed' : 'token.permission_missing');
  }
  if (usesSession(op) && op.allow !== 'signed-in') codes.push('organization.required', 'permission.denied', 'mfa.enrolment_required');
  if (op.allow === 'portal' || op.allow === 'widget') codes.push('organization.not_found');
  if (op.idempotent) codes.push('idempotency.key_reused', 'idempotency.running');
  if (op.etag && unsafe) codes.push('request.precondition_failed');
  return [...new Set(codes)].sort();
}

const ref = (kind: 'headers' | 'parameters' | 'responses' | 'schemas', name: string) => ({ $ref: `#/components/${kind}/${name}` });
const headerRefs = (...names: (keyof typeof headers)[]) => Object.fromEntries(names.map((name) => [name, ref('headers', name)]));

const headers = {
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
// ---- problems -------------------------------------------------------------------------------------------------

const pascal = (text: string) => text.replace(/(?:^|[^a-zA-Z0-9]+)(\w)/g, (_, letter: string) => letter.toUpperCase());

function problemResponse(description: string, codes: readonly ProblemCode[], more: Json = {}): Json {
  return {
    description,
    ...more,
    content: {
      'application/problem+json': { schema: { allOf: [ref('schemas', 'Problem'), { properties: { code: { enum: codes } } }] } },
    },
  };
}

interface Failure {
  status: string;
  codes: ProblemCode[];
}
/**
 * The failures of an operation with all their codes. A status for which the operation declares problems has its own entry; `4XX` and
 * `5XX` have the codes that every operation of its kind can return.
 */
function failuresOf(op: Operation): Failure[] {
  const all = problemsOf(op);
  const own = [...new Set(op.problems.map((code) => problems[code].status))].sort();
  const common = all.filter((code) => !op.problems.includes(code));
  return [
    ...own.map((status) => ({ status: String(status), codes: all.filter((code) => problems[code].status === status) })),
    { status: '4XX', codes: common.filter((code) => problems[code].status < 500) },
    { status: '5XX', codes: common.filter((code) => problems[code].status >= 500) },
  ];
}

const rateHeaders = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Used',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
] as const;
const groups: Record<string, { name: string; description: string }> = {
  '4XX': { name: 'Refused', description: 'The request was refused' },
  '5XX': { name: 'Failed', description: 'We failed; a later try can succeed' },
};

/** Responses that several operations share are parts of the document, instead of a copy in each operation. */
function problemResponses(operations: readonly Operation[], common: readonly (keyof typeof headers)[]) {
  const keyOf = ({ status, codes }: Failure) => `${status} ${codes.join(' ')}`;
  const render = ({ status, codes }: Failure) => {
    const group = groups[status];
    if (group) return problemResponse(group.description, codes, common.length > 0 ? { headers: headerRefs(...common) } : {});
    return problemResponse(codes.map((code) => problems[code].title).join(' · '), codes);
  };
  const shared = [...Map.groupBy(operations.flatMap(failuresOf), keyOf).entries()].filter(([, uses]) => uses.length > 1);
  const names = new Map<string, string>();
  const components: Record<string, Json> = {};
  for (const [key, [failure]] of shared.sort(([, a], [, b]) => b.length - a.length)) {
    const plain = groups[failure!.status]?.name ?? pascal(failure!.codes[0]!);
    const taken = [...names.values()].filter((name) => name.replace(/\d+$/, '') === plain).length;
    const name = taken === 0 ? plain : `${plain}${taken + 1}`;
    names.set(key, name);
    components[name] = render(failure!);
  }
  const of = (op: Operation): Json =>
    Object.fromEntries(
      failuresOf(op).map((failure) => {
        const name = names.get(keyOf(failure));
        return [failure.status, name === undefined ? render(failure) : ref('responses', name)];
      }),
    );
  return { components, of };
}

// ---- successes ------------------------------------------------------------------------------------------------

/** Responses without our envelope. `of` is the schema of their content. */
const otherAnswers = new Map<string, { description: string; type: string; of?: z.ZodType; headers?: Json }>([
  [
    streamEvents.name,
    { description: 'A stream of events; `data` of each is this object', type: 'text/event-stream', of: streamEvents.output },
  ],
  [
    streamChanges.name,
    {
      description: 'A stream of events; `data` of each is this object, `id` is its position',
      type: 'text/event-stream',
      of: streamChanges.output,
    },
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
      headers: headerRefs('Content-Disposition'),
    },
  ],
]);

function successResponse(op: Operation, schemas: DocumentSchemas): Json {
  const example = exampleOf(operationIdOf(op))?.response;
  const shown = example === undefined ? {} : { example };
  const other = otherAnswers.get(op.name);
  if (other) {
    return {
      description: other.description,
      ...(other.headers && { headers: other.headers }),
      content: { [other.type]: other.of ? { schema: schemas.use(other.of, 'output'), ...shown } : shown },
    };
  }
  const item = schemas.use(outputOf(op), 'output');
  const schema = {
    type: 'object',
    required: ['success', 'data', 'meta'],
    properties: {
      success: { const: true },
      data: op.paginated ? { type: 'array', items: item } : item,
      meta: ref('schemas', op.paginated ? 'PagedMeta' : 'Meta'),
    },
  };
  const names = [
    ...(op.etag ? ['ETag' as const] : []),
    ...(op.idempotent ? ['Idempotent-Replayed' as const] : []),
    ...(op.paginated ? ['Link' as const] : []),
  ];
  return {
    description: 'Success',
    ...(names.length > 0 && { headers: headerRefs(...names) }),
    content: { 'application/json': { schema, ...shown } },
  };
}

// ---- requests -------------------------------------------------------------------------------------------------

const headerParameter = (name: string, description: string) => ({ name, in: 'header', description, schema: { type: 'string' } });
const commonParameters: Record<string, Json> = {
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
function shortened(parameter: Json): Json {
  const { example: _, description: __, ...plain } = parameter;
  const common = Object.entries(commonParameters).find(
    ([, { description, ...known }]) =>
      isDeepStrictEqual(known, plain) && (parameter.description === undefined || parameter.description === description),
  );
  return common === undefined ? parameter : ref('parameters', common[0]);
}

/** Examples are recorded as they are in a URL. */
const exampleIn = ({ type }: Json, value: string | undefined): Json =>
  value === undefined ? {} : { example: type === 'integer' || type === 'number' ? Number(value) : value };

function parametersOf(op: Operation, schemas: DocumentSchemas): Json[] {
  const example = exampleOf(operationIdOf(op))?.request;
  const partOf = (part: 'params' | 'query') => {
    const { [part]: input } = inputOf(op);
    if (input === undefined) return [];
    const { properties = {}, required = [] } = schemas.resolve(input, 'input') as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: part === 'params' ? 'path' : 'query',
      ...((part === 'params' || required.includes(name)) && { required: true }),
      ...(description !== undefined && { description }),
      schema,
      ...exampleIn(schema, example?.[part]?.[name]),
    }));
  };
  const headers = [
    ...(op.idempotent ? [commonParameters.IdempotencyKey!] : []),
    ...(op.problems.includes('challenge.required')
      ? [headerParameter('X-Tandem-Challenge', 'The answer to GET /public/challenge, base64 of JSON, after `challenge.required`')]
      : []),
    ...(op.name === streamChanges.name
      ? [headerParameter('Last-Event-ID', 'The `id` of the last event; it takes precedence over `after`')]
      : []),
    ...(op.etag && op.method === 'GET' ? [commonParameters.IfNoneMatch!] : []),
    ...(op.etag && op.method !== 'GET' ? [commonParameters.IfMatch!] : []),
  ];
  return [...partOf('params'), ...partOf('query'), ...headers].map(shortened);
}

function bodyOf(op: Operation, schemas: DocumentSchemas): Json {
  if (op.allow === 'gateway') return { requestBody: { required: true, description: 'The signed bytes', content: { '*/*': {} } } };
  if (op.name === uploadFile.name)
    return { requestBody: { required: true, description: 'Exactly the announced bytes', content: { '*/*': {} } } };
  const { body } = inputOf(op);
  if (body === undefined) return {};
  const example = exampleOf(operationIdOf(op))?.request.body;
  const content = { schema: schemas.use(body, 'input'), ...(example !== undefined && { example }) };
  return { requestBody: { required: op.name !== refreshSession.name, content: { 'application/json': content } } };
}

// ---- operations -----------------------------------------------------------------------------------------------

const isPermission = (allow: Operation['allow']): allow is Permission => (permissions as readonly string[]).includes(allow);

/** Who may call an operation, in one sentence. */
export function callersOf({ allow, token }: Operation): string {
  if (allow === 'portal') return 'Anyone, for the organization of the host.';
  if (allow === 'widget') return 'Anyone, for the organization whose widget key is in `organization`.';
  if (allow === 'public') return 'Anyone.';
  if (allow === 'gateway') return 'The task tool, with its signature over the body.';
  if (allow === 'token') return `API tokens with the permission \`${token}\`.`;
  if (allow === 'signed-in' || !isPermission(allow)) return 'Signed-in users.';
  const members = roles.filter((role) => may(role, allow));
  const people = members.length === roles.length ? 'Members' : `Members with the role ${members.join(' or ')}`;
  return token === null ? `${people}.` : `${people}, and API tokens with the permission \`${token}\`.`;
}

/** Splits a summary into its first sentence and the rest. */
export function sentencesOf(summary: string): [first: string, rest: string] {
  const [first = '', ...rest] = summary.replace(/\.$/, '').split(/\. (?=[A-Z`])/);
  return [first, rest.length > 0 ? `${rest.join('. ')}.` : ''];
}

function securityOf(op: Operation): Json[] {
  if (!usesSession(op)) return [];
  if (op.allow === 'token') return [{ token: [op.token] }];
  const session = op.method === 'GET' ? { session: [] } : { session: [], csrf: [] };
  return op.token === null ? [session] : [{ token: [op.token] }, session];
}

function operationObject(op: Operation, schemas: DocumentSchemas, failures: Json): Json {
  const notModified = op.etag && op.method === 'GET' ? { '304': { description: 'Unchanged' } } : {};
  const [summary, more] = sentencesOf(op.summary);
  const parameters = parametersOf(op, schemas);
  return {
    operationId: operationIdOf(op),
    summary,
    description: [more, callersOf(op)].filter((text) => text !== '').join('\n\n'),
    tags: [subjectOf(op).name],
    security: securityOf(op),
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(op, schemas),
    responses: { [String(op.status)]: successResponse(op, schemas), ...notModified, ...failures },
  };
}

// ---- the document ---------------------------------------------------------------------------------------------

function securitySchemes(cookieName: string): Json {
  const meanings = Object.entries(tokenPermissions).map(([name, { description }]) => `- \`${name}\`: ${description}`);
  return {
    token: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'tnd_live_…',
      description: `An API token, from the organization's settings. Its permissions decide what it may call:\n${meanings.join('\n')}`,
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: cookieName,
      description: 'Set by signing in; valid for ten minutes, renewed by POST /auth/refresh',
    },
    csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: 'Repeats the value of the readable csrf cookie' },
  };
}

function envelopeSchemas(pagination: Json): Json {
  const requestIdSchema = { type: 'string', description: 'Identifies this request in logs and in messages to support' };
  const field = {
    type: 'object',
    required: ['path', 'code', 'message'],
    properties: {
      path: { type: 'string', description: 'The member, with dots: `changes.status`' },
      code: { type: 'string' },
      message: { type: 'string' },
    },
  };
  return {
    Meta: { type: 'object', required: ['request_id'], properties: { request_id: requestIdSchema } },
    PagedMeta: { type: 'object', required: ['request_id', 'pagination'], properties: { request_id: requestIdSchema, pagination } },
    Problem: {
      type: 'object',
      description: 'RFC 9457 problem details with a stable code',
      required: ['success', 'type', 'title', 'status', 'code', 'request_id'],
      properties: {
        success: { const: false },
        type: { type: 'string', format: 'uri-reference', description: 'Where the code is explained' },
        title: { type: 'string' },
        status: { type: 'integer' },
        code: { type: 'string', description: 'Stable; programs should compare it' },
        detail: { type: 'string', description: 'One sentence about this request' },
        errors: { type: 'array', items: field, description: 'For invalid input: each member' },
        request_id: requestIdSchema,
      },
    },
  };
}

const introductions: Record<DocumentName, string> = {
  public: `The help desk that keeps every ticket in sync with a task.

Send an API token as \`Authorization: Bearer tnd_live_…\`. Successes are \`{ "success": true, "data": …, "meta": … }\`, failures \`application/problem+json\` with a stable \`code\`. Clients must ignore members that they do not know.

Every response has the headers \`X-Request-Id\`, \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`, \`X-RateLimit-Reset\`, \`X-RateLimit-Used\`, \`RateLimit\` and \`RateLimit-Policy\`.`,
  app: 'What only the signed-in Tandem app calls. It can change without notice: programs use the public document.',
};

interface DocumentOptions {
  serverUrl: string;
  cookieName: string;
}

/** An OpenAPI 3.1 document of the API, generated from the operations. */
export function openApiDocument(name: DocumentName, options: DocumentOptions): Json {
  const url = options.serverUrl.replace(/\/$/, '');
  const operations = operationsOf(name);
  const isForPrograms = name === 'public';
  const schemas = documentSchemas(operations, isForPrograms ? [WebhookEvent, Pagination] : [Pagination]);
  const failures = problemResponses(operations, isForPrograms ? rateHeaders : []);
  const paths: Record<string, Json> = {};
  for (const op of operations) {
    const path = op.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [op.method.toLowerCase()]: operationObject(op, schemas, failures.of(op)) };
  }
  const used = new Set(operations.map((op) => subjectOf(op).name));
  const document = {
    openapi: '3.1.1',
    info: {
      title: isForPrograms ? 'Tandem' : 'Tandem app',
      version: '1',
      description: introductions[name],
      license: { name: 'Proprietary', url: `${url}/terms` },
    },
    servers: [{ url: `${url}${apiBase}` }],
    tags: orderedSubjects
      .filter((subject) => used.has(subject.name))
      .map((subject) => ({ name: subject.name, description: subject.description })),
    paths,
    ...(isForPrograms && { webhooks: webhooks(schemas.use(WebhookEvent, 'output')) }),
    components: {
      securitySchemes: securitySchemes(options.cookieName),
      headers,
      parameters: { ...commonParameters, ...(isForPrograms && webhookParameters) },
      responses: { ...failures.components, ...(isForPrograms && webhookResponses) },
      schemas: { ...schemas.components, ...envelopeSchemas(schemas.use(Pagination, 'output')) },
    },
  };
  return withoutUnused(document);
}

/** Removes the common parts that this document does not refer to. */
function withoutUnused(document: Json & { components: Json }): Json {
  const text = JSON.stringify(document);
  const kinds = ['headers', 'parameters', 'securitySchemes'] as const;
  const isUsed = (kind: (typeof kinds)[number], name: string) =>
    kind === 'securitySchemes'
      ? text.includes(`{"${name}":[`) || text.includes(`"${name}":[]`)
      : text.includes(`"#/components/${kind}/${name}"`);
  const kept = kinds.map((kind) => [
    kind,
    Object.fromEntries(Object.entries(document.components[kind] as Json).filter(([name]) => isUsed(kind, name))),
  ]);
  return { ...document, components: { ...document.components, ...Object.fromEntries(kept) } };
}
