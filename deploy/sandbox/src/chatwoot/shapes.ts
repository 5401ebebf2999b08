import {
  messageTypes,
  type Article,
  type Attachment,
  type Category,
  type Contact,
  type Conversation,
  type Inbox,
  type Message,
  type Portal,
  type User,
  type World,
} from './world';

/** The members of responses, as in `app/views/api/v1` and `push_event_data` of the models of chatwoot/chatwoot. */
type Shape = Record<string, unknown>;

export const agentShape = (world: World, user: User): Shape => ({
  id: user.id,
  account_id: world.account.id,
  availability_status: 'offline',
  auto_offline: true,
  confirmed: true,
  email: user.email,
  provider: 'email',
  available_name: user.name,
  name: user.name,
  role: user.role,
  thumbnail: '',
});

/** Members of the account; the token is only part of the response to its owner. */
export function profileShape(world: World, user: User, token: string): Shape {
  const account = { ...world.account, status: 'active', active_at: '2024-03-01T08:00:00.000Z', role: user.role, permissions: [user.role] };
  return {
    access_token: token,
    account_id: world.account.id,
    available_name: user.name,
    avatar_url: '',
    confirmed: true,
    display_name: null,
    email: user.email,
    id: user.id,
    name: user.name,
    provider: 'email',
    role: user.role,
    uid: user.email,
    type: null,
    accounts: user.role ? [{ ...account, availability: 'online', availability_status: 'offline', auto_offline: true }] : [],
  };
}

export function contactShape(contact: Contact): Shape {
  return {
    additional_attributes: contact.additional_attributes,
    availability_status: 'offline',
    email: contact.email,
    id: contact.id,
    name: contact.name,
    phone_number: contact.phone_number,
    blocked: false,
    identifier: contact.identifier,
    thumbnail: '',
    custom_attributes: contact.custom_attributes,
    ...(contact.last_activity_at === null ? {} : { last_activity_at: contact.last_activity_at }),
    created_at: contact.created_at,
  };
}

export const inboxShape = ({ id, name, channel_type }: Inbox): Shape => ({
  id,
  avatar_url: '',
  channel_id: id,
  name,
  channel_type,
  greeting_enabled: false,
  working_hours_enabled: false,
  timezone: 'UTC',
  ...(channel_type === 'Channel::Email' ? { email: 'support@acme.test', forward_to_email: 'in+1@reply.acme.test' } : {}),
});

/** `uuid` is the signed id of the blob; anyone who has it can download the file. */
export const blobPath = ({ id, file_name }: Attachment): string =>
  `/rails/active_storage/blobs/redirect/signed-${id}/${encodeURIComponent(file_name)}`;

function attachmentShape(world: World, message: Message, attachment: Attachment, origin: string): Shape {
  const base = { id: attachment.id, message_id: message.id, file_type: attachment.file_type, account_id: world.account.id };
  if (attachment.file_type === 'location')
    return { ...base, coordinates_lat: 48.21, coordinates_long: 16.37, fallback_title: attachment.title ?? null, data_url: null };
  if (attachment.file_type === 'fallback')
    return { ...base, fallback_title: attachment.title ?? null, data_url: 'https://shop.acme.test/item/7' };
  if (attachment.file_type === 'contact') return { ...base, fallback_title: attachment.title ?? null, meta: {} };
  const data_url = origin + blobPath(attachment);
  const thumb_url = attachment.file_type === 'image' ? data_url : '';
  return { ...base, extension: null, data_url, thumb_url, file_size: attachment.file_size, width: null, height: null };
}

function senderShape(world: World, { sender }: Message): Shape | undefined {
  if (sender?.type === 'contact') {
    const { created_at: _, availability_status: __, ...contact } = contactShape(world.contact(sender.id));
    return { ...contact, type: 'contact' };
  }
  if (sender?.type === 'agent_bot') return { id: sender.id, name: 'Triage bot', avatar_url: '', type: 'agent_bot' };
  const user = sender && world.users.find(({ id }) => id === sender.id);
  if (!user) return undefined;
  const { id, name } = user;
  return { id, name, available_name: name, avatar_url: '', type: 'user', availability_status: null, thumbnail: '' };
}

