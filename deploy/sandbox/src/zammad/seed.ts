import { type Article, type StoredFile, type Ticket, World } from './world';
import { seedKnowledgeBase } from './seed-knowledge-base';

/** 2023-03-01T07:30:11.317Z. Tickets follow each other every 53 minutes and 7 seconds. */
const start = Date.UTC(2023, 2, 1, 7, 30, 11, 317);
const step = (53 * 60 + 7) * 1_000;
const ticketCount = 231;
const customerCount = 70;
const firstCustomer = 100;

/** Each text of an article contains this mark once, so that a test finds it wherever a reader puts it. */
export const markOf = ({ id }: { id: number }): string => `ref${id}x`;

/** Three pages of tickets in all states, some of them merged, removed or pending. */
export function seedZammad(): World {
  const world = new World();
  seedUsers(world);
  seedAttributes(world);
  for (let id = 1; id <= ticketCount; id++) addTicket(world, id);
  addFiles(world, 20);
  addOtherAuthors(world, 21);
  addMarkup(world, 22);
  addOddities(world);
  for (const [id, into] of [[30, 31], [32, 31], [130, 20]] as const) world.merge(id, into, 3); // prettier-ignore
  seedKnowledgeBase(world);
  return world;
}

function seedUsers(world: World): void {
  world.groups = ['Users', 'Sales', '2nd Level', 'Old team'].map((name, index) => ({ id: index + 1, name, active: name !== 'Old team' }));
  const staff = { phone: '', created_at: start - 86_400_000, active: true };
  world.users = [
    { ...staff, id: 1, login: '-', firstname: '-', lastname: '', email: '', roles: [], group_ids: [], active: false },
    { ...staff, id: 2, login: 'nicole.braun@zammad.org', firstname: 'Nicole', lastname: 'Braun', email: 'nicole.braun@zammad.org', roles: ['Customer'], group_ids: [] },
    { ...staff, id: 3, login: 'ada@acme.test', firstname: 'Ada', lastname: 'Admin', email: 'ada@acme.test', roles: ['Admin', 'Agent'], group_ids: [1, 2, 3, 4] },
    { ...staff, id: 4, login: 'ben', firstname: 'Ben', lastname: 'Agent', email: 'ben@acme.test', roles: ['Agent'], group_ids: [1] },
    { ...staff, id: 5, login: 'chloe@acme.test', firstname: 'Chloé', lastname: 'Müller', email: 'Chloe@acme.test', roles: ['Agent', 'Customer'], group_ids: [1, 2, 3] },
    { ...staff, id: 6, login: 'former@acme.test', firstname: 'Former', lastname: 'Agent', email: 'former@acme.test', roles: ['Agent'], group_ids: [], active: false },
  ]; // prettier-ignore
  for (let index = 0; index < customerCount; index++) {
    const id = firstCustomer + index;
    const email = `customer${index}@example.test`;
    world.users.push({
      ...staff,
      id,
      login: email,
      firstname: 'Customer',
      lastname: `Nº ${index}`,
      email,
      roles: ['Customer'],
      group_ids: [],
    });
  }
  // A customer who called: no address. One without a name.
  Object.assign(world.user(firstCustomer + 68), { email: '', login: 'auto-1692', phone: '+43 660 1234567' });
  Object.assign(world.user(firstCustomer + 69), { firstname: '', lastname: '' });
}

