/**
 * The form of responses by `swagger/definitions/resource` of chatwoot/chatwoot (message_detailed, conversation, contact_list_item, agent).
 * Written by us, because the document is 430 kB and is not ours. Corrected where Chatwoot's own views differ from it: times are numbers, a
 * conversation can be snoozed, and some members can be null.
 */
type Schema = Record<string, unknown>;
const text: Schema = { type: 'string' };
const optionalText: Schema = { type: ['string', 'null'] };
const integer: Schema = { type: 'integer' };
const object: Schema = { type: 'object' };
const list = (items: Schema): Schema => ({ type: 'array', items });
const record = (properties: Record<string, Schema>, required: string[]): Schema => ({ type: 'object', properties, required });

const fileTypes = ['image', 'video', 'audio', 'file', 'location', 'fallback', 'share', 'story_mention', 'contact', 'ig_reel'];
const attachment = record(
  {
    id: integer,
    message_id: integer,
    file_type: { enum: fileTypes },
    account_id: integer,
    data_url: optionalText,
    thumb_url: text,
    file_size: integer,
  },
  ['id', 'message_id', 'file_type', 'account_id'],
);

export const message = record(
  {
    id: integer,
    content: optionalText,
    inbox_id: integer,
    conversation_id: integer,
    message_type: { enum: [0, 1, 2, 3] },
    content_type: text,
    status: { enum: ['sent', 'delivered', 'read', 'failed'] },
    content_attributes: object,
    created_at: integer,
    private: { type: 'boolean' },
    source_id: optionalText,
    sender: record({ id: integer, name: optionalText, type: text }, ['id', 'name', 'type']),
    attachments: list(attachment),
  },
  [
    'id',
    'content',
    'inbox_id',
    'conversation_id',
    'message_type',
    'content_type',
    'content_attributes',
    'created_at',
    'private',
    'source_id',
  ],
);

export const contact = record(
  {
    additional_attributes: object,
    availability_status: { enum: ['online', 'offline'] },
    email: optionalText,
    id: integer,
    name: optionalText,
    phone_number: optionalText,
    identifier: optionalText,
    thumbnail: text,
    custom_attributes: object,
    last_activity_at: integer,
    created_at: integer,
  },
  ['additional_attributes', 'email', 'id', 'name', 'phone_number', 'identifier', 'custom_attributes', 'created_at'],
);

export const agent = record(
  {
    id: integer,
    account_id: integer,
    availability_status: { enum: ['available', 'busy', 'offline'] },
    auto_offline: { type: 'boolean' },
    confirmed: { type: 'boolean' },
    email: text,
    available_name: text,
    name: text,
    role: { enum: ['agent', 'administrator'] },
    thumbnail: text,
  },
  ['id', 'account_id', 'confirmed', 'email', 'available_name', 'name', 'role'],
);

const conversation = record(
  {
    id: integer,
    messages: list(message),
    account_id: integer,
    inbox_id: integer,
    uuid: text,
    status: { enum: ['open', 'resolved', 'pending', 'snoozed'] },
    timestamp: integer,
    created_at: integer,
    updated_at: { type: 'number' },
    priority: { enum: ['low', 'medium', 'high', 'urgent', null] },
    labels: list(text),
    snoozed_until: optionalText,
    additional_attributes: object,
    custom_attributes: object,
    meta: record({ sender: contact, assignee: agent, channel: text }, ['sender', 'channel']),
  },
  [
    'id',
    'messages',
    'account_id',
    'inbox_id',
    'status',
    'timestamp',
    'created_at',
    'additional_attributes',
    'custom_attributes',
    'labels',
    'meta',
  ],
);

const counts = { mine_count: integer, assigned_count: integer, unassigned_count: integer, all_count: integer };
export const conversationList = record(
  { data: record({ meta: record(counts, Object.keys(counts)), payload: list(conversation) }, ['meta', 'payload']) },
  ['data'],
);
export const messageList = record({ meta: object, payload: list(message) }, ['meta', 'payload']);
export const contactList = record({ meta: record({ count: integer }, ['count', 'current_page']), payload: list(contact) }, [
  'meta',
  'payload',
]);
