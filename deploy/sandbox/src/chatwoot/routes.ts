import type { SandboxAnswer } from '../http';
import { pageOf } from '../help-desk';
import {
  agentShape,
  articleShape,
  categoryShape,
  contactShape,
  conversationShape,
  inboxShape,
  messageShape,
  portalShape,
  profileShape,
} from './shapes';
import type { Conversation, Message, Portal, User, World } from './world';

export interface ChatwootCall {
  world: World;
  user: User;
  token: string;
  /** The origin in addresses of files. */
  origin: string;
  params: Record<string, string>;
  query: URLSearchParams;
}
type Handler = (call: ChatwootCall) => SandboxAnswer;

export class ChatwootError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
const notFound = (): ChatwootError => new ChatwootError(404, 'Resource could not be found');

const conversationsPerPage = 25;
const contactsPerPage = 15;
/** The default of Kaminari, for articles and categories. */
const rowsPerPage = 25;

const ok = (body: unknown): SandboxAnswer => ({ status: 200, body });
const pageIn = ({ query }: ChatwootCall): number => Math.max(1, Number(query.get('page') ?? 1) || 1);

const account = '/api/v1/accounts/{account_id}';

export const chatwootRoutes: Record<string, Handler> = {
  'GET /api/v1/profile': ({ world, user, token }) => ok(profileShape(world, user, token)),
  [`GET ${account}`]: ({ world }) =>
    ok({ ...world.account, locale: 'en', domain: null, support_email: 'support@acme.test', status: 'active' }),
  [`GET ${account}/agents`]: ({ world }) => ok(world.users.filter(({ role }) => role).map((each) => agentShape(world, each))),
  [`GET ${account}/inboxes`]: (call) => ok({ payload: visibleInboxes(call).map(inboxShape) }),
  [`GET ${account}/labels`]: ({ world }) => ok({ payload: world.labels.map((each) => ({ ...each, show_on_sidebar: true })) }),
  [`GET ${account}/teams`]: () => ok([]),
  [`GET ${account}/canned_responses`]: () => ok([]),
  [`GET ${account}/custom_attribute_definitions`]: listDefinitions,
  [`GET ${account}/conversations`]: listConversations,
  [`GET ${account}/conversations/meta`]: (call) => ok({ meta: counts(call, filtered(call)) }),
  [`GET ${account}/conversations/{id}`]: (call) => ok(conversationShape(call.world, conversationIn(call), call.origin)),
  [`GET ${account}/conversations/{id}/messages`]: listMessages,
  [`GET ${account}/conversations/{id}/labels`]: (call) => ok({ payload: conversationIn(call).labels }),
  [`GET ${account}/contacts`]: listContacts,
  [`GET ${account}/contacts/{id}`]: ({ world, params }) => {
    const contact = world.contacts.find(({ id }) => id === Number(params.id));
    if (!contact) throw notFound();
    return ok({ payload: { ...contactShape(contact), contact_inboxes: [] } });
  },
  [`GET ${account}/portals`]: ({ world }) =>
    ok({ payload: world.portals.map((each) => portalShape(world, each)), meta: { current_page: 1, portals_count: world.portals.length } }),
  [`GET ${account}/portals/{slug}`]: (call) => ok(portalShape(call.world, portalIn(call))),
  [`GET ${account}/portals/{slug}/categories`]: listCategories,
  [`GET ${account}/portals/{slug}/articles`]: listArticles,
  [`GET ${account}/portals/{slug}/articles/{id}`]: (call) => {
    const portal = portalIn(call);
    const article = portal.articles.find(({ id }) => id === Number(call.params.id));
    if (!article) throw notFound();
    return ok({ payload: articleShape(call.world, portal, article) });
  },
};

const visibleInboxes = ({ world, user }: ChatwootCall) =>
  user.role === 'administrator' ? world.inboxes : world.inboxes.filter(({ id }) => user.inbox_ids.includes(id));

function listDefinitions({ world, query }: ChatwootCall): SandboxAnswer {
  const model = query.get('attribute_model');
  const isWanted = (each: { attribute_model: string }) =>
    !model || each.attribute_model === model || each.attribute_model === ['conversation_attribute', 'contact_attribute'][Number(model)];
  const dates = { default_value: null, created_at: '2024-01-01T00:00:00.000Z', updated_at: '2024-01-01T00:00:00.000Z' };
  return ok(world.definitions.filter(isWanted).map((each) => ({ ...each, ...dates, attribute_description: '', regex_pattern: null })));
}

// ---- conversations: app/finders/conversation_finder.rb ----------------------------------------------------------

type Order = (one: Conversation, other: Conversation) => number;
const priorities = ['low', 'medium', 'high', 'urgent'];
const byPriority: Order = (one, other) => priorities.indexOf(one.priority ?? '') - priorities.indexOf(other.priority ?? '');
const byActivity: Order = (one, other) => one.last_activity_at - other.last_activity_at;
const byCreation: Order = (one, other) => one.created_at - other.created_at;
const reverse =
  (order: Order): Order =>
  (one, other) =>
    order(other, one);
const orders: Record<string, Order> = {
  last_activity_at_asc: byActivity,
  last_activity_at_desc: reverse(byActivity),
  created_at_asc: byCreation,
  created_at_desc: reverse(byCreation),
  priority_asc: byPriority,
  priority_desc: reverse(byPriority),
};

