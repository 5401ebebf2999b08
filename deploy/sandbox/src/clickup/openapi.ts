import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownSource } from './own-schemas';
import { type CheckSource, type Operation, RequestCheck } from './request-check';

type Schema = Record<string, unknown>;

interface Document {
  paths: Record<string, Record<string, DocumentedCall>>;
}

interface DocumentedCall {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema } | undefined> };
}

/** ClickUp's own reference as a source. It is read from its path and never copied into the repository, because it has no license. */
export function checkSource(path: string): CheckSource {
  const document = corrected(JSON.parse(readFileSync(path, 'utf8')) as Document);
  const operations = new Map<string, Operation>();
  for (const [route, methods] of Object.entries(document.paths))
    for (const [method, call] of Object.entries(methods)) {
      if (!['get', 'post', 'put', 'delete'].includes(method)) continue;
      operations.set(`${method.toUpperCase()} ${route}`, operationOf(route, method, call));
    }
  return { name: 'clickup-openapi', operations, document };
}

const checks = new Map<string, RequestCheck>();

/** The check by this source, created once per process, because reading the reference takes a quarter of a second. */
export function requestCheck(by: CheckSource['name']): RequestCheck {
  const path = by === 'clickup-openapi' ? referencePath() : undefined;
  let check = checks.get(path ?? '');
  if (!check) checks.set(path ?? '', (check = new RequestCheck(path ? checkSource(path) : ownSource())));
  return check;
}

/** Path of the reference: CLICKUP_OPENAPI, or next to the repository; undefined if it is missing, then our own schemas are used. */
export function referencePath(): string | undefined {
  const named = process.env.CLICKUP_OPENAPI;
  if (named) return named;
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (!existsSync(join(folder, 'nx.json'))) continue;
    const sharedFile = join(folder, '..', 'shared', 'facts', 'clickup', 'clickup-openapi.json');
    return existsSync(sharedFile) ? sharedFile : undefined;
  }
  return undefined;
}

function operationOf(path: string, method: string, { parameters = [], requestBody }: DocumentedCall): Operation {
  const of = (where: string) =>
    Object.fromEntries(parameters.filter((each) => each.in === where).map(({ name, schema }) => [name, schema]));
  const json = requestBody?.content['application/json'];
  const pointer = `#/paths/${escaped(path)}/${method}/requestBody/content/application~1json/schema`;
  return {
    path,
    params: of('path'),
    query: of('query'),
    wantsContentType: parameters.some((each) => each.in === 'header' && each.name === 'Content-Type' && each.required),
    // A reference into the whole document, because its schemas refer to each other by path.
    ...(json ? { body: { $ref: `reference${pointer}` } } : {}),
  };
}

const escaped = (path: string): string => path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');

/** The reference with its known errors corrected; each correction has its reason. */
function corrected(document: Document): Document {
  const body = (path: string, method: string) => {
    const schema = document.paths[path]?.[method]?.requestBody?.content['application/json']?.schema;
    return (schema?.properties ?? {}) as Record<string, Schema>;
  };
  // Its text says that tasks may have no priority; the schema of the change lacks `null`, the only value that removes a priority.
  const change = body('/v2/task/{task_id}', 'put');
  change.priority = { ...change.priority, type: ['integer', 'null'] };
  // Likewise only `null` removes a due date.
  change.due_date = { ...change.due_date, type: ['integer', 'null'] };
  // Required in the schema, but null for a comment without an assignee, as most are.
  const comment = body('/v2/comment/{comment_id}', 'put');
  comment.assignee = { ...comment.assignee, type: ['integer', 'null'] };
  // Its text says "pass an array of events, or the wildcard"; its schema allows the wildcard only.
  const webhook = body('/v2/webhook/{webhook_id}', 'put');
  webhook.events = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
  // Its text filters by `?statuses[]=…`; its parameters lack the brackets, unlike those of the call for a whole workspace.
  const repeated = ['statuses', 'assignees', 'watchers', 'tags', 'custom_items'];
  for (const parameter of document.paths['/v2/list/{list_id}/task']?.get?.parameters ?? [])
    if (repeated.includes(parameter.name)) parameter.name += '[]';
  return document;
}
