import { allOperations, ArticleWebhookEvent, Pagination, ThinWebhookEvent, WebhookEvent, type Operation } from '@tandem/contracts';
import { baseOf } from '../src/openapi/inheritance';
import { documentSchemas, inputOf, operationIdOf, outputOf, type Json } from '../src/openapi/schemas';

/** The client's method for each operation that tokens may call: `tandem.tickets.list`. */
const methods: Record<string, `${string}.${string}`> = {
  listTickets: 'tickets.list',
  readTicket: 'tickets.get',
  exportTicketsAsCsv: 'tickets.exportCsv',
  createTicket: 'tickets.create',
  updateTicket: 'tickets.update',
  changeTickets: 'tickets.updateMany',
  mergeTicket: 'tickets.merge',
  snoozeTicket: 'tickets.snooze',
  wakeTicketNow: 'tickets.wake',
  readTimeline: 'tickets.timeline',
  listAssignees: 'tickets.assignees',
  listTicketEmails: 'tickets.emails',
  readTicketSla: 'tickets.sla',
  readTicketSurvey: 'tickets.survey',
  readTicketMetrics: 'tickets.metrics',
  readTicketStats: 'tickets.stats',
  listTicketWebhookDeliveries: 'tickets.webhookDeliveries',
  listComments: 'comments.list',
  addComment: 'comments.create',
  draftReply: 'comments.draft',
  listAttachments: 'attachments.list',
  announceAttachment: 'attachments.announce',
  linkAttachment: 'attachments.link',
  readTicketTask: 'tasks.get',
  linkTicketTask: 'tasks.link',
  unlinkTicketTask: 'tasks.unlink',
  listViews: 'views.list',
  listArticles: 'articles.list',
  createArticle: 'articles.create',
  draftArticleFromTicket: 'articles.createFromTicket',
  readArticle: 'articles.read',
  updateArticle: 'articles.update',
  publishArticle: 'articles.publish',
  unpublishArticle: 'articles.unpublish',
  deleteArticle: 'articles.delete',
  restoreArticle: 'articles.restore',
  listArticleVersions: 'articles.listVersions',
  readArticleVersion: 'articles.readVersion',
  listArticleRatings: 'articles.listRatings',
  addArticlePicture: 'articles.addPicture',
  listArticleCategories: 'articleCategories.list',
  createArticleCategory: 'articleCategories.create',
  updateArticleCategory: 'articleCategories.update',
  deleteArticleCategory: 'articleCategories.delete',
  orderArticleCategories: 'articleCategories.order',
  readHelpReport: 'analytics.readHelp',
  listCustomFields: 'customFields.list',
  createCustomField: 'customFields.create',
  updateCustomField: 'customFields.update',
  deleteCustomField: 'customFields.delete',
  restoreCustomField: 'customFields.restore',
  orderCustomFields: 'customFields.order',
  listRules: 'rules.list',
  createRule: 'rules.create',
  updateRule: 'rules.update',
  deleteRule: 'rules.delete',
  orderRules: 'rules.order',
  testRule: 'rules.test',
  listRuleRuns: 'rules.runs',
  readOrganization: 'organizations.get',
  updateOrganization: 'organizations.update',
  readAnalytics: 'analytics.read',
  readAnalyticsByField: 'analytics.byField',
  listExportedTickets: 'analytics.tickets',
  exportAnalytics: 'analytics.exportCsv',
  listWebhookEndpoints: 'webhooks.list',
  updateWebhookEndpoint: 'webhooks.update',
  deleteWebhookEndpoint: 'webhooks.delete',
  testWebhookEndpoint: 'webhooks.test',
  listWebhookDeliveries: 'webhooks.deliveries',
  readWebhookDelivery: 'webhooks.delivery',
  redeliverWebhooks: 'webhooks.redeliver',
  replayWebhooks: 'webhooks.replay',
  listWebhookReplays: 'webhooks.replays',
  updateWebhookReplay: 'webhooks.updateReplay',
  listChanges: 'changes.list',
  streamChanges: 'changes.stream',
};

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
const comment = (text: unknown, indent = '') => (typeof text === 'string' ? `${indent}/** ${text.replaceAll('*/', '* /')} */\n` : '');

/** Editors suggest the literals of `'me' | (string & {})`, but not those of `'me' | string`. */
function union(types: string[]): string {
  const hasLiterals = types.some((type) => type.startsWith('"'));
  return [...new Set(types.map((type) => (type === 'string' && hasLiterals ? '(string & {})' : type)))].join(' | ');
}

