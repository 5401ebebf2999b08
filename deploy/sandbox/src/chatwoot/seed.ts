import { type Attachment, type Contact, type Conversation, type ConversationStatus, type Inbox, type Message, World } from './world';
import { seedPortal } from './seed-portal';

/** 2024-01-02T08:00:07Z. Conversations follow each other every 47 minutes and 13 seconds. */
const start = Date.UTC(2024, 0, 2, 8, 0, 7) / 1_000;
const step = 47 * 60 + 13;
const conversationCount = 183;
const contactCount = 64;

/** Each text of a message contains this mark once, so that a test finds it wherever a reader puts it. */
export const markOf = ({ id }: { id: number }): string => `ref${id}x`;

/** An account as one grows in two years: see the functions below for the cases. */
export function seedChatwoot(): World {
  const world = new World();
  seedTeam(world);
  seedContacts(world);
  for (let number = 1; number <= conversationCount; number++) addConversation(world, number);
  addLongThread(world, 20);
  addFiles(world, 21);
  addOtherAuthors(world, 22);
  addEmails(world, 23);
  addOddities(world);
  seedPortal(world);
  return world;
}

function seedTeam(world: World): void {
  world.users = [
    { id: 1, name: 'Ada Admin', email: 'ada@acme.test', role: 'administrator', inbox_ids: [] },
    { id: 2, name: 'Ben Agent', email: 'ben@acme.test', role: 'agent', inbox_ids: [1] },
    { id: 3, name: 'Chloé Müller', email: 'chloe@acme.test', role: 'agent', inbox_ids: [1, 2] },
    { id: 4, name: 'Former Agent', email: 'former@acme.test', role: null, inbox_ids: [] },
  ];
  world.inboxes = [
    { id: 1, name: 'Support mail', channel_type: 'Channel::Email' },
    { id: 2, name: 'Website', channel_type: 'Channel::WebWidget' },
    { id: 3, name: 'Shop', channel_type: 'Channel::Api' },
    { id: 4, name: 'WhatsApp', channel_type: 'Channel::Whatsapp' },
  ];
  const colors = { description: null, color: '#1f93ff' };
  world.labels = ['billing', 'bug', 'feature-request', 'größe', 'vip'].map((title, index) => ({ id: index + 1, title, ...colors }));
  const conversation = { attribute_model: 'conversation_attribute' as const, attribute_values: [] };
  world.definitions = [
    { ...conversation, id: 1, attribute_display_name: 'Order number', attribute_display_type: 'text', attribute_key: 'order_number' },
    { ...conversation, id: 2, attribute_display_name: 'Amount', attribute_display_type: 'number', attribute_key: 'amount' },
    { ...conversation, id: 3, attribute_display_name: 'Refunded', attribute_display_type: 'checkbox', attribute_key: 'refunded' },
    { ...conversation, id: 4, attribute_display_name: 'Due', attribute_display_type: 'date', attribute_key: 'due' },
    {
      ...conversation,
      id: 5,
      attribute_display_name: 'Plan',
      attribute_display_type: 'list',
      attribute_key: 'plan',
      attribute_values: ['free', 'pro'],
    },
    {
      id: 6,
      attribute_display_name: 'Customer since',
      attribute_display_type: 'date',
      attribute_key: 'customer_since',
      attribute_model: 'contact_attribute',
      attribute_values: [],
    },
  ];
}

/** The last four: only a phone number, only an identifier, nothing at all (an anonymous visitor), and no name. */
function seedContacts(world: World): void {
  for (let id = 1; id <= contactCount; id++) {
    const at = start - 86_400 + id * 60;
    world.contacts.push({
      id: 100 + id,
      name: id % 7 === 0 ? `Zoë Łukasik ${id}` : `Customer ${id}`,
      email: id % 9 === 0 ? `Customer.${id}@Example.TEST` : `customer${id}@example.test`,
      phone_number: id % 3 === 0 ? `+4366012345${id}` : null,
      identifier: null,
      custom_attributes: id % 5 === 0 ? { customer_since: '2023-05-01T00:00:00.000Z' } : {},
      additional_attributes: { city: 'Wien', country: 'Austria', country_code: 'AT' },
      created_at: at,
      last_activity_at: id % 4 === 0 ? null : at,
    });
  }
  const [phone, identified, anonymous, unnamed] = world.contacts.slice(-4) as [Contact, Contact, Contact, Contact];
  Object.assign(phone, { email: null, phone_number: '+436601234567' });
  Object.assign(identified, { email: null, phone_number: null, identifier: 'shop-user-62' });
  Object.assign(anonymous, { email: null, phone_number: null, name: 'misty-river-418' });
  unnamed.name = null;
}

