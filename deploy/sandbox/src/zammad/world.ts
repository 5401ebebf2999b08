/** A Zammad, in memory. Times are Unix milliseconds; the API shows ISO times with milliseconds. */

export interface User {
  id: number;
  login: string;
  firstname: string;
  lastname: string;
  email: string;
  roles: ('Admin' | 'Agent' | 'Customer')[];
  /** The groups whose tickets an agent sees. */
  group_ids: number[];
  active: boolean;
  phone: string;
  created_at: number;
}

export interface Group {
  id: number;
  name: string;
  active: boolean;
}

/** `type`: the numbers of `Ticket::StateType`: new, open, pending reminder, pending action, closed, merged, removed. */
export interface State {
  id: number;
  name: string;
  type: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  active: boolean;
}

export interface StoredFile {
  id: number;
  filename: string;
  bytes: Buffer;
  preferences: Record<string, string>;
  /** The file is in the database, but its content is not in the storage. */
  is_lost?: boolean;
}

export interface Article {
  id: number;
  ticket_id: number;
  type: 'email' | 'phone' | 'web' | 'note' | 'sms' | 'telegram personal-message';
  sender: 'Customer' | 'Agent' | 'System';
  from: string;
  to: string;
  cc: string | null;
  subject: string | null;
  body: string;
  content_type: 'text/html' | 'text/plain';
  internal: boolean;
  attachments: StoredFile[];
  created_by_id: number;
  /** The author, if a different user created the article for them. */
  origin_by_id: number | null;
  created_at: number;
}

export interface Ticket {
  id: number;
  number: string;
  title: string;
  group_id: number;
  state_id: number;
  priority_id: number;
  /** 1 is no owner. */
  owner_id: number;
  customer_id: number;
  note: string | null;
  tags: string[];
  close_at: number | null;
  pending_time: number | null;
  /** Attributes that an administrator has added to tickets. */
  custom: Record<string, unknown>;
  /** Of the ticket that it was merged into. */
  merged_into: number | null;
  created_at: number;
  updated_at: number;
}

export interface ObjectAttribute {
  id: number;
  name: string;
  display: string;
  object: 'Ticket' | 'User';
  data_type: 'input' | 'select' | 'multiselect' | 'boolean' | 'integer' | 'date' | 'datetime' | 'tree_select' | 'textarea';
  data_option: Record<string, unknown>;
  /** False for attributes of the product. */
  editable: boolean;
  active: boolean;
}

export interface Answer {
  id: number;
  category_id: number;
  /** One per language, by `kb_locale_id`. */
  translations: { id: number; kb_locale_id: number; title: string; content_id: number; body: string }[];
  attachments: StoredFile[];
  published_at: number | null;
  internal_at: number | null;
  archived_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface KnowledgeBase {
  locales: { id: number; system_locale_id: number; primary: boolean }[];
  categories: { id: number; parent_id: number | null; position: number; titles: Record<number, string> }[];
  answers: Answer[];
}

export const priorityNames: Record<number, string> = { 1: '1 low', 2: '2 normal', 3: '3 high', 4: '4 disaster' };

export class World {
  users: User[] = [];
  groups: Group[] = [];
  states: State[] = [];
  tickets: Ticket[] = [];
  articles: Article[] = [];
  attributes: ObjectAttribute[] = [];
  knowledgeBase: KnowledgeBase = { locales: [], categories: [], answers: [] };
  private lastId = 50_000;

  nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  user(id: number): User {
    const found = this.users.find((each) => each.id === id);
    if (!found) throw new Error(`Unknown user ${id}`);
    return found;
  }

  ticket(id: number): Ticket {
    const found = this.tickets.find((each) => each.id === id);
    if (!found) throw new Error(`Unknown ticket ${id}`);
    return found;
  }

  articlesOf(ticketId: number): Article[] {
    return this.articles.filter(({ ticket_id }) => ticket_id === ticketId);
  }

  /** As `Ticket#merge_to`: the articles move, the source keeps an article 'merged' and loses its owner. */
  merge(id: number, into: number, userId: number): void {
    const source = this.ticket(id);
    for (const article of this.articlesOf(id)) article.ticket_id = into;
    this.articles.push({
      id: this.nextId(),
      ticket_id: id,
      type: 'note',
      sender: 'Agent',
      from: '',
      to: '',
      cc: null,
      subject: null,
      body: 'merged',
      content_type: 'text/plain',
      internal: false,
      attachments: [],
      created_by_id: userId,
      origin_by_id: null,
      created_at: source.updated_at + 60_000,
    });
    Object.assign(source, { state_id: 5, owner_id: 1, merged_into: into, updated_at: source.updated_at + 60_000 });
  }

  /** An administrator deletes a ticket: all later rows move up. */
  remove(id: number): void {
    this.tickets = this.tickets.filter((each) => each.id !== id);
    this.articles = this.articles.filter(({ ticket_id }) => ticket_id !== id);
  }
}
