import { pageOf } from '../help-desk';
import type { SandboxAnswer } from '../http';
import {
  answerAssets,
  articleShape,
  attributeShape,
  contentAssets,
  groupShape,
  knowledgeBaseAssets,
  priorityShapes,
  stateShape,
  ticketShape,
  userShape,
} from './shapes';
import type { Answer, StoredFile, Ticket, User, World } from './world';

export type Permission =
  | 'ticket.agent'
  | 'ticket.customer'
  | 'admin.object'
  | 'admin.tag'
  | 'admin.group'
  | 'admin.user'
  | 'knowledge_base.reader'
  | 'knowledge_base.editor';

export interface ZammadCall {
  world: World;
  user: User;
  /** Of the token; the user has them as well. */
  permissions: Permission[];
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
}
type Handler = (call: ZammadCall) => SandboxAnswer;

export class ZammadError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
const notFound = (model: string, id: string | undefined): ZammadError => new ZammadError(404, `Couldn't find ${model} with 'id'=${id}`);
const forbidden = (reason = 'Not authorized'): ZammadError => new ZammadError(403, reason);

const ok = (body: unknown): SandboxAnswer => ({ status: 200, body });
const may = ({ permissions }: ZammadCall, ...any: Permission[]): boolean => any.some((each) => permissions.includes(each));
function require(call: ZammadCall, ...any: Permission[]): void {
  if (!may(call, ...any)) throw forbidden();
}
const isExpanded = ({ query }: ZammadCall): boolean => ['true', '1'].includes(query.get('expand') ?? '');

/** `CanPaginate::Pagination`: pages have `max` rows at most, however many are requested. */
function page<T>({ query }: ZammadCall, rows: readonly T[], { size, max }: { size: number; max: number }): T[] {
  const perPage = Math.min(Number(query.get('per_page') ?? query.get('limit') ?? size), max);
  return pageOf(rows, Number(query.get('page') ?? 1), perPage);
}

export const zammadRoutes: Record<string, Handler> = {
  'GET /api/v1/users/me': (call) => ok(userShape(call.world, call.user, isExpanded(call))),
  'GET /api/v1/users': (call) => {
    const rows = may(call, 'ticket.agent', 'admin.user') ? call.world.users : [call.user];
    return ok(page(call, rows, { size: 500, max: 500 }).map((each) => userShape(call.world, each, isExpanded(call))));
  },
  'GET /api/v1/users/{id}': (call) => {
    const found = call.world.users.find(({ id }) => id === Number(call.params.id));
    if (!found) throw notFound('User', call.params.id);
    if (found !== call.user) require(call, 'ticket.agent', 'admin.user');
    return ok(userShape(call.world, found, isExpanded(call)));
  },
  // Unlike most lists, agents may not read this one.
  'GET /api/v1/groups': (call) => {
    require(call, 'admin.group');
    return ok(page(call, call.world.groups, { size: 500, max: 1_000 }).map(groupShape));
  },
  'GET /api/v1/ticket_states': (call) => {
    require(call, 'ticket.agent', 'ticket.customer', 'admin.object');
    return ok(call.world.states.map(stateShape));
  },
  'GET /api/v1/ticket_priorities': (call) => {
    require(call, 'ticket.agent', 'ticket.customer', 'admin.object');
    return ok(priorityShapes());
  },
  'GET /api/v1/object_manager_attributes': (call) => {
    require(call, 'admin.object');
    return ok(call.world.attributes.map(attributeShape));
  },
  'GET /api/v1/tickets': (call) =>
    ok(page(call, visible(call), { size: 100, max: 100 }).map((each) => ticketShape(call.world, each, isExpanded(call)))),
  'GET /api/v1/tickets/search': searchTickets,
  'GET /api/v1/tickets/{id}': (call) => ok(ticketShape(call.world, ticketIn(call), isExpanded(call))),
  'GET /api/v1/ticket_articles/by_ticket/{id}': (call) => {
    const { id } = ticketIn(call);
    const isAgent = may(call, 'ticket.agent');
    const articles = call.world.articlesOf(id).filter(({ internal }) => isAgent || !internal);
    return ok(articles.toSorted((one, other) => one.id - other.id).map((each) => articleShape(call.world, each)));
  },
  'GET /api/v1/ticket_attachment/{ticket_id}/{article_id}/{id}': downloadAttachment,
  'GET /api/v1/tags': (call) => {
    require(call, 'ticket.agent', 'admin.tag');
    const found = call.query.get('object') === 'Ticket' && call.world.tickets.find(({ id }) => id === Number(call.query.get('o_id')));
    return ok({ tags: found ? found.tags : [] });
  },
  'GET /api/v1/tag_list': (call) => {
    require(call, 'admin.tag');
    const names = [...new Set(call.world.tickets.flatMap(({ tags }) => tags))].toSorted();
    return ok(names.map((name, index) => ({ id: index + 1, name, count: 1 })));
  },
  'GET /api/v1/links': listLinks,
  'POST /api/v1/knowledge_bases/init': initKnowledgeBase,
  'GET /api/v1/knowledge_bases/{kb}/answers/{id}': readAnswer,
  'GET /api/v1/attachments/{id}': (call) => {
    const files = call.world.knowledgeBase.answers.flatMap(({ attachments }) => attachments);
    return download(files.find(({ id }) => id === Number(call.params.id)));
  },
};

// ---- tickets ----------------------------------------------------------------------------------------------------