/** A schema as a TypeScript type. */
function typeOf(schema: Json, indent = ''): string {
  const { $ref, type, anyOf, oneOf, allOf, properties, additionalProperties, items } = schema;
  if (type === 'null') return 'null';
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)));
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return union(alternatives.map((each) => typeOf(each as Json, indent)));
  if (Array.isArray(allOf)) return allOf.map((each) => typeOf(each as Json, indent)).join(' & ');
  if (Array.isArray(type)) return union(type.map((each) => typeOf({ ...schema, type: each as string }, indent)));
  if (type === 'array') {
    const item = typeOf((items ?? {}) as Json, indent);
    return / [|&] /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  if (properties !== undefined && Object.keys(properties as Json).length > 0) return `{\n${membersOf(schema, indent)}${indent}}`;
  if (type === 'object')
    return typeof additionalProperties === 'object'
      ? `Record<string, ${typeOf(additionalProperties as Json, indent)}>`
      : `Record<string, ${properties === undefined ? 'unknown' : 'never'}>`;
  if (type === 'integer' || type === 'number') return 'number';
  return typeof type === 'string' ? type : 'unknown';
}

function membersOf({ properties, required = [] }: Json, indent: string): string {
  const inner = `${indent}  `;
  return Object.entries(properties as Record<string, Json>)
    .map(([name, member]) => {
      const key = /^\w+$/.test(name) ? name : `'${name}'`;
      const optional = (required as string[]).includes(name) ? '' : '?';
      return `${comment(member.description, inner)}${inner}${key}${optional}: ${typeOf(member, inner)};\n`;
    })
    .join('');
}

const declaration = (name: string, schema: Json, base?: string): string =>
  comment(schema.description) +
  (schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0
    ? `export interface ${name} ${base === undefined ? '' : `extends ${base} `}{\n${membersOf(schema, '')}}`
    : `export type ${name} = ${typeOf(schema)};`);

type Schemas = Record<string, Json>;

/** The same schema with the named lists of values that it repeats as references. */
function withNamedValues(schema: Json, names: ReadonlyMap<string, string>): Json {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const { enum: values, ...rest } = value as Json;
    const name = values === undefined ? undefined : names.get(JSON.stringify(values));
    if (name !== undefined) return { $ref: name, description: rest.description };
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]));
  };
  return visit(schema) as Json;
}

/** Declarations of named schemas: each list of values is written once, and an object that has all members of another one extends it. */
function declarationsOf(components: Schemas, names: ReadonlyMap<string, string>): Map<string, string> {
  const schemas = Object.fromEntries(
    Object.entries(components).map(([name, schema]) => [name, schema.enum === undefined ? withNamedValues(schema, names) : schema]),
  );
  return new Map(
    Object.entries(schemas).map(([name, schema]) => {
      const base = baseOf(name, schemas);
      const inherited = base === undefined ? {} : (schemas[base]!.properties as Json);
      const properties = Object.entries((schema.properties ?? {}) as Json).filter(([member]) => !(member in inherited));
      return [name, declaration(name, { ...schema, ...(base && { properties: Object.fromEntries(properties) }) }, base)];
    }),
  );
}

const withoutInput = (text: string, names: ReadonlySet<string>) =>
  text.replace(/\b(\w+)Input\b/g, (name, plain: string) => (names.has(name) ? plain : name));
/** `XInput` whose type is the same as that of `X`: their schemas differ only in what TypeScript does not express. */
function redundantInputs(declarations: ReadonlyMap<string, string>): Set<string> {
  const names = new Set([...declarations.keys()].filter((name) => name.endsWith('Input')));
  for (let count = -1; count !== names.size;) {
    count = names.size;
    for (const name of names)
      if (withoutInput(declarations.get(name)!, names) !== declarations.get(withoutInput(name, names))) names.delete(name);
  }
  return names;
}