/** Without `status` only open ones; with `q` all of them. Agents see the conversations of their inboxes. */
function filtered(call: ChatwootCall): Conversation[] {
  const { world, user, query } = call;
  const inboxes = new Set(visibleInboxes(call).map(({ id }) => id));
  const status = query.get('status') ?? 'open';
  const assignee = query.get('assignee_type') ?? 'all';
  const labels = query.getAll('labels[]');
  return world.conversations.filter(
    (each) =>
      inboxes.has(each.inbox_id) &&
      (!query.has('inbox_id') || each.inbox_id === Number(query.get('inbox_id'))) &&
      (query.has('q') || status === 'all' || each.status === status) &&
      (assignee !== 'me' || each.assignee_id === user.id) &&
      (assignee !== 'unassigned' || each.assignee_id === null) &&
      (assignee !== 'assigned' || each.assignee_id !== null) &&
      (labels.length === 0 || labels.some((label) => each.labels.includes(label))),
  );
}

function counts({ user }: ChatwootCall, all: Conversation[]) {
  const unassigned = all.filter(({ assignee_id }) => assignee_id === null).length;
  return {
    mine_count: all.filter(({ assignee_id }) => assignee_id === user.id).length,
    assigned_count: all.length - unassigned,
    unassigned_count: unassigned,
    all_count: all.length,
  };
}

function listConversations(call: ChatwootCall): SandboxAnswer {
  const all = filtered(call);
  const order = orders[call.query.get('sort_by') ?? ''] ?? reverse(byActivity);
  const rows = pageOf(all.toSorted(order), pageIn(call), conversationsPerPage);
  const payload = rows.map((each) => conversationShape(call.world, each, call.origin));
  return ok({ data: { meta: counts(call, all), payload } });
}

function conversationIn(call: ChatwootCall): Conversation {
  const found = call.world.conversations.find(({ id }) => id === Number(call.params.id));
  if (!found) throw notFound();
  if (!visibleInboxes(call).some(({ id }) => id === found.inbox_id))
    throw new ChatwootError(401, 'You are not authorized to do this action');
  return found;
}

/** app/finders/message_finder.rb: the latest 20, or 20 before, or 100 after a message, always in the order of creation. */
function listMessages(call: ChatwootCall): SandboxAnswer {
  const { world, query, origin } = call;
  const conversation = conversationIn(call);
  const all = world.messagesOf(conversation.id).toSorted((one, other) => one.created_at - other.created_at || one.id - other.id);
  const assignee = world.users.find(({ id, role }) => id === conversation.assignee_id && role !== null);
  return ok({
    meta: {
      labels: conversation.labels,
      additional_attributes: conversation.additional_attributes,
      contact: contactShape(world.contact(conversation.contact_id)),
      ...(assignee ? { assignee: agentShape(world, assignee) } : {}),
      agent_last_seen_at: new Date(conversation.last_activity_at * 1_000).toISOString(),
      assignee_last_seen_at: null,
    },
    payload: window(all, query).map((each) => messageShape(world, each, origin)),
  });
}

function window(all: Message[], query: URLSearchParams): Message[] {
  const after = Number(query.get('after') || Number.NaN);
  const before = Number(query.get('before') || Number.NaN);
  if (!Number.isNaN(after) && !Number.isNaN(before)) return all.filter(({ id }) => id >= after && id < before).slice(0, 1_000);
  if (!Number.isNaN(before)) return all.filter(({ id }) => id < before).slice(-20);
  if (!Number.isNaN(after)) return all.filter(({ id }) => id > after).slice(0, 100);
  return all.slice(-20);
}

// ---- contacts and articles --------------------------------------------------------------------------------------

/** Only contacts that can be recognized: with an address, a phone number or an identifier. */
function listContacts(call: ChatwootCall): SandboxAnswer {
  const { world, query } = call;
  const known = world.contacts.filter(({ email, phone_number, identifier }) => email || phone_number || identifier);
  const sorted = query.get('sort') === '-created_at' ? known.toReversed() : known;
  const payload = pageOf(sorted, pageIn(call), contactsPerPage).map((each) => ({ ...contactShape(each), contact_inboxes: [] }));
  return ok({ meta: { count: known.length, current_page: query.get('page') ?? 1 }, payload });
}

function portalIn({ world, params }: ChatwootCall): Portal {
  const portal = world.portals.find(({ slug }) => slug === params.slug);
  if (!portal) throw notFound();
  return portal;
}

function listCategories(call: ChatwootCall): SandboxAnswer {
  const { categories } = portalIn(call);
  const locale = call.query.get('locale');
  const wanted = categories.filter((each) => !locale || each.locale === locale).toSorted((one, other) => one.position - other.position);
  const payload = pageOf(wanted, pageIn(call), rowsPerPage).map((each) => categoryShape(call.world, each));
  return ok({ payload, meta: { current_page: pageIn(call), categories_count: wanted.length } });
}

function listArticles(call: ChatwootCall): SandboxAnswer {
  const { query, world } = call;
  const portal = portalIn(call);
  const slug = query.get('category_slug');
  const category = (id: number | null) => portal.categories.find((each) => each.id === id)?.slug;
  const wanted = portal.articles
    .filter(({ locale, status, category_id }) => {
      const isLocale = !query.get('locale') || locale === query.get('locale');
      return isLocale && (!query.get('status') || status === statusNamed(query.get('status'))) && (!slug || category(category_id) === slug);
    })
    .toSorted((one, other) => other.updated_at - one.updated_at);
  const payload = pageOf(wanted, pageIn(call), rowsPerPage).map((each) => articleShape(world, portal, each));
  const meta = { current_page: pageIn(call), articles_count: wanted.length, all_articles_count: portal.articles.length };
  return ok({ payload, meta });
}

/** The filter takes the number of the enumeration or its name. */
const statusNamed = (value: string | null): string | undefined =>
  ({ 0: 'draft', 1: 'published', 2: 'archived' })[Number(value)] ?? value ?? undefined;
