import * as z from 'zod';
import { ImportFailed, type ImportInput, type SourceItem } from '../import-reader';
import { ApiClient, UnusableResponse } from './api-client';
import { mapConcurrently, readRows } from './api-pages';
import { apiReader } from './api-reader';
import { readKnowledgeBase } from './zammad-knowledge';
import { Links, Priority, Rows, State, Tags, Ticket, TicketArticle, type Row } from './zammad-schemas';
import { authorIdOf, ticketItems, typeOf, type ZammadContext } from './zammad-ticket';
import { ZammadUsers, type Person } from './zammad-users';
import { OncePerImport, problem } from './source-items';

/**
 * Reads Zammad through its API (https://docs.zammad.org/en/latest/api/intro.html): users, tickets in all states with their articles and tags,
 * and the knowledge base. The token needs `ticket.agent` and read access to all groups; tickets of other groups are not in the list.
 */
export const zammadReader = apiReader('zammad', clientFor, readInstallation);

/** Admins paste the address of any page: `https://support.example.com/#dashboard`, or that of the API. */
function clientFor({ api, signal }: ImportInput): ApiClient {
  if (!api) throw new ImportFailed('source.unreachable');
  const access = { ...api, address: api.address.replace(/[?#].*$/, '').replace(/\/api\/v1\/?$/, '') };
  return new ApiClient({ access, authorization: { authorization: `Token token=${api.token}` }, signal });
}

async function* readInstallation(input: ImportInput): AsyncGenerator<SourceItem> {
  const client = clientFor(input);
  const states = await requiredList(client, '/api/v1/ticket_states?expand=true', State);
  const priorities = await requiredList(client, '/api/v1/ticket_priorities?expand=true', Priority);
  const context: ZammadContext = {
    input,
    base: client.base,
    states: new Map(states.map((state) => [state.id, state])),
    priorities: new Map(priorities.map(({ id, name }) => [id, name])),
    once: new OncePerImport(),
  };
  await assertAgent(client);
  const users = new ZammadUsers(client);
  for await (const data of users.load(pagesOf(client, '/api/v1/users'))) {
    yield { type: 'record', record: { kind: 'customer', data }, at: { file: '/api/v1/users', line: null } };
  }
  yield* readTickets(client, users, context);
  yield* optionalKnowledgeBase(client);
}

/** With another token, the list of tickets is empty or has those of one customer: not an error. Only agents and admins may list tags. */
async function assertAgent(client: ApiClient): Promise<void> {
  const answer = await unlessUnusable(client.json('/api/v1/tags?object=Ticket&o_id=1'));
  if (answer instanceof UnusableResponse && answer.status === 403) throw new ImportFailed('source.refused', { cause: answer });
}

async function requiredList<T extends z.ZodType>(client: ApiClient, path: string, schema: T): Promise<z.output<T>[]> {
  const result = z.array(schema).safeParse(await client.requiredJson(path));
  // JSON of another form: another product is at this address.
  if (!result.success) throw new ImportFailed('source.not_found', { cause: result.error });
  return result.data;
}

/** Lists are in the order of ids (app/controllers/tickets_controller.rb). A page has at most 100 rows, in some versions fewer. */
const pagesOf = (client: ApiClient, path: string) => (page: number) =>
  requiredList(client, `${path}?expand=true&page=${page}&per_page=100`, Rows.element);

async function* readTickets(client: ApiClient, users: ZammadUsers, context: ZammadContext): AsyncGenerator<SourceItem> {
  const hasTags = await usesTags(client);
  let done = 0;
  const rows = readRows(pagesOf(client, '/api/v1/tickets'));
  for await (const items of mapConcurrently(rows, 8, (row) => readTicket(row, { client, users, context, hasTags }))) {
    yield* items;
    done += 1;
    // Zammad does not return how many tickets there are.
    context.input.onProgress(done, null);
  }
}

/** Whether any ticket has a tag: without tags, a request per ticket can be saved. Only tokens with `admin.tag` can ask for the list. */
async function usesTags(client: ApiClient): Promise<boolean> {
  const answer = await unlessUnusable(client.json('/api/v1/tag_list'));
  const { data } = z.array(z.object({ count: z.number() })).safeParse(answer);
  return data === undefined || data.some(({ count }) => count > 0);
}

async function unlessUnusable<T>(answer: Promise<T>): Promise<T | UnusableResponse> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof UnusableResponse) return error;
    throw error;
  }
}

