import { isDeepStrictEqual } from 'node:util';
import { ArticleWebhookEvent, Pagination, TicketBase, tokenPermissions, WebhookEvent, type Operation } from '@tandem/contracts';
import { apiBase, usesSession } from '../routes/for-operation';
import { callersOf, sentencesOf } from './callers';
import { commonParameters, headers, ref } from './components';
import { operationsOf, type DocumentName } from './documented-operations';
import { problemResponses, rateHeaders } from './failures';
import { withBases } from './inheritance';
import { bodyOf, operationParameters } from './request-parts';
import { documentSchemas, operationIdOf, type DocumentSchemas, type Json } from './schemas';
import { orderedSubjects, subjectOf } from './subjects';
import { successResponses } from './success-response';
import { webhookParameters, webhookResponses, webhooks } from './webhooks';

function securityOf(op: Operation): Json[] {
  if (!usesSession(op)) return [];
  if (op.allow === 'token') return [{ token: [op.token] }];
  const session = op.method === 'GET' ? { session: [] } : { session: [], csrf: [] };
  return op.token === null ? [session] : [{ token: [op.token] }, session];
}

interface OperationParts {
  parameters: Json[];
  success: Json;
  failures: Json;
}

/** For operations that do not state one. */
const defaultSecurity: Record<DocumentName, Json[] | undefined> = { public: undefined, app: [{ session: [], csrf: [] }] };

function operationObject(
  name: DocumentName,
  op: Operation,
  schemas: DocumentSchemas,
  { parameters, success, failures }: OperationParts,
): Json {
  const notModified = op.etag && op.method === 'GET' ? { '304': { description: 'Unchanged' } } : {};
  const security = securityOf(op);
  const [summary, more] = sentencesOf(op.summary);
  return {
    operationId: operationIdOf(op),
    summary,
    description: [more, callersOf(op)].filter((text) => text !== '').join('\n\n'),
    tags: [subjectOf(op).name],
    ...(!isDeepStrictEqual(security, defaultSecurity[name]) && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(op, schemas),
    responses: { [String(op.status)]: success, ...notModified, ...failures },
  };
}

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
    Success: successSchema('Meta'),
    PagedSuccess: successSchema('PagedMeta'),
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

/** The members of every successful response. Each response narrows `data`. */
const successSchema = (meta: 'Meta' | 'PagedMeta'): Json => ({
  type: 'object',
  required: ['success', 'data', 'meta'],
  properties: { success: { const: true }, data: {}, meta: ref('schemas', meta) },
});

const introductions: Record<DocumentName, string> = {
  public: `The help desk that keeps every ticket in sync with a task.

Send an API token as \`Authorization: Bearer tnd_live_…\`. Successes are \`{ "success": true, "data": …, "meta": … }\`, failures \`application/problem+json\` with a stable \`code\`. Clients must ignore members that they do not know.

Every response has the headers \`X-Request-Id\`, \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`, \`X-RateLimit-Reset\`, \`X-RateLimit-Used\`, \`RateLimit\` and \`RateLimit-Policy\`.`,
  app: 'The operations that only the signed-in Tandem app calls. They can change without notice: programs use the public document.',
};

export interface DocumentOptions {
  serverUrl: string;
  cookieName: string;
}

/** An OpenAPI 3.1 document of the API, generated from the operations. */
export function openApiDocument(name: DocumentName, options: DocumentOptions): Json {
  const url = options.serverUrl.replace(/\/$/, '');
  const operations = operationsOf(name);
  const isForPrograms = name === 'public';
  const schemas = documentSchemas(operations, [Pagination, TicketBase, ...(isForPrograms ? [WebhookEvent, ArticleWebhookEvent] : [])]);
  const parameters = operationParameters(operations, schemas);
  const successes = successResponses(operations, schemas);
  const failures = problemResponses(operations, { common: isForPrograms ? rateHeaders : [], hasExamples: isForPrograms });
  const paths: Record<string, Json> = {};
  for (const op of operations) {
    const path = op.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [op.method.toLowerCase()]: operationObject(name, op, schemas, {
        parameters: parameters.of(op),
        success: successes.of(op),
        failures: failures.of(op),
      }),
    };
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
    ...(defaultSecurity[name] && { security: defaultSecurity[name] }),
    tags: orderedSubjects
      .filter((subject) => used.has(subject.name))
      .map((subject) => ({ name: subject.name, description: subject.description })),
    paths,
    ...(isForPrograms && { webhooks: webhooks(schemas.use(WebhookEvent, 'output'), schemas.use(ArticleWebhookEvent, 'output')) }),
    components: {
      securitySchemes: securitySchemes(options.cookieName),
      headers,
      ...(isForPrograms && { examples: { ...failures.examples, ...successes.examples } }),
      parameters: { ...commonParameters, ...parameters.components, ...(isForPrograms && webhookParameters) },
      responses: { ...successes.components, ...failures.components, ...(isForPrograms && webhookResponses) },
      schemas: { ...withBases(schemas.components), ...envelopeSchemas(schemas.use(Pagination, 'output')) },
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