function seedAttributes(world: World): void {
  const own = { object: 'Ticket' as const, editable: true, active: true };
  const options = { options: { hardware: 'Hardware', software: 'Software' } };
  world.attributes = [
    { id: 1, name: 'title', display: 'Title', object: 'Ticket', data_type: 'input', data_option: { type: 'text' }, editable: false, active: true },
    { id: 6, name: 'state_id', display: 'State', object: 'Ticket', data_type: 'select', data_option: { relation: 'TicketState' }, editable: false, active: true },
    { ...own, id: 50, name: 'product_type', display: 'Product', data_type: 'select', data_option: options },
    { ...own, id: 51, name: 'serial', display: 'Serial number', data_type: 'input', data_option: { type: 'text', maxlength: 120 } },
    { ...own, id: 52, name: 'amount', display: 'Amount', data_type: 'integer', data_option: { min: 0, max: 9999 } },
    { ...own, id: 53, name: 'refunded', display: 'Refunded', data_type: 'boolean', data_option: { options: { true: 'yes', false: 'no' } } },
    { ...own, id: 54, name: 'due_on', display: 'Due on', data_type: 'date', data_option: {} },
    { ...own, id: 55, name: 'areas', display: 'Areas', data_type: 'multiselect', data_option: options },
    { ...own, id: 56, name: 'location', display: 'Location', data_type: 'tree_select', data_option: { options: [] } },
    { ...own, id: 57, name: 'vat_number', display: 'VAT', object: 'User', data_type: 'input', data_option: {} },
  ]; // prettier-ignore
  const names = ['new', 'open', 'pending reminder', 'closed', 'merged', 'removed', 'pending close'];
  const types = [1, 2, 3, 5, 6, 7, 4] as const;
  world.states = names.map((name, index) => ({ id: index + 1, name, type: types[index] ?? 2, active: name !== 'removed' }));
  world.states.push({ id: 8, name: 'waiting for vendor', type: 3, active: true }, { id: 9, name: 'rejected', type: 5, active: true });
}

const states = [4, 2, 4, 1, 4, 3, 9, 4, 7, 8];

/** Two to four articles: the customer's email in HTML, an agent's answer and, in every third, an internal note in plain text. */
function addTicket(world: World, id: number): void {
  const created_at = start + id * step + (id % 1_000);
  const state_id = states[id % states.length] ?? 2;
  const customer_id = firstCustomer + ((id - 1) % customerCount);
  const ticket: Ticket = {
    id,
    number: `67${String(id).padStart(3, '0')}`,
    title: id % 10 === 0 ? `Größe & <b> "${id}"` : `Order ${id}`,
    group_id: (id % 3) + 1,
    state_id,
    priority_id: id % 40 === 0 ? 4 : (id % 3) + 1,
    owner_id: id % 4 === 0 ? 1 : id % 11 === 0 ? 6 : (id % 3) + 3,
    customer_id,
    note: null,
    tags: id % 3 === 0 ? ['complaint', 'größe'] : [],
    close_at: [4, 9].includes(state_id) ? created_at + 7_200_000 : null,
    pending_time: [3, 7, 8].includes(state_id) ? Date.UTC(2031, 0, 1) : null,
    custom: emptyAttributes,
    merged_into: null,
    created_at,
    updated_at: created_at + 7_200_000,
  };
  if (id % 6 === 0) ticket.custom = { ...filledAttributes, serial: `SN-${id}`, amount: id, refunded: id % 12 === 0 };
  world.tickets.push(ticket);
  const from = world.user(customer_id);
  const html = { content_type: 'text/html' as const, type: 'email' as const };
  addArticle(
    world,
    id,
    {
      ...html,
      from: `"${from.firstname} ${from.lastname}" <${from.email}>`,
      body: '<div>Hello,<br>where is my <b>order</b> &amp; bill?</div>',
    },
    0,
  );
  const agent = { sender: 'Agent' as const, created_by_id: (id % 3) + 3 };
  addArticle(
    world,
    id,
    { ...html, ...agent, body: '<p>We look into it.</p><ul><li>first</li><li><a href="https://acme.test">link</a></li></ul>' },
    61_000,
  );
  if (id % 3 === 0) addArticle(world, id, { ...agent, type: 'note', internal: true, body: 'Only for us\n* not a list' }, 61_500);
  if (id % 2 === 0) addArticle(world, id, { body: 'Thank you\n\n> quoted' }, 3_600_000);
}

const emptyAttributes = { product_type: '', serial: '', amount: null, refunded: null, due_on: null, areas: [], location: '' };
const filledAttributes = {
  ...emptyAttributes,
  product_type: 'hardware',
  due_on: '2023-05-01',
  areas: ['hardware', 'software'],
  location: 'Austria::Vienna',
};

/** Adds an article `after` so many milliseconds; its body gets its mark. */
function addArticle(world: World, ticketId: number, fields: Partial<Article>, after: number): Article {
  const ticket = world.ticket(ticketId);
  const id = world.nextId();
  const article: Article = {
    id,
    ticket_id: ticketId,
    type: 'web',
    sender: 'Customer',
    from: '',
    to: 'Support <support@acme.test>',
    cc: null,
    subject: ticket.title,
    content_type: 'text/plain',
    internal: false,
    attachments: [],
    created_by_id: ticket.customer_id,
    origin_by_id: null,
    created_at: ticket.created_at + after,
    ...fields,
    body: `${fields.body ?? ''} ${markOf({ id })}`,
  };
  world.articles.push(article);
  ticket.updated_at = Math.max(ticket.updated_at, article.created_at);
  return article;
}

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