const statuses: ConversationStatus[] = ['resolved', 'open', 'resolved', 'pending', 'resolved', 'snoozed', 'resolved'];
const priorities: Conversation['priority'][] = [null, 'low', null, 'medium', null, 'high', null, 'urgent'];
const inboxOf = (number: number): Inbox['id'] => [1, 2, 1, 3, 2, 4][number % 6] ?? 1;

/** A thread of three to seven messages: customer, activity, agent and, in every third, an internal note. */
function addConversation(world: World, number: number): void {
  const contact = world.contacts[(number - 1) % contactCount] as Contact;
  const status = statuses[number % statuses.length] ?? 'open';
  const at = start + number * step;
  const conversation: Conversation = {
    id: number,
    uuid: `0f0f0f0f-0000-4000-8000-${String(number).padStart(12, '0')}`,
    inbox_id: inboxOf(number),
    contact_id: contact.id,
    assignee_id: number % 4 === 0 ? null : number % 11 === 0 ? 4 : (number % 3) + 1,
    status,
    priority: priorities[number % priorities.length] ?? null,
    labels: number % 3 === 0 ? ['billing', 'größe'] : number % 5 === 0 ? ['vip'] : [],
    custom_attributes: number % 6 === 0 ? { order_number: `A-${number}`, amount: number, refunded: number % 12 === 0, plan: 'pro' } : {},
    additional_attributes: inboxOf(number) === 1 ? { mail_subject: `Question ${number} about my order`, source: 'email' } : chatOrigin,
    snoozed_until: status === 'snoozed' ? '2030-01-01T09:00:00.000Z' : null,
    created_at: at,
    last_activity_at: at,
    muted: false,
  };
  world.conversations.push(conversation);
  const agent = { type: 'user' as const, id: (number % 3) + 1 };
  addMessage(world, number, { message_type: 'incoming', content: `Hello, order ${number} has not arrived & I <3 it` }, 0);
  addMessage(world, number, { message_type: 'activity', content: 'Conversation was marked open', sender: null }, 5);
  addMessage(
    world,
    number,
    { message_type: 'outgoing', content: '**We look into it.**\n\n- first\n- [link](https://acme.test)', sender: agent },
    61,
  );
  if (number % 3 === 0) addMessage(world, number, { message_type: 'outgoing', private: true, content: 'Only for us', sender: agent }, 62);
  if (number % 2 === 0) addMessage(world, number, { message_type: 'incoming', content: 'Thank you' }, 3_600);
  if (status === 'resolved')
    addMessage(world, number, { message_type: 'activity', content: 'Conversation was resolved', sender: null }, 7_200);
}

const chatOrigin = {
  browser: { browser_name: 'Firefox', platform_name: 'Linux', browser_version: '128.0', device_name: 'Unknown', platform_version: '' },
  referer: 'https://shop.acme.test/',
  initiated_at: { timestamp: 'Tue Jan 02 2024 09:00:00 GMT+0100' },
};

/** Adds a message `after` so many seconds; `content` gets its mark. */
function addMessage(world: World, number: number, fields: Partial<Message>, after: number): Message {
  const conversation = world.conversation(number);
  const id = world.nextId();
  const message: Message = {
    id,
    conversation_id: number,
    message_type: 'incoming',
    content_type: 'text',
    content_attributes: {},
    private: false,
    created_at: conversation.created_at + after,
    source_id: null,
    sender: { type: 'contact', id: conversation.contact_id },
    attachments: [],
    ...fields,
    content: fields.content === null ? null : `${fields.content ?? ''} ${markOf({ id })}`,
  };
  world.messages.push(message);
  conversation.last_activity_at = Math.max(conversation.last_activity_at, message.created_at);
  return message;
}

/** 137 messages, several in the same second: seven pages. */
function addLongThread(world: World, number: number): void {
  for (let index = 0; index < 134; index++)
    addMessage(
      world,
      number,
      { content: `Line ${index}`, ...(index % 2 ? {} : { message_type: 'outgoing', sender: { type: 'user', id: 3 } }) },
      8_000 + (index >> 2),
    );
}

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

