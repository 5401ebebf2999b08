import {
  priorityNames,
  type Answer,
  type Article,
  type Group,
  type ObjectAttribute,
  type State,
  type StoredFile,
  type Ticket,
  type User,
  type World,
} from './world';

/** The members of responses, as in `api/` of zammad/zammad-documentation and `attributes_with_association_names` of zammad/zammad. */
type Shape = Record<string, unknown>;

export const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
const dates = ({ created_at, updated_at }: { created_at: number; updated_at?: number }): Shape => ({
  created_at: iso(created_at),
  updated_at: iso(updated_at ?? created_at),
});
const byRoot = { created_by_id: 1, updated_by_id: 1 };
const roleIds = { Admin: 1, Agent: 2, Customer: 3 };
const articleTypes = { email: 1, sms: 2, phone: 5, note: 10, web: 11, 'telegram personal-message': 13 };
const senders = { Agent: 1, Customer: 2, System: 3 };

export function userShape(world: World, user: User, expand: boolean): Shape {
  const { roles, group_ids, created_at, ...fields } = user;
  const rights = Object.fromEntries(group_ids.map((id) => [String(id), ['full']]));
  const named = Object.fromEntries(group_ids.map((id) => [world.groups.find((each) => each.id === id)?.name ?? '', ['full']]));
  const shape = {
    ...fields,
    organization_id: null,
    image: null,
    web: '',
    fax: '',
    mobile: '',
    department: '',
    vip: false,
    verified: false,
    note: '',
    last_login: null,
    source: null,
    login_failed: 0,
    out_of_office: false,
    preferences: {},
    ...byRoot,
    ...dates({ created_at }),
    role_ids: roles.map((role) => roleIds[role]),
    organization_ids: [],
    authorization_ids: [],
    karma_user_ids: [],
    group_ids: rights,
  };
  return expand ? { ...shape, roles, organizations: [], authorizations: [], groups: named, created_by: '-', updated_by: '-' } : shape;
}

export function ticketShape(world: World, ticket: Ticket, expand: boolean): Shape {
  const { tags: _, custom, merged_into: __, close_at, pending_time, created_at, updated_at, ...fields } = ticket;
  const articles = world.articlesOf(ticket.id);
  const [first] = articles;
  const escalation = { first_response_escalation_at: null, close_escalation_at: null, update_escalation_at: null, escalation_at: null };
  const shape = {
    ...fields,
    organization_id: null,
    first_response_at: iso(articles.find(({ sender, internal }) => sender === 'Agent' && !internal)?.created_at ?? null),
    ...escalation,
    close_at: iso(close_at),
    last_contact_at: iso(articles.at(-1)?.created_at ?? null),
    last_contact_agent_at: null,
    last_contact_customer_at: iso(created_at),
    last_owner_update_at: null,
    create_article_type_id: articleTypes[first?.type ?? 'note'],
    create_article_sender_id: senders[first?.sender ?? 'Agent'],
    article_count: articles.length,
    pending_time: iso(pending_time),
    type: null,
    time_unit: null,
    preferences: {},
    updated_by_id: ticket.owner_id,
    created_by_id: ticket.customer_id,
    ...dates({ created_at, updated_at }),
    ...custom,
  };
  return expand ? { ...shape, ...ticketNames(world, ticket, articles) } : shape;
}

function ticketNames(world: World, ticket: Ticket, articles: Article[]): Shape {
  const login = (id: number) => world.user(id).login;
  return {
    article_ids: articles.map(({ id }) => id),
    ticket_time_accounting_ids: [],
    ticket_time_accounting: [],
    group: world.groups.find(({ id }) => id === ticket.group_id)?.name,
    state: world.states.find(({ id }) => id === ticket.state_id)?.name,
    priority: priorityNames[ticket.priority_id],
    owner: login(ticket.owner_id),
    customer: login(ticket.customer_id),
    created_by: login(ticket.customer_id),
    updated_by: login(ticket.owner_id),
    create_article_type: articles[0]?.type ?? null,
    create_article_sender: articles[0]?.sender ?? null,
  };
}

/** The size is a string, as in the column `stores.size`. */
const fileShape = ({ id, filename, bytes, preferences }: StoredFile): Shape => ({ id, filename, size: String(bytes.length), preferences });

/** Pictures in the text get their address, and are not in the list of attachments (`Ticket::Article.insert_urls`). */
export function articleShape(world: World, article: Article): Shape {
  const { attachments, created_by_id, origin_by_id, created_at, body, type, sender, ...fields } = article;
  const inline = attachments.filter(({ preferences }) => body.includes(`src="cid:${preferences['Content-ID']}"`));
  let text = body;
  for (const { id, preferences } of inline)
    text = text.replace(
      `cid:${preferences['Content-ID']}`,
      `/api/v1/ticket_attachment/${article.ticket_id}/${article.id}/${id}?view=inline`,
    );
  const createdBy = world.user(created_by_id);
  return {
    ...fields,
    body: text,
    type_id: articleTypes[type],
    sender_id: senders[sender],
    type,
    sender,
    reply_to: null,
    message_id: null,
    in_reply_to: null,
    references: null,
    preferences: {},
    origin_by_id,
    created_by_id,
    updated_by_id: created_by_id,
    ...dates({ created_at }),
    created_by: createdBy.login,
    updated_by: createdBy.login,
    ...(origin_by_id === null ? {} : { origin_by: world.user(origin_by_id).login }),
    attachments: attachments.filter((each) => !inline.includes(each)).map(fileShape),
  };
}