function file(world: World, filename: string, fields: Partial<StoredFile> = {}): StoredFile {
  return {
    id: world.nextId(),
    filename,
    bytes: Buffer.from(`Content of ${filename}\n`),
    preferences: { 'Mime-Type': 'text/plain' },
    ...fields,
  };
}

/** Files with names that must be encoded, a picture in the text, a lost one, and the original email that Zammad keeps as a file. */
function addFiles(world: World, id: number): void {
  const html = { content_type: 'text/html' as const, type: 'email' as const };
  addArticle(
    world,
    id,
    { ...html, body: '<p>Two files</p>', attachments: [file(world, 'invoice 2024 (1).txt'), file(world, 'Größe 100%.txt')] },
    9_000_000,
  );
  const inline = { 'Mime-Type': 'image/png', 'Content-ID': 'picture1@example.test', 'Content-Disposition': 'inline' };
  const picture = file(world, 'picture.png', { bytes: png, preferences: inline });
  addArticle(
    world,
    id,
    { ...html, body: '<p>Look: <img src="cid:picture1@example.test" style="width:10px"></p>', attachments: [picture] },
    9_001_000,
  );
  addArticle(world, id, { ...html, body: '<p>Lost</p>', attachments: [file(world, 'lost.txt', { is_lost: true })] }, 9_002_000);
  addArticle(
    world,
    id,
    { sender: 'Agent', created_by_id: 3, type: 'note', internal: true, body: 'Internal', attachments: [file(world, 'internal.txt')] },
    9_003_000,
  );
  addArticle(world, id, { body: '', attachments: [file(world, 'only-a-file.txt')] }, 9_004_000);
}

/** Created by an agent for the customer (a call), by the system, by a colleague of the customer, by a former agent. */
function addOtherAuthors(world: World, id: number): void {
  const customer = world.ticket(id).customer_id;
  addArticle(world, id, { type: 'phone', created_by_id: 3, origin_by_id: customer, body: 'Called us' }, 9_000_000);
  addArticle(
    world,
    id,
    { type: 'email', sender: 'System', created_by_id: 1, from: 'Support', body: 'We have received your request' },
    9_001_000,
  );
  addArticle(
    world,
    id,
    { type: 'email', created_by_id: customer + 1, from: 'Colleague <colleague@example.test>', cc: 'boss@example.test', body: 'Me too' },
    9_002_000,
  );
  addArticle(world, id, { type: 'note', sender: 'Agent', created_by_id: 6, body: 'I have left' }, 9_003_000);
}

/** HTML as mail programs send it, and text that would be markup. */
function addMarkup(world: World, id: number): void {
  const html = { content_type: 'text/html' as const, type: 'email' as const };
  const table = '<table><tr><th>Item</th><th>Price</th></tr><tr><td>Shirt</td><td>20&nbsp;€</td></tr></table>';
  addArticle(world, id, { ...html, body: `<div>${table}<br><br><blockquote type="cite">old</blockquote></div>` }, 9_000_000);
  addArticle(world, id, { ...html, body: '<span class="js-signatureMarker"></span><p>Regards<script>alert(1)</script></p>' }, 9_001_000);
  addArticle(world, id, { body: '# not a heading\n**not bold** <script>' }, 9_002_000);
}

function addOddities(world: World): void {
  // No articles: they were deleted.
  world.articles = world.articles.filter(({ ticket_id }) => ticket_id !== 23);
  // Only an agent's article: an outgoing call.
  world.articles = world.articles.filter(({ ticket_id, sender }) => ticket_id !== 24 || sender === 'Agent');
  // In a group that is no longer active, and in the state 'removed'.
  world.ticket(25).group_id = 4;
  world.ticket(26).state_id = 6;
  // Ids are not continuous after tickets were deleted.
  world.remove(27);
  world.remove(101);
  // The customer is an agent.
  world.ticket(28).customer_id = 5;
}