export function messageShape(world: World, message: Message, origin: string): Shape {
  const { attachments } = message;
  return {
    id: message.id,
    content: message.content,
    inbox_id: world.conversation(message.conversation_id).inbox_id,
    conversation_id: message.conversation_id,
    message_type: messageTypes.indexOf(message.message_type),
    content_type: message.content_type,
    status: 'sent',
    content_attributes: message.content_attributes,
    created_at: message.created_at,
    private: message.private,
    source_id: message.source_id,
    ...(message.sender ? { sender: senderShape(world, message) } : {}),
    ...(attachments.length > 0 ? { attachments: attachments.map((each) => attachmentShape(world, message, each, origin)) } : {}),
  };
}

export function conversationShape(world: World, conversation: Conversation, origin: string): Shape {
  const messages = world.messagesOf(conversation.id);
  const assignee = world.users.find(({ id, role }) => id === conversation.assignee_id && role !== null);
  const inbox = world.inboxes.find(({ id }) => id === conversation.inbox_id);
  const last = messages.at(-1);
  const lastMessage = messages.findLast(({ message_type }) => message_type !== 'activity');
  const { id, uuid, inbox_id, labels, status, priority, custom_attributes, additional_attributes, snoozed_until, muted } = conversation;
  return {
    meta: {
      sender: contactShape(world.contact(conversation.contact_id)),
      channel: inbox?.channel_type,
      ...(assignee ? { assignee: agentShape(world, assignee), assignee_type: 'User' } : {}),
      hmac_verified: false,
    },
    id,
    messages: last ? [messageShape(world, last, origin)] : [],
    account_id: world.account.id,
    uuid,
    additional_attributes,
    agent_last_seen_at: conversation.last_activity_at,
    assignee_last_seen_at: 0,
    can_reply: true,
    contact_last_seen_at: 0,
    custom_attributes,
    inbox_id,
    labels,
    muted,
    snoozed_until,
    status,
    created_at: conversation.created_at,
    updated_at: conversation.last_activity_at + 0.123_456,
    timestamp: conversation.last_activity_at,
    first_reply_created_at: messages.find(({ message_type }) => message_type === 'outgoing')?.created_at ?? 0,
    unread_count: 0,
    last_non_activity_message: lastMessage ? messageShape(world, lastMessage, origin) : null,
    last_activity_at: conversation.last_activity_at,
    priority,
    waiting_since: 0,
    sla_policy_id: null,
  };
}

export const categoryShape = (world: World, category: Category): Shape => ({
  ...category,
  icon: '',
  account_id: world.account.id,
  meta: { articles_count: 1 },
  related_categories: [],
});

export function articleShape(world: World, portal: Portal, article: Article): Shape {
  const category = portal.categories.find(({ id }) => id === article.category_id);
  const author = world.users.find(({ id }) => id === article.author_id);
  const { id, slug, title, content, description, status, locale, updated_at } = article;
  return {
    id,
    slug,
    title,
    content,
    description,
    status,
    locale,
    position: id * 10,
    account_id: world.account.id,
    updated_at,
    meta: {},
    category: { id: category?.id ?? null, name: category?.name ?? null, slug: category?.slug ?? null, locale: category?.locale ?? null },
    views: 3,
    ...(author ? { author: agentShape(world, author) } : {}),
    associated_articles: [],
  };
}

export function portalShape(world: World, portal: Portal): Shape {
  const count = (status: Article['status']) => portal.articles.filter((each) => each.status === status).length;
  const codes = [...new Set(portal.categories.map(({ locale }) => locale))];
  const allowed_locales = codes.map((code) => ({ code, articles_count: 1, categories_count: 1 }));
  return {
    id: portal.id,
    color: '#1f93ff',
    custom_domain: null,
    header_text: null,
    homepage_link: null,
    name: portal.name,
    page_title: null,
    slug: portal.slug,
    archived: false,
    account_id: world.account.id,
    config: { allowed_locales, default_locale: portal.default_locale },
    meta: {
      all_articles_count: portal.articles.length,
      archived_articles_count: count('archived'),
      published_count: count('published'),
      draft_articles_count: count('draft'),
      categories_count: portal.categories.length,
      default_locale: portal.default_locale,
    },
  };
}