function file(world: World, file_name: string, fields: Partial<Attachment> = {}): Attachment {
  const bytes = fields.bytes ?? Buffer.from(`Content of ${file_name}\n`);
  return { id: world.nextId(), file_type: 'file', file_name, file_size: bytes.length, ...fields, bytes };
}

/** Files of all kinds: with names that must be encoded, deleted from the storage, too large, and those without bytes. */
function addFiles(world: World, number: number): void {
  const [text, image] = [file(world, 'invoice 2024 (1).txt'), file(world, 'Größe 100%.png', { file_type: 'image', bytes: png })];
  addMessage(world, number, { content: 'Two files', attachments: [text, image] }, 9_000);
  addMessage(world, number, { content: null, attachments: [file(world, 'only-a-file.txt')] }, 9_001);
  addMessage(world, number, { content: 'This is gone', attachments: [file(world, 'purged.txt', { is_purged: true })] }, 9_002);
  addMessage(
    world,
    number,
    { content: 'Too large', attachments: [file(world, 'film.mp4', { file_type: 'video', file_size: 31_457_280 })] },
    9_003,
  );
  const place = file(world, '', { file_type: 'location', title: 'Stephansplatz' });
  const share = file(world, '', { file_type: 'fallback', title: 'Blue shirt' });
  addMessage(world, number, { content: 'A place and a shared item', attachments: [place, share] }, 9_004);
  const note = { message_type: 'outgoing' as const, private: true, sender: { type: 'user' as const, id: 2 } };
  addMessage(world, number, { ...note, content: 'An internal file', attachments: [file(world, 'internal.txt')] }, 9_005);
}

/** A bot, a former agent, a deleted agent (no sender), and templates of the product. */
function addOtherAuthors(world: World, number: number): void {
  addMessage(world, number, { message_type: 'outgoing', content: 'I am a bot', sender: { type: 'agent_bot', id: 9 } }, 9_000);
  addMessage(world, number, { message_type: 'outgoing', content: 'I have left', sender: { type: 'user', id: 4 } }, 9_001);
  addMessage(world, number, { message_type: 'outgoing', content: 'My user was deleted', sender: null }, 9_002);
  addMessage(world, number, { message_type: 'template', content: 'Give the team a way to reach you.', sender: null }, 9_003);
  const rating = { submitted_values: { csat_survey_response: { rating: 4, feedback_message: 'ok' } } };
  addMessage(
    world,
    number,
    { message_type: 'template', content_type: 'input_csat', content: 'Please rate', content_attributes: rating, sender: null },
    9_004,
  );
}

/** An email with its HTML and its quoted part; a deleted message. */
function addEmails(world: World, number: number): void {
  const content_attributes = {
    email: {
      subject: 'Re: Question',
      from: ['customer23@example.test'],
      to: ['support@acme.test'],
      cc: ['boss@example.test'],
      bcc: null,
      date: '2024-01-03T10:00:00+00:00',
      message_id: 'a1@example.test',
      multipart: true,
      html_content: { full: '<p>Hi</p><blockquote>before</blockquote>', quoted: '<p>before</p>', reply: '<p>Hi</p>' },
      text_content: { full: 'Hi\n> before', quoted: '> before', reply: 'Hi' },
    },
    cc_email: ['boss@example.test'],
    bcc_email: [],
  };
  addMessage(world, number, { content_type: 'incoming_email', content: 'Hi', content_attributes, source_id: 'a1@example.test' }, 9_000);
  addMessage(world, number, { content: 'This message was deleted', content_attributes: { deleted: true } }, 9_001);
}

/** Conversations that break simple readers. */
function addOddities(world: World): void {
  // Only an agent's message: started by a campaign or by hand.
  world.messages = world.messages.filter(({ conversation_id, message_type }) => conversation_id !== 24 || message_type === 'outgoing');
  // No messages at all.
  world.messages = world.messages.filter(({ conversation_id }) => conversation_id !== 25);
  // An attribute that has no definition, and values of other types.
  world.conversation(26).custom_attributes = { undefined_key: 'kept?', amount: 'not a number', due: '2024-02-30' };
  // Two conversations that were created in the same second.
  world.conversation(28).created_at = world.conversation(27).created_at;
  // A long subject, with characters that must not break anything.
  world.conversation(29).inbox_id = 1;
  world.conversation(29).additional_attributes = { mail_subject: `Straße 𝔘𝔫𝔦 "quoted" <b> ${'long '.repeat(90)}`, source: 'email' };
}
