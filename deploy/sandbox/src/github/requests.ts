import type { CheckSource, Operation } from '../clickup/request-check';

type Schema = Record<string, unknown>;
const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };
/** Only the named keys: a misspelled key would be ignored silently. */
const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const time: Schema = { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$` };
const perPage: Schema = { type: 'integer', minimum: 1, maximum: 100 };
const pages = { page: { type: 'integer', minimum: 1 }, per_page: perPage };
const texts: Schema = { type: 'array', items: { type: 'string', minLength: 1, maxLength: 50 }, minItems: 1 };
const title: Schema = { type: 'string', minLength: 1, maxLength: 256 };
const body: Schema = { type: ['string', 'null'], maxLength: 65_536 };
const change = {
  title,
  body,
  labels: texts,
  state: { enum: ['open', 'closed'] },
  state_reason: { enum: ['completed', 'not_planned', 'duplicate', 'reopened', null] },
};
const config = object({ url: text, content_type: { enum: ['json', 'form'] }, secret: text, insecure_ssl: { enum: ['0', '1'] } });
const events: Schema = { type: 'array', items: text };
const issue = '/repositories/{repository_id}/issues/{number}';
const hook = '/repositories/{repository_id}/hooks/{hook_id}';

/** The format of requests, written by us from "REST API endpoints for issues" and "for repository webhooks" on docs.github.com. */
const calls: Record<string, { query?: Record<string, Schema>; body?: Schema }> = {
  'GET /user': {},
  'GET /user/repos': { query: { ...pages, sort: { enum: ['created', 'updated', 'pushed', 'full_name'] } } },
  'GET /repos/{owner}/{name}': {},
  'GET /repositories/{repository_id}': {},
  'GET /repositories/{repository_id}/assignees': { query: pages },
  'GET /repositories/{repository_id}/issues': {
    query: {
      ...pages,
      state: { enum: ['open', 'closed', 'all'] },
      sort: { enum: ['created', 'updated', 'comments'] },
      direction: { enum: ['asc', 'desc'] },
      since: time,
    },
  },
  'POST /repositories/{repository_id}/issues': { body: object({ title, body, labels: texts }, ['title']) },
  [`GET ${issue}`]: {},
  [`PATCH ${issue}`]: { body: object(change) },
  [`POST ${issue}/labels`]: { body: object({ labels: texts }, ['labels']) },
  [`DELETE ${issue}/labels/{label}`]: {},
  [`GET ${issue}/comments`]: { query: { ...pages, since: time } },
  [`POST ${issue}/comments`]: { body: object({ body: { type: 'string', minLength: 1, maxLength: 65_536 } }, ['body']) },
  'GET /repositories/{repository_id}/hooks': { query: pages },
  'POST /repositories/{repository_id}/hooks': {
    body: object({ name: { const: 'web' }, active: { type: 'boolean' }, events, config }, ['config']),
  },
  [`GET ${hook}`]: {},
  [`PATCH ${hook}`]: { body: object({ active: { type: 'boolean' }, events, config }) },
  [`PATCH ${hook}/config`]: { body: config },
  [`DELETE ${hook}`]: {},
};

/** GitHub's own errors for texts that are too long. Counts characters, not UTF-16 units. */
export function tooLong(body: unknown): { resource: string; code: string; field: string; message: string }[] {
  const longest: Record<string, number> = { title: 256, body: 65_536 };
  return Object.entries((body ?? {}) as Record<string, unknown>)
    .filter(([field, text]) => typeof text === 'string' && [...text].length > (longest[field] ?? Infinity))
    .map(([field]) => {
      return { resource: 'Issue', code: 'custom', field, message: `${field} is too long (maximum is ${longest[field]} characters)` };
    });
}

const numbers = ['repository_id', 'number', 'hook_id'];

export function gitHubRequests(): CheckSource {
  const operations = Object.entries(calls).map(([key, { query = {}, body }]): [string, Operation] => {
    const [, path = ''] = key.split(' ');
    const names = [...path.matchAll(/\{(.+?)\}/g)].map(([, name = '']) => name);
    const params = Object.fromEntries(names.map((name) => [name, numbers.includes(name) ? integer : text]));
    return [key, { path, params, query, wantsContentType: false, body }];
  });
  return { name: 'own-schemas', operations: new Map(operations) };
}