const seeded = Date.UTC(2023, 0, 1);

export const groupShape = ({ id, name, active }: Group): Shape => ({
  id,
  name,
  active,
  follow_up_possible: 'yes',
  note: null,
  ...byRoot,
  ...dates({ created_at: seeded }),
  user_ids: [],
});

export const stateShape = ({ id, name, type, active }: State): Shape => ({
  id,
  state_type_id: type,
  name,
  next_state_id: type === 4 ? 4 : null,
  ignore_escalation: type > 2,
  default_create: id === 1,
  default_follow_up: id === 2,
  note: null,
  active,
  ...byRoot,
  ...dates({ created_at: seeded }),
});

export const priorityShapes = (): Shape[] =>
  Object.entries(priorityNames).map(([id, name]) => ({
    id: Number(id),
    name,
    default_create: id === '2',
    ui_icon: null,
    ui_color: null,
    note: null,
    active: true,
    ...byRoot,
    ...dates({ created_at: seeded }),
  }));

export const attributeShape = (attribute: ObjectAttribute): Shape => ({
  ...attribute,
  data_option_new: {},
  screens: {},
  to_create: false,
  to_migrate: false,
  to_delete: false,
  to_config: false,
  position: attribute.id,
  ...byRoot,
  ...dates({ created_at: seeded }),
  deletable: attribute.editable,
});

// ---- knowledge base ---------------------------------------------------------------------------------------------

const byId = <T extends { id: number }>(rows: T[]): Record<string, T> => Object.fromEntries(rows.map((row) => [String(row.id), row]));

/** All assets but the texts of answers, as `POST /knowledge_bases/init` returns them. */
export function knowledgeBaseAssets({ knowledgeBase }: World, answers: Answer[]): Shape {
  const { locales, categories } = knowledgeBase;
  const base = { id: 1, iconset: 'FontAwesome', active: true, custom_address: null, homepage_layout: 'grid', category_layout: 'grid' };
  const ids = { translation_ids: [1], kb_locale_ids: locales.map(({ id }) => id), category_ids: categories.map(({ id }) => id) };
  const titles = categories.flatMap(({ id, titles: named }) =>
    Object.entries(named).map(([locale, title]) => ({
      id: id * 10 + Number(locale),
      title,
      kb_locale_id: Number(locale),
      category_id: id,
    })),
  );
  return {
    KnowledgeBase: byId([{ ...base, ...ids, answer_ids: answers.map(({ id }) => id), ...dates({ created_at: seeded }) }]),
    KnowledgeBaseTranslation: byId([{ id: 1, title: 'Acme help', footer_note: '© Acme', kb_locale_id: 1, knowledge_base_id: 1 }]),
    KnowledgeBaseLocale: byId(locales.map((each) => ({ ...each, knowledge_base_id: 1, ...dates({ created_at: seeded }) }))),
    KnowledgeBaseCategory: byId(
      categories.map(({ id, parent_id, position }) => ({
        id,
        knowledge_base_id: 1,
        parent_id,
        category_icon: 'f115',
        position,
        translation_ids: titles.filter(({ category_id }) => category_id === id).map((each) => each.id),
        answer_ids: answers.filter(({ category_id }) => category_id === id).map((each) => each.id),
        child_ids: categories.filter((each) => each.parent_id === id).map((each) => each.id),
        permission_ids: [],
        permissions_effective: [],
        ...dates({ created_at: seeded }),
      })),
    ),
    KnowledgeBaseCategoryTranslation: byId(titles.map((each) => ({ ...each, ...dates({ created_at: seeded }) }))),
    ...answerAssets(answers),
  };
}

export function answerAssets(answers: Answer[]): Shape {
  return {
    KnowledgeBaseAnswer: byId(
      answers.map(({ translations, attachments, published_at, internal_at, archived_at, created_at, updated_at, ...fields }) => ({
        ...fields,
        promoted: false,
        internal_note: null,
        position: fields.id,
        archived_at: iso(archived_at),
        archived_by_id: archived_at === null ? null : 3,
        internal_at: iso(internal_at),
        internal_by_id: internal_at === null ? null : 3,
        published_at: iso(published_at),
        published_by_id: published_at === null ? null : 3,
        ...dates({ created_at, updated_at }),
        translation_ids: translations.map(({ id }) => id),
        attachments: attachments.map((each) => ({ ...fileShape(each), url: `/api/v1/attachments/${each.id}` })),
        tags: [],
      })),
    ),
    KnowledgeBaseAnswerTranslation: byId(
      answers.flatMap(({ id: answer_id, translations, created_at, updated_at }) =>
        translations.map(({ body: _, ...each }) => ({
          ...each,
          answer_id,
          created_by_id: 3,
          updated_by_id: 3,
          ...dates({ created_at, updated_at }),
        })),
      ),
    ),
  };
}

export const contentAssets = (answers: Answer[], contentIds: number[]): Shape => ({
  KnowledgeBaseAnswerTranslationContent: byId(
    answers
      .flatMap(({ translations }) => translations)
      .filter(({ content_id }) => contentIds.includes(content_id))
      .map(({ content_id, body }) => ({ id: content_id, body, attachments: [] })),
  ),
});
