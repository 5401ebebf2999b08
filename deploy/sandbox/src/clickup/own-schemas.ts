import type { CheckSource, Operation } from './request-check';

type Schema = Record<string, unknown>;

/**
 * The format of requests, written by us from ClickUp's documented facts, for clones without ClickUp's own reference. It contains only the
 * calls of this sandbox, and is as strict as the reference: a request that passes here passes there.
 */
const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };
const number: Schema = { type: 'number' };
const flag: Schema = { type: 'boolean' };
const texts: Schema = { type: 'array', items: text };
const integers: Schema = { type: 'array', items: integer };
const orNull = (schema: Schema): Schema => ({ ...schema, type: [schema.type, 'null'] });
const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({ type: 'object', properties, required });

const id: Schema = { type: 'number' };
const customTask = { custom_task_ids: flag, team_id: number };
const archived = { archived: flag };

const taskFilters: Record<string, Schema> = {
  page: integer,
  order_by: text,
  reverse: flag,
  subtasks: flag,
  include_closed: flag,
  include_markdown_description: flag,
  'statuses[]': texts,
  'assignees[]': texts,
  'tags[]': texts,
  custom_fields: texts,
  ...Object.fromEntries(
    ['due_date', 'date_created', 'date_updated', 'date_done']
      .flatMap((name) => [`${name}_gt`, `${name}_lt`])
      .map((name) => [name, integer]),
  ),
};

const taskContent: Record<string, Schema> = {
  description: text,
  markdown_content: text,
  status: text,
  priority: orNull(integer),
  archived: flag,
  due_date: orNull(integer),
  due_date_time: flag,
  start_date: integer,
  start_date_time: flag,
  time_estimate: integer,
  points: number,
};

const newTask = object(
  {
    ...taskContent,
    name: text,
    assignees: integers,
    tags: texts,
    notify_all: flag,
    parent: orNull(text),
    check_required_custom_fields: flag,
    custom_fields: { type: 'array', items: object({ id: text }, ['id', 'value']) },
  },
  ['name'],
);
const addAndRemove = object({ add: integers, rem: integers }, ['add', 'rem']);
const taskChange = object({ ...taskContent, name: text, parent: text, assignees: addAndRemove, watchers: addAndRemove });
const newComment = object({ comment_text: text, assignee: integer, group_assignee: text, notify_all: flag }, [
  'comment_text',
  'notify_all',
]);
const commentChange = object({ comment_text: text, assignee: orNull(integer), resolved: flag }, ['comment_text', 'assignee', 'resolved']);
const places = { space_id: integer, folder_id: integer, list_id: integer, task_id: text };
const newWebhook = object({ endpoint: text, events: texts, ...places }, ['endpoint', 'events']);
const webhookChange = object({ endpoint: text, events: { anyOf: [text, texts] }, status: text }, ['endpoint', 'events', 'status']);
const tokenRequest = object({ client_id: text, client_secret: text, code: text }, ['client_id', 'client_secret', 'code']);

interface Extras {
  query?: Record<string, Schema>;
  body?: Schema;
  wantsContentType?: boolean;
}

const contentType = { wantsContentType: true };

const calls: Record<string, Extras> = {
  'POST /v2/oauth/token': { body: tokenRequest },
  'GET /v2/user': {},
  'GET /v2/team': {},
  'GET /v2/team/{team_id}/space': { query: archived },
  'GET /v2/team/{team_id}/shared': {},
  'GET /v2/space/{space_id}/folder': { query: archived },
  'GET /v2/folder/{folder_id}/list': { query: archived },
  'GET /v2/space/{space_id}/list': { query: archived },
  'GET /v2/space/{space_id}/tag': contentType,
  'GET /v2/list/{list_id}': {},
  'GET /v2/list/{list_id}/field': { ...contentType, query: { include_applied_objects: flag } },
  'GET /v2/list/{list_id}/member': {},
  'POST /v2/list/{list_id}/task': { body: newTask },
  'GET /v2/list/{list_id}/task': { query: { ...taskFilters, ...archived, include_timl: flag, 'watchers[]': texts } },
  'GET /v2/team/{team_Id}/task': {
    query: { ...taskFilters, 'list_ids[]': texts, 'space_ids[]': texts, 'project_ids[]': texts, parent: text },
  },
  'GET /v2/task/{task_id}': { query: { ...customTask, include_subtasks: flag, include_markdown_description: flag } },
  'PUT /v2/task/{task_id}': { query: customTask, body: taskChange },
  'DELETE /v2/task/{task_id}': { ...contentType, query: customTask },
  'GET /v2/task/{task_id}/comment': { query: { ...customTask, start: integer, start_id: text } },
  'POST /v2/task/{task_id}/comment': { query: customTask, body: newComment },
  'PUT /v2/comment/{comment_id}': { body: commentChange },
  'DELETE /v2/comment/{comment_id}': {},
  'GET /v2/comment/{comment_id}/reply': {},
  'POST /v2/comment/{comment_id}/reply': { body: newComment },
  'POST /v2/task/{task_id}/tag/{tag_name}': { ...contentType, query: customTask },
  'DELETE /v2/task/{task_id}/tag/{tag_name}': { ...contentType, query: customTask },
  'POST /v2/task/{task_id}/field/{field_id}': { query: customTask, body: object({}, ['value']) },
  'DELETE /v2/task/{task_id}/field/{field_id}': { query: customTask },
  'POST /v2/team/{team_id}/webhook': { body: newWebhook },
  'GET /v2/team/{team_id}/webhook': {},
  'PUT /v2/webhook/{webhook_id}': { body: webhookChange },
  'DELETE /v2/webhook/{webhook_id}': {},
};

/** Path ids that are strings; all others are numbers. */
const textIds = ['task_id', 'field_id', 'tag_name', 'webhook_id'];

export function ownSource(): CheckSource {
  const operations = Object.entries(calls).map(([key, { query = {}, body, wantsContentType = false }]): [string, Operation] => {
    const [, path = ''] = key.split(' ');
    const names = [...path.matchAll(/\{(.+?)\}/g)].map(([, name = '']) => name);
    const params = Object.fromEntries(names.map((name) => [name, textIds.includes(name) ? text : id]));
    return [key, { path, params, query, wantsContentType, body }];
  });
  return { name: 'own-schemas', operations: new Map(operations) };
}