/** `types.ts` and `client.ts` of `libs/sdk/src/generated`: the public API's types, and a method for each operation that tokens may call. */
export function sdkModules(): { types: string; client: string } {
  const operations = allOperations.filter((op) => op.token !== null);
  const schemas = documentSchemas(operations, [WebhookEvent, ArticleWebhookEvent, ThinWebhookEvent, Pagination]);
  const lists = Object.entries(schemas.components).filter(([, { enum: values }]) => values !== undefined);
  const listNames = new Map(lists.map(([name, { enum: values }]) => [JSON.stringify(values), name]));
  const components = declarationsOf(schemas.components, listNames);
  const redundant = redundantInputs(components);
  const declared = [...components].filter(([name]) => !redundant.has(name)).map(([, text]) => withoutInput(text, redundant));
  const unnamed = new Map<string, string>();
  /** The name of a type. An object without a name in the contracts is declared under the given one, unless another operation has the same. */
  const named = (repeating: Json, name: string): string => {
    const schema = withNamedValues(repeating, listNames);
    if (schema.type !== 'object' || Object.keys(schema.properties ?? {}).length === 0) return withoutInput(typeOf(schema), redundant);
    const text = withoutInput(declaration(name, schema), redundant);
    const known = unnamed.get(text.replace(` ${name} `, ' '));
    if (known !== undefined) return known;
    unnamed.set(text.replace(` ${name} `, ' '), name);
    declared.push(text);
    return name;
  };

  const methodOf = (op: Operation, name: string): string => {
    const id = operationIdOf(op);
    const { params, query, body } = inputOf(op);
    const path = op.path.replace(/:(\w+)/g, '${encodeURIComponent($1)}');
    const quoted = path === op.path ? `'${path}'` : `\`${path}\``;
    const inputs: string[] = params
      ? Object.keys(schemas.resolve(params, 'input').properties as Json).map((each) => `${each}: string`)
      : [];
    const parts = { query, body } as const;
    for (const [part, schema] of Object.entries(parts)) {
      if (!schema) continue;
      const resolved = schemas.resolve(schema, 'input');
      const isOptional = ((resolved.required ?? []) as string[]).length === 0 && (part === 'query' || op.method === 'POST');
      const type = named(part === 'query' ? resolved : schemas.use(schema, 'input'), `${capitalized(id)}${capitalized(part)}`);
      inputs.push(`${part}: ${type}${isOptional ? ' = {}' : ''}`);
    }
    const call = [`method: '${op.method}'`, `path: ${quoted}`, ...(query ? ['query'] : []), ...(body ? ['body'] : [])];
    if (op.idempotent) call.push('idempotent: true');
    const isText = op.output.type === 'string';
    const isStream = id === 'streamChanges';
    const output = isText || isStream ? '' : named(schemas.use(outputOf(op), 'output'), `${capitalized(id)}Result`);
    const [kind, result] = isStream
      ? ['stream', 'AsyncGenerator<StreamedChange, void, undefined>']
      : isText
        ? ['text', 'Promise<string>']
        : op.paginated
          ? ['list', `PageList<${output}>`]
          : ['call', `Promise<${output}>`];
    const options = isStream
      ? 'StreamOptions'
      : op.etag && op.method !== 'GET'
        ? 'UpdateOptions'
        : op.idempotent
          ? 'CreateOptions'
          : 'RequestOptions';
    return [
      `  /** ${op.summary} Permission: \`${op.token}\`. */\n`,
      `  ${name}(${[...inputs, `options?: ${options}`].join(', ')}): ${result} {\n`,
      `    return this.transport.${kind}({ ${call.join(', ')} }, options);\n  }\n`,
    ].join('');
  };

  const groups = Map.groupBy(operations, (op) => placeOf(op)[0]);
  const classes = [...groups].map(([group, ops]) => {
    const text = ops.map((op) => methodOf(op, placeOf(op)[1])).join('\n');
    return `export class ${capitalized(group)}Api {\n  constructor(private readonly transport: Transport) {}\n\n${text}}`;
  });
  const head = '// Written by `npm run docs` from the operations. Do not edit.';
  const fields = [...groups.keys()];
  const client = [
    ...classes.flatMap((each) => [each, '']),
    '/** The API of one organization. */',
    'export class Tandem {',
    ...fields.map((group) => `  readonly ${group}: ${capitalized(group)}Api;`),
    '  private readonly transport: Transport;',
    '',
    '  constructor(options: TandemOptions) {',
    '    this.transport = new Transport(options);',
    ...fields.map((group) => `    this.${group} = new ${capitalized(group)}Api(this.transport);`),
    '  }',
    '',
    '  /** Any request to the API; returns the body of the response. */',
    '  request(call: Call, options?: UpdateOptions): Promise<unknown> {',
    '    return this.transport.raw(call, options);',
    '  }',
    '}',
    '',
  ].join('\n');
  const imported = (names: string[]) =>
    names
      .filter((name) => new RegExp(`\\b${name}\\b`).test(client))
      .sort()
      .join(', ');
  const declaredNames = declared.map((text) => /^export (?:interface|type) (\w+)/m.exec(text)![1]!);
  return {
    types: [head, '', ...declared.flatMap((each) => [each, ''])].join('\n'),
    client: [
      head,
      "import type { PageList } from '../page-list';",
      `import { Transport, type Call, type CreateOptions, type RequestOptions, type StreamedChange, type StreamOptions, type TandemOptions, type UpdateOptions } from '../transport';`,
      `import type { ${imported(declaredNames)} } from './types';`,
      '',
      client,
    ].join('\n'),
  };
}

/** Throws for an operation that `methods` does not list: a new one needs a name. */
function placeOf(op: Operation): [group: string, method: string] {
  const place = methods[operationIdOf(op)];
  if (place === undefined) throw new Error(`Add ${operationIdOf(op)} to the methods of the client (gateway/test/sdk-module.ts)`);
  return place.split('.') as [string, string];
}
