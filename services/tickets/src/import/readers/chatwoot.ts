import type { CustomerRecord, ImportRecord, TeammateRecord } from '@tandem/contracts';
import type * as z from 'zod';
import { ImportFailed, type ImportInput, type SourceItem } from '../import-reader';
import { ApiClient, UnusableResponse } from './api-client';
import { IdSet, mapConcurrently, readPages, readRows } from './api-pages';
import { apiReader } from './api-reader';
import { articleItems, categoryRecord } from './chatwoot-articles';
import {
  Agents,
  Article,
  Category,
  Contact,
  Conversation,
  ConversationList,
  Message,
  Payload,
  Portal,
  Profile,
  type Row,
} from './chatwoot-schemas';
import { conversationItems, type ChatwootContext } from './chatwoot-ticket';
import { OncePerImport, problem, splitName } from './source-items';

/**
 * Reads an account of Chatwoot through its application API (https://developers.chatwoot.com/api-reference): agents, conversations in all
 * statuses with their messages, contacts, and the articles of its portals. The token is one of a user (`api_access_token`), who should be an
 * administrator: an agent gets only the conversations of their inboxes.
 */
export const chatwootReader = apiReader('chatwoot', (input) => clientFor(input).client, readAccount);

/** Admins paste the address of any page: `https://chat.example.com/app/accounts/3/dashboard`. */
function clientFor({ api, signal }: ImportInput): { client: ApiClient; account: number | undefined } {
  if (!api) throw new ImportFailed('source.unreachable');
  const page = /^(.*?)\/app(?:\/accounts\/(\d+))?(?:\/.*)?$/.exec(api.address.replace(/[?#].*$/, ''));
  const access = { ...api, address: page?.[1] ?? api.address };
  const client = new ApiClient({ access, authorization: { api_access_token: api.token }, signal });
  return { client, account: page?.[2] === undefined ? undefined : Number(page[2]) };
}

async function* readAccount(input: ImportInput): AsyncGenerator<SourceItem> {
  const { client, account: given } = clientFor(input);
  const account = await findAccount(client, given);
  const path = `/api/v1/accounts/${account}`;
  const agents = parse(Agents, await client.requiredJson(`${path}/agents`));
  for (const { id, name, email } of agents) {
    yield item(
      'teammate',
      { key: String(id), email: email ?? null, ...splitName(name ?? null) } satisfies TeammateRecord,
      `${path}/agents`,
    );
  }
  const context: ChatwootContext = {
    input,
    base: client.base,
    account,
    agents: new Set(agents.map(({ id }) => String(id))),
    once: new OncePerImport(),
  };
  yield* readConversations(client, path, context);
  yield* optional('customer', `${path}/contacts`, readContacts(client, path));
  yield* optional('article', `${path}/portals`, readPortals(client, path));
}

/**
 * The account in the address; else the only one of the token's user, or the one that they used last. Only administrators get all
 * conversations; an agent gets those of their inboxes, and the response does not say that there are others
 * (app/services/conversations/permission_filter_service.rb).
 */
async function findAccount(client: ApiClient, given: number | undefined): Promise<number> {
  const { accounts, account_id } = parse(Profile, await client.requiredJson('/api/v1/profile'));
  const [first] = accounts;
  const id = given ?? (accounts.length > 1 ? account_id : undefined) ?? first?.id;
  const account = accounts.find((each) => each.id === id);
  if (!account) throw new ImportFailed('source.not_found');
  if (account.role != null && account.role !== 'administrator') throw new ImportFailed('source.refused');
  return account.id;
}

/** `source.not_found` if the response has another form: another product is at this address. */
function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw new ImportFailed('source.not_found', { cause: result.error });
  return result.data;
}

function item<Kind extends ImportRecord['kind']>(kind: Kind, data: (ImportRecord & { kind: Kind })['data'], file: string): SourceItem {
  return { type: 'record', record: { kind, data } as ImportRecord, at: { file, line: null } };
}

/** A part that the token may not read, or that this version does not have, is a problem; the other parts are imported. */
async function* optional(kind: 'customer' | 'article', file: string, items: AsyncGenerator<SourceItem>): AsyncGenerator<SourceItem> {
  try {
    yield* items;
  } catch (error) {
    if (!(error instanceof UnusableResponse)) throw error;
    yield problem('record.left_out', { file, line: null }, { kind, key: null, value: String(error.status) });
  }
}

/**
 * `sort_by=created_at_asc` is the order in which rows do not move when customers write; versions before 3.0 ignore it. A page has 25 rows
 * (app/finders/conversation_finder.rb).
 */
async function* readConversations(client: ApiClient, path: string, context: ChatwootContext): AsyncGenerator<SourceItem> {
  let total: number | null = null;
  let done = 0;
  const rows = readRows(async (page) => {
    const query = `status=all&assignee_type=all&sort_by=created_at_asc&page=${page}`;
    const { data } = parse(ConversationList, await client.requiredJson(`${path}/conversations?${query}`));
    total = data.meta?.all_count ?? total;
    return data.payload;
  });
  for await (const items of mapConcurrently(rows, 8, (row) => readConversation(client, path, row, context))) {
    yield* items;
    done += 1;
    context.input.onProgress(done, total === null ? null : Math.max(total, done));
  }
}

async function readConversation(client: ApiClient, path: string, row: Row, context: ChatwootContext): Promise<SourceItem[]> {
  const key = String(row.id);
  const file = `${path}/conversations/${key}/messages`;
  const at = { file, line: null };
  const conversation = Conversation.safeParse(row);
  if (!conversation.success)
    return [problem('value.invalid', at, { kind: 'ticket', key, field: conversation.error.issues[0]!.path.join('.') })];
  try {
    const { rows: messages, problems } = parseRows(Message, await readMessages(client, file), 'comment', file);
    return [...conversationItems(conversation.data, messages, context), ...problems];
  } catch (error) {
    if (!(error instanceof UnusableResponse)) throw error;
    // It was deleted after its page was read.
    if (error.status === 404) return [];
    return [
      ...conversationItems(conversation.data, [], context),
      problem('entry.unreadable', at, { kind: 'comment', key: null, value: key }),
    ];
  }
}

function parseRows<T extends z.ZodType>(
  schema: T,
  unchecked: readonly Row[],
  kind: 'comment' | 'article' | 'article_category',
  file: string,
): { rows: z.output<T>[]; problems: SourceItem[] } {
  const rows: z.output<T>[] = [];
  const problems: SourceItem[] = [];
  for (const row of unchecked) {
    const result = schema.safeParse(row);
    if (result.success) rows.push(result.data);
    else {
      const field = result.error.issues[0]!.path.join('.');
      problems.push(problem('value.invalid', { file, line: null }, { kind, key: String(row.id), field }));
    }
  }
  return { rows, problems };
}

/**
 * All messages of a conversation. `after` returns up to 100 in ascending order, so that one request is enough for most conversations; without
 * it, and in versions that do not know it, the latest 20 are returned, and older ones by `before` (app/finders/message_finder.rb).
 */
async function readMessages(client: ApiClient, file: string): Promise<Row[]> {
  const found = new Map<number, Row>();
  const read = async (query: string): Promise<number> => {
    const rows = await readPayload(client, `${file}?${query}`);
    for (const row of rows) found.set(row.id, row);
    return rows.length;
  };
  let size = await read('after=0');
  while (size >= 100) {
    const before = found.size;
    size = await read(`after=${Math.max(...found.keys())}`);
    if (found.size === before) break;
  }
  if (found.size !== 20) return [...found.values()];
  for (let before = 0; before !== found.size;) {
    before = found.size;
    await read(`before=${Math.min(...found.keys())}`);
  }
  return [...found.values()];
}

async function readPayload(client: ApiClient, path: string): Promise<Row[]> {
  const { data } = Payload.safeParse(await client.json(path));
  if (!data) throw new UnusableResponse(200, 'other_form');
  return data.payload;
}

/** Names of people who have no conversation, too. 15 per page. */
async function* readContacts(client: ApiClient, path: string): AsyncGenerator<SourceItem> {
  const seen = new IdSet();
  const pages = readPages((page) => readPayload(client, `${path}/contacts?sort=email&page=${page}`));
  for await (const rows of pages) {
    for (const row of rows) {
      const { data } = Contact.safeParse(row);
      if (!seen.add(row.id) || !data?.email || !data.name) continue;
      yield item('customer', { key: String(data.id), email: data.email, name: data.name } satisfies CustomerRecord, `${path}/contacts`);
    }
  }
}

async function* readPortals(client: ApiClient, path: string): AsyncGenerator<SourceItem> {
  const { rows: portals } = parseRows(Portal, await readPayload(client, `${path}/portals`), 'article', `${path}/portals`);
  let position = 0;
  for (const { slug, config } of portals) {
    const portal = `${path}/portals/${encodeURIComponent(slug)}`;
    for await (const row of readRows((page) => readPayload(client, `${portal}/categories?page=${page}`))) {
      const { rows: categories, problems } = parseRows(Category, [row], 'article_category', `${portal}/categories`);
      yield* problems;
      for (const each of categories) yield item('article_category', categoryRecord(each, (position += 1)), `${portal}/categories`);
    }
    for await (const row of readRows((page) => readPayload(client, `${portal}/articles?page=${page}`))) {
      const { rows: articles, problems } = parseRows(Article, [row], 'article', `${portal}/articles`);
      yield* problems;
      for (const each of articles) yield* articleItems(each, config?.default_locale ?? null, { file: `${portal}/articles`, line: null });
    }
  }
}
