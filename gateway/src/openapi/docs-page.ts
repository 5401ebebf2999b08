import { limits, problems, tokenPermissions, type Operation } from '@tandem/contracts';
import { apiBase } from '../routes/for-operation';
import { code, escape, inline, json, memberList, membersOf, nameOf, objectId, prose, typeOf } from './docs-html';
import { exampleOf } from './examples';
import { callersOf, sentencesOf } from './callers';
import { operationsOf } from './documented-operations';
import { exampleProblem, problemsOf } from './failures';
import { flattened } from './inheritance';
import { operationIdOf, type Json } from './schemas';
import { orderedSubjects, subjectOf } from './subjects';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Json;
  example?: string;
}
interface Documented {
  summary: string;
  description: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: Content & { description?: string };
  responses: Record<string, Response | { $ref: string }>;
}
interface Response extends Content {
  description?: string;
}
interface Content {
  content?: Record<string, { schema?: Json; example?: unknown }>;
}
interface Document {
  servers: [{ url: string }];
  paths: Record<string, Record<string, Documented>>;
  webhooks: Record<string, { post: { summary: string; parameters: { $ref: string }[]; requestBody: Content } }>;
  components: { parameters: Record<string, Parameter>; responses: Record<string, Response>; schemas: Record<string, Json> };
}

const slug = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
const panel = (title: string, body: string, more = '') =>
  `<figure><figcaption>${title}${more}</figcaption><pre tabindex="0">${body}</pre></figure>`;

/** `1,000 requests a minute per token`. */
function limitOf(op: Operation): string {
  const { limit, windowSeconds } = op.token === null ? limits[op.limit] : limits.rest_api;
  const time = { 60: 'a minute', 900: 'in 15 minutes', 3600: 'an hour' }[windowSeconds as 60 | 900 | 3600];
  return `${limit.toLocaleString('en')} requests ${time} per ${op.token === null ? 'caller' : 'token'}`;
}

/** A response or body: its only media type. */
const contentOf = (part: Content | undefined) => Object.entries(part?.content ?? {})[0];

function schemaSection(title: string, schema: Json): string {
  const members = schema.properties === undefined ? `<p>${typeOf(schema)}</p>` : membersOf(schema);
  return `<h4>${title}</h4>${members}`;
}

/** The type of `data` in one line, and its members if it has no name. */
function dataOf(schema: Json): string {
  const data = (schema.properties as { data?: Json } | undefined)?.data ?? schema;
  if (data.properties === undefined) return `<p>${typeOf(data)}</p>`;
  return Object.keys(data.properties as Json).length === 0 ? '<p>An empty object</p>' : membersOf(data);
}