/** `TicketPolicy::ReadScope`: an agent's groups, a customer's own tickets; without these permissions an empty list, not an error. */
function visible(call: ZammadCall): Ticket[] {
  const { world, user } = call;
  const isAgent = may(call, 'ticket.agent');
  const isCustomer = may(call, 'ticket.customer');
  return world.tickets
    .filter(({ group_id, customer_id }) => (isAgent && user.group_ids.includes(group_id)) || (isCustomer && customer_id === user.id))
    .toSorted((one, other) => one.id - other.id);
}

function ticketIn(call: ZammadCall): Ticket {
  const id = call.params.id ?? call.params.ticket_id;
  const found = call.world.tickets.find((each) => each.id === Number(id));
  if (!found) throw notFound('Ticket', id);
  if (!visible(call).includes(found)) throw forbidden();
  return found;
}

/** Supports `id:>n` and `*`. Pages have at most 200 rows; with Elasticsearch, rows after the 10,000th cannot be reached. */
function searchTickets(call: ZammadCall): SandboxAnswer {
  const text = call.query.get('query') ?? '';
  const after = /^id:>(\d+)$/.exec(text)?.[1];
  const from = /^id:\[(\d+) TO \*\]$/.exec(text)?.[1];
  if (!after && !from && text !== '*') return ok([]);
  const least = after ? Number(after) + 1 : Number(from ?? 0);
  const found = visible(call).filter(({ id }) => id >= least);
  const isDescending = call.query.get('order_by') !== 'asc';
  const rows = page(call, isDescending ? found.toReversed() : found, { size: 50, max: 200 });
  if (isExpanded(call)) return ok(rows.map((each) => ticketShape(call.world, each, true)));
  const assets = { Ticket: Object.fromEntries(rows.map((each) => [each.id, ticketShape(call.world, each, false)])) };
  return ok({ tickets: rows.map(({ id }) => id), tickets_count: rows.length, assets });
}

/** A merged ticket is the child of the ticket that it was merged into. */
function listLinks(call: ZammadCall): SandboxAnswer {
  require(call, 'ticket.agent');
  const id = Number(call.query.get('link_object_value'));
  const ticket = call.world.tickets.find((each) => each.id === id);
  const children = call.world.tickets.filter(({ merged_into }) => merged_into === id);
  const link = (link_type: string, link_object_value: number) => ({ link_type, link_object: 'Ticket', link_object_value });
  const links = [...(ticket?.merged_into ? [link('parent', ticket.merged_into)] : []), ...children.map((each) => link('child', each.id))];
  return ok({ links, assets: {} });
}

function downloadAttachment(call: ZammadCall): SandboxAnswer {
  const ticket = ticketIn({ ...call, params: { id: call.params.ticket_id ?? '' } });
  const article = call.world.articles.find(({ id }) => id === Number(call.params.article_id));
  if (!article) throw notFound('Ticket::Article', call.params.article_id);
  const isMerged = ticket.merged_into === article.ticket_id;
  if (article.ticket_id !== ticket.id && !isMerged) throw forbidden('The article does not belong to the specified ticket.');
  const file = article.attachments.find(({ id }) => id === Number(call.params.id));
  if (!file) throw forbidden('The file does not belong to the specified article.');
  return download(file);
}

function download(file: StoredFile | undefined): SandboxAnswer {
  if (!file) throw notFound('Store', '');
  if (file.is_lost) throw new ZammadError(500, 'No such file or directory');
  const type = file.preferences['Mime-Type'] ?? 'application/octet-stream';
  return {
    status: 200,
    body: file.bytes,
    headers: { 'content-type': type, 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}` },
  };
}

// ---- knowledge base ---------------------------------------------------------------------------------------------

/** Editors see all answers, readers published and internal ones. */
function answersFor(call: ZammadCall): Answer[] {
  const { answers } = call.world.knowledgeBase;
  if (may(call, 'knowledge_base.editor')) return answers;
  return answers.filter(({ internal_at, published_at, archived_at }) => (internal_at ?? published_at) !== null && archived_at === null);
}

/** Without a permission only the knowledge base itself; `answer_translation_content_ids` adds texts. */
function initKnowledgeBase(call: ZammadCall): SandboxAnswer {
  if (!may(call, 'knowledge_base.reader', 'knowledge_base.editor'))
    return ok(call.world.knowledgeBase.answers.length > 0 ? { KnowledgeBase: {} } : []);
  const answers = answersFor(call);
  const { answer_translation_content_ids: ids } = (call.body ?? {}) as { answer_translation_content_ids?: number[] };
  return ok({ ...knowledgeBaseAssets(call.world, answers), ...(ids ? contentAssets(answers, ids.map(Number)) : {}) });
}

/** `include_contents` has the ids of the texts, separated by commas. */
function readAnswer(call: ZammadCall): SandboxAnswer {
  require(call, 'knowledge_base.reader', 'knowledge_base.editor');
  const answer = answersFor(call).find(({ id }) => id === Number(call.params.id));
  if (!answer || call.params.kb !== '1') throw notFound('KnowledgeBase::Answer', call.params.id);
  const ids = (call.query.get('include_contents') ?? '').split(',').filter(Boolean).map(Number);
  const assets = { ...answerAssets([answer]), ...(ids.length > 0 ? contentAssets([answer], ids) : {}) };
  return ok({ id: answer.id, assets });
}