interface TicketReading {
  client: ApiClient;
  users: ZammadUsers;
  context: ZammadContext;
  hasTags: boolean;
}

async function readTicket(row: Row, reading: TicketReading): Promise<SourceItem[]> {
  const { client, context } = reading;
  const key = String(row.id);
  const file = `/api/v1/ticket_articles/by_ticket/${key}`;
  const at = { file, line: null };
  const { data: ticket, error } = Ticket.safeParse(row);
  if (!ticket) return [problem('value.invalid', at, { kind: 'ticket', key, field: error.issues[0]!.path.join('.') })];
  const [answer, tags, mergedInto] = await Promise.all([
    unlessUnusable(client.json(`${file}?expand=true`)),
    reading.hasTags ? readTags(client, ticket.id) : [],
    readMergedInto(client, ticket, context),
  ]);
  // It was deleted after its page was read.
  if (answer instanceof UnusableResponse && answer.status === 404) return [];
  const { articles, problems } = parseArticles(answer, key, file);
  const { people, teammates } = await findPeople(ticket, articles, reading.users);
  return [...teammates, ...ticketItems({ ticket, articles, tags, mergedInto, people }, context), ...problems];
}

function parseArticles(answer: unknown, ticket: string, file: string): { articles: TicketArticle[]; problems: SourceItem[] } {
  const at = { file, line: null };
  const { data: rows } = Rows.safeParse(answer);
  if (!rows) return { articles: [], problems: [problem('entry.unreadable', at, { kind: 'comment', key: null, value: ticket })] };
  const articles: TicketArticle[] = [];
  const problems: SourceItem[] = [];
  for (const row of rows) {
    const { data, error } = TicketArticle.safeParse(row);
    if (data) articles.push(data);
    else problems.push(problem('value.invalid', at, { kind: 'comment', key: String(row.id), field: error.issues[0]!.path.join('.') }));
  }
  return { articles, problems };
}

async function readTags(client: ApiClient, ticket: number): Promise<string[]> {
  const answer = await unlessUnusable(client.json(`/api/v1/tags?object=Ticket&o_id=${ticket}`));
  return Tags.safeParse(answer).data?.tags ?? [];
}

/** A merge moves the articles and leaves one link, to the other ticket as the parent (app/models/ticket.rb, `merge_to`). */
async function readMergedInto(client: ApiClient, ticket: Ticket, { states }: ZammadContext): Promise<number | null> {
  const state = states.get(ticket.state_id);
  if (!state || typeOf(state) !== 'merged') return null;
  const answer = await unlessUnusable(client.json(`/api/v1/links?link_object=Ticket&link_object_value=${ticket.id}`));
  const parents = (Links.safeParse(answer).data?.links ?? []).filter(
    (link) => link.link_type === 'parent' && link.link_object === 'Ticket',
  );
  return parents.length === 1 ? parents[0]!.link_object_value : null;
}

/** The users of a ticket, and a record for each member of staff who was not among those of earlier tickets. */
async function findPeople(
  ticket: Ticket,
  articles: readonly TicketArticle[],
  users: ZammadUsers,
): Promise<{ people: Map<number, Person>; teammates: SourceItem[] }> {
  const people = new Map<number, Person>();
  const teammates: SourceItem[] = [];
  for (const id of new Set([ticket.customer_id, ticket.owner_id, ...articles.map(authorIdOf)])) {
    const person = await users.find(id);
    if (id == null || !person) continue;
    people.set(id, person);
    const data = person.isStaff ? users.newTeammate(id, person) : undefined;
    if (data) teammates.push({ type: 'record', record: { kind: 'teammate', data }, at: { file: '/api/v1/users', line: null } });
  }
  return { people, teammates };
}

/** Many tokens may not read it; the tickets are imported without it. */
async function* optionalKnowledgeBase(client: ApiClient): AsyncGenerator<SourceItem> {
  try {
    yield* readKnowledgeBase(client);
  } catch (error) {
    if (!(error instanceof UnusableResponse)) throw error;
    const at = { file: '/api/v1/knowledge_bases/init', line: null };
    yield problem('record.left_out', at, { kind: 'article', key: null, value: String(error.status) });
  }
}