function curl(op: Operation, url: string): string {
  const { params = {}, query, body } = exampleOf(operationIdOf(op))?.request ?? {};
  const path = op.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? `{${name}}`);
  const search = query ? `?${decodeURIComponent(new URLSearchParams(query).toString())}` : '';
  const lines = [
    `curl ${op.method === 'GET' || op.method === 'POST' ? '' : `-X ${op.method} `}'${url}${path}${search}'`,
    ...(op.token === null ? [] : [`-H "Authorization: Bearer $TANDEM_TOKEN"`]),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`]),
  ];
  return lines.join(' \\\n  ');
}

function operationSection(op: Operation, { servers, paths, components }: Document): string {
  const object = paths[op.path.replace(/:(\w+)/g, '{$1}')]![op.method.toLowerCase()]!;
  const parameters = (object.parameters ?? []).map((one) => ('$ref' in one ? components.parameters[nameOf(one.$ref)]! : one));
  const [, body] = contentOf(object.requestBody) ?? [];
  const response = object.responses[String(op.status)]!;
  const success = '$ref' in response ? components.responses[nameOf(response.$ref)]! : response;
  const [media, answer] = contentOf(success) ?? [];
  const id = operationIdOf(op);
  const example = exampleOf(id);
  const failures = problemsOf(op).filter((name) => op.problems.includes(name));
  const common = problemsOf(op).length - failures.length;
  const resolve = (schema: Json) => flattened(schema, (ref) => components.schemas[nameOf(ref)]!);
  const listed = parameters.map((p) => ({
    name: p.name,
    schema: p.schema,
    description: p.description,
    note: p.required ? 'required' : undefined,
  }));
  const ofPlace = (place: string) => listed.filter((_, i) => parameters[i]!.in === place);
  const places = (
    [
      ['path', 'Path'],
      ['query', 'Query'],
      ['header', 'Headers'],
    ] as const
  ).filter(([place]) => ofPlace(place).length > 0);
  const tryIt = {
    method: op.method,
    path: op.path,
    parameters: parameters.map((p) => ({
      name: p.name,
      in: p.in,
      required: p.required ?? false,
      value: (p.in === 'query' ? example?.request.query?.[p.name] : undefined) ?? '',
    })),
    ...(object.requestBody && { body: example?.request.body === undefined ? '{}' : JSON.stringify(example.request.body, null, 2) }),
  };
  const canTry = op.token !== null && media === 'application/json';
  return `<section class="operation" id="${id}"><div class="text">
<h3><a href="#${id}">${inline(object.summary)}</a></h3>
<p class="route"><span class="method ${op.method.toLowerCase()}">${op.method}</span> ${code(apiBase + op.path.replace(/:(\w+)/g, '{$1}'))}</p>
<p class="facts">${op.token === null ? `<span>${inline(callersOf(op))}</span>` : `<span>Permission ${code(op.token)}</span>`}<span>${limitOf(op)}</span></p>
${prose(object.description.split('\n\n').slice(0, -1).join('\n\n'))}
${places.map(([place, title]) => `<h4>${title}</h4>${memberList(ofPlace(place))}`).join('\n')}
${body?.schema === undefined ? (object.requestBody?.description ? `<h4>Body</h4><p>${escape(object.requestBody.description)}</p>` : '') : schemaSection('Body', resolve(body.schema))}
<h4>Response ${op.status}</h4>${answer?.schema === undefined ? prose(success.description ?? '') : `<div class="data">${media === 'application/json' ? dataOf(resolve(answer.schema)) : `${prose(success.description ?? '')}<p>${typeOf(answer.schema)}</p>`}</div>`}
<h4>Problems</h4><ul class="problems">${failures.map((name) => `<li><span>${problems[name].status}</span> ${code(name)} ${escape(problems[name].title)}</li>`).join('')}<li>And <a href="#problems">${common} that any call can have</a></li></ul>
</div><div class="samples">${panel('Request', escape(curl(op, servers[0].url)), canTry ? `<button type="button" data-try="${escape(JSON.stringify(tryIt))}" hidden>Try it</button>` : '')}
${example?.response === undefined ? '' : panel(`Response ${op.status}`, typeof example.response === 'string' ? escape(example.response) : json(example.response))}</div></section>`;
}

const webhookNote =
  'We POST each event to the endpoints that subscribe to it, signed by the rules of Standard Webhooks. Answer with a status of 2xx within 15 seconds. Other responses are retried for 76 hours; 410 disables the endpoint. An event can arrive twice, with the same `id`, and out of order: compare `sequence`.';

function webhookSection({ webhooks, components }: Document): string {
  const events = Object.entries(webhooks);
  const names = events[0]![1].post.parameters.map(({ $ref }) => nameOf($ref));
  const rows = events.map(([name, { post }]) => `<div><dt>${code(name)}</dt><dd>${escape(post.summary)}</dd></div>`);
  const samples = events.flatMap(([name, { post }]) => {
    const [, { example } = {}] = contentOf(post.requestBody) ?? [];
    if (example === undefined) return [];
    const isFirst = name === events[0]![0];
    return [`<details${isFirst ? ' open' : ''}><summary>${code(name)}</summary><pre tabindex="0">${json(example)}</pre></details>`];
  });
  return `<section class="subject" id="webhook-events"><h2>Webhook events</h2><div class="operation"><div class="text">
<h3>How they are sent</h3>${prose(webhookNote)}
<h4>Headers</h4>${memberList(names.map((name) => components.parameters[name]!))}
<h4>Body</h4><p><a href="#${objectId('WebhookEvent')}">WebhookEvent</a>, for events of articles <a href="#${objectId('ArticleWebhookEvent')}">ArticleWebhookEvent</a>, or a thin body with the URL of the ticket or article instead of its data, as the endpoint asks for.</p>
<h4>Events</h4><dl>${rows.join('')}</dl></div><div class="samples events">${samples.join('\n')}</div></div></section>`;
}

/** The objects that operations refer to, each shown once. */
function objectSections({ components }: Document): string {
  return Object.entries(components.schemas)
    .map(([name, described]) => {
      const schema = flattened(described, (ref) => components.schemas[nameOf(ref)]!);
      const values = Array.isArray(schema.enum) ? `<p>${schema.enum.map((value) => code(String(value))).join(' ')}</p>` : undefined;
      const shown = values ?? (schema.properties === undefined ? `<p>${typeOf(schema)}</p>` : membersOf(schema));
      const { description } = schema as { description?: string };
      return `<section class="object" id="${objectId(name)}"><h3><a href="#${objectId(name)}">${name}</a></h3>${description ? prose(description) : ''}${shown}</section>`;
    })
    .join('\n');
}

const commonProblems = (operations: readonly Operation[]) =>
  [...new Set(operations.flatMap((op) => problemsOf(op).filter((name) => !op.problems.includes(name))))].sort();

function beginning({ servers: [{ url }] }: Document, operations: readonly Operation[]): string {
  const problem = exampleProblem('request.invalid');
  const rows = commonProblems(operations).map(
    (name) => `<li><span>${problems[name].status}</span> ${code(name)} ${escape(problems[name].title)}</li>`,
  );
  const permissions = Object.entries(tokenPermissions).map(
    ([name, { description }]) => `<div><dt>${code(name)}</dt><dd>${escape(description)}</dd></div>`,
  );
  return `<section class="operation" id="authentication"><div class="text"><h2>Authentication</h2>
<p>An admin creates an API token in the settings, tab API. Send it in the <code>Authorization</code> header, never in a URL. A token belongs to one organization and has its own permissions:</p>
<dl>${permissions.join('')}</dl></div><div class="samples">${panel('Your first request', escape(`export TANDEM_TOKEN=tnd_live_…\n\ncurl '${url}/tickets?limit=1' \\\n  -H "Authorization: Bearer $TANDEM_TOKEN"`))}</div></section>
<section class="operation" id="responses"><div class="text"><h2>Responses</h2>
<p>A success has <code>data</code> and <code>meta</code>. Lists accept <code>cursor</code>: continue with <code>meta.pagination.next_cursor</code>, or with the URL in the <code>Link</code> header, until it is null. Ignore members that you do not know: later versions add some.</p>
<p>Send an <code>Idempotency-Key</code> with a request that creates something. If you repeat it, you get the response of the first request instead of a second ticket.</p>
<h3>Limits</h3><p>A token has 1,000 requests a minute. Every response has the remaining requests in <code>X-RateLimit-Limit</code>, <code>-Remaining</code>, <code>-Reset</code> and <code>-Used</code>, and in the standard <code>RateLimit</code>. A response with status 429 has the number of seconds to wait in <code>Retry-After</code>.</p>
</div><div class="samples">${panel('Success', json({ success: true, data: [{ id: '…' }], meta: { request_id: 'req-01932d5c9a4e', pagination: { page: 1, limit: 20, total: 57, next_cursor: 'WyJuZXdlc3Qi…' } } }))}</div></section>
<section class="operation" id="problems"><div class="text"><h2>Problems</h2>
<p>A failure is a problem by RFC 9457, with a <code>code</code> that stays the same. Compare the code, and show people the <code>detail</code>. These can happen to any request:</p>
<ul class="problems">${rows.join('')}</ul><p><a href="/api/docs/errors">All codes</a></p></div><div class="samples">${panel('Problem', json(problem))}</div></section>`;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Collections before their items, reading before writing. */
function inReadingOrder(a: Operation, b: Operation): number {
  const depth = ({ path }: Operation) => path.split('/').length;
  return depth(a) - depth(b) || a.path.localeCompare(b.path) || methods.indexOf(a.method) - methods.indexOf(b.method);
}

/** The beginning of the summary, as far as it can be understood alone. */
const navigationLabel = ({ summary }: Operation) =>
  sentencesOf(summary)[0]
    .split(/[;:,] | with | and /)[0]!
    .replaceAll('`', '');

/** The reference of the public API. Rendered on the server; the script only filters the navigation and sends requests. */
export function docsPage(openApi: Json): string {
  const document = openApi as unknown as Document;
  const operations = operationsOf('public');
  const groups = orderedSubjects
    .map((subject) => ({ subject, own: operations.filter((op) => subjectOf(op) === subject).sort(inReadingOrder) }))
    .filter(({ own }) => own.length > 0);
  const links = groups.map(
    ({ subject, own }) =>
      `<div class="group"><a href="#${slug(subject.name)}">${subject.name}</a><ul>${own
        .map(
          (op) =>
            `<li><a href="#${operationIdOf(op)}"><span class="method ${op.method.toLowerCase()}">${op.method}</span> ${escape(navigationLabel(op))}</a></li>`,
        )
        .join('')}</ul></div>`,
  );
  const sections = groups.map(
    ({ subject, own }) =>
      `<section class="subject" id="${slug(subject.name)}"><h2>${subject.name}</h2><p>${escape(subject.description)}</p>
${own.map((op) => operationSection(op, document)).join('\n')}</section>`,
  );
  return page(
    'Tandem API',
    `<header><a href="#top">Tandem API</a><nav><a href="${apiBase}/openapi.json">OpenAPI document</a><a href="/docs/api-reference?tab=rest">Guide</a></nav></header>
<div class="page"><aside><details class="menu" open><summary>Contents</summary>
<label hidden>Find <input type="search" id="find" autocomplete="off"></label>
<ul><li><a href="#authentication">Authentication</a></li><li><a href="#responses">Responses</a></li><li><a href="#problems">Problems</a></li><li><a href="#webhook-events">Webhook events</a></li></ul>
${links.join('\n')}
<ul><li><a href="#objects">Objects</a></li></ul></details></aside>
<main id="top"><h1>Tandem API</h1>
<p class="lead">Read and change tickets, follow what happens, and receive it as webhooks. Everything below is at ${code(document.servers[0].url)}.</p>
${beginning(document, operations)}
${sections.join('\n')}
${webhookSection(document)}
<section class="subject" id="objects"><h2>Objects</h2><p>What requests and responses refer to by name.</p>
${objectSections(document)}</section></main></div>`,
    '<script src="/api/docs/try.js" defer></script>',
  );
}

/** Lists the meaning of each code; the `type` of a problem response links here. */
export function errorsPage(): string {
  const rows = Object.entries(problems).map(
    ([name, { status, title }]) => `<tr id="${name}"><td>${status}</td><td>${code(name)}</td><td>${escape(title)}</td></tr>`,
  );
  return page(
    'Problems',
    `<header><a href="/api/docs">Tandem API</a></header>
<main class="plain"><h1>Problems</h1><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></main>`,
  );
}

const page = (title: string, body: string, head = '') => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="stylesheet" href="/api/docs/style.css">${head}</head>
<body>${body}</body></html>`;
