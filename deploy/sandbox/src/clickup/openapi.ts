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

/** ClickUp's own reference as a source. It is read from where it lies and never copied, for it has no licence. */
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

/** The check by this source, made once per process: reading the reference takes a quarter of a second. */
export function requestCheck(by: CheckSource['name']): RequestCheck {
  const path = by === 'clickup-openapi' ? referencePath() : undefined;
  let check = checks.get(path ?? '');
  if (!check) checks.set(path ?? '', (check = new RequestCheck(path ? checkSource(path) : ownSource())));
  return check;
}

/** Where the reference is: named by CLICKUP_OPENAPI, or beside the repository; undefined where there is none, and our own schemas do. */
export function referencePath(): string | undefined {
  const named = process.env.CLICKUP_OPENAPI;
  if (named) return named;
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (!existsSync(join(folder, 'nx.json'))) continue;
    const beside = join(folder, '..', 'shared', 'facts', 'clickup', 'clickup-openapi.json');
    return existsSync(beside) ? beside : undefined;
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
    // A reference into the whole, for schemas there refer to each other by their paths.
    ...(json ? { body: { $ref: `reference${pointer}` } } : {}),
  };
}

const escaped = (path: string): string => path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');

/** The reference with what is known to be wrong in it put right, each for a reason. */
function corrected(document: Document): Document {
  const body = (path: string, method: string) => {
    const schema = document.paths[path]?.[method]?.requestBody?.content['application/json']?.schema;
    return (schema?.properties ?? {}) as Record<string, Schema>;
  };
  // Its text says that tasks may have no priority; its schema of the change forgets `null`, which alone takes a priority away.
  const change = body('/v2/task/{task_id}', 'put');
  change.priority = { ...change.priority, type: ['integer', 'null'] };
  // Likewise a due date is taken away by `null` alone.
  change.due_date = { ...change.due_date, type: ['integer', 'null'] };
  // Demanded, and yet most comments are assigned to nobody: then it is null.
  const comment = body('/v2/comment/{comment_id}', 'put');
  comment.assignee = { ...comment.assignee, type: ['integer', 'null'] };
  // Its text says "pass an array of events, or the wildcard"; its schema knows the wildcard only.
  const webhook = body('/v2/webhook/{webhook_id}', 'put');
  webhook.events = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
  // Its text filters by `?statuses[]=…`; its parameters lack the brackets, unlike those of the call for a whole workspace.
  const repeated = ['statuses', 'assignees', 'watchers', 'tags', 'custom_items'];
  for (const parameter of document.paths['/v2/list/{list_id}/task']?.get?.parameters ?? [])
    if (repeated.includes(parameter.name)) parameter.name += '[]';
  return document;
}
