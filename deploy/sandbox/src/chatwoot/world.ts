/** An account of Chatwoot, in memory. Times are Unix seconds, as in its API. */

export interface User {
  id: number;
  name: string;
  email: string;
  /** Null: a former agent, who is no longer a member but remains the author of messages. */
  role: 'administrator' | 'agent' | null;
  /** The inboxes that an agent sees; an administrator sees all. */
  inbox_ids: number[];
}

export interface Contact {
  id: number;
  name: string | null;
  email: string | null;
  phone_number: string | null;
  identifier: string | null;
  custom_attributes: Record<string, unknown>;
  additional_attributes: Record<string, unknown>;
  created_at: number;
  last_activity_at: number | null;
}

export interface Inbox {
  id: number;
  name: string;
  channel_type: 'Channel::Email' | 'Channel::WebWidget' | 'Channel::Api' | 'Channel::Whatsapp';
}

export interface Attachment {
  id: number;
  file_type: 'image' | 'audio' | 'video' | 'file' | 'location' | 'fallback' | 'contact';
  file_name: string;
  bytes: Buffer;
  /** As in the API; differs from `bytes` for files that are only announced. */
  file_size: number;
  /** The file was deleted from the storage. */
  is_purged?: boolean;
  title?: string;
}

export type MessageType = 'incoming' | 'outgoing' | 'activity' | 'template';
export const messageTypes: readonly MessageType[] = ['incoming', 'outgoing', 'activity', 'template'];

export interface Message {
  id: number;
  conversation_id: number;
  content: string | null;
  message_type: MessageType;
  content_type: string;
  content_attributes: Record<string, unknown>;
  private: boolean;
  created_at: number;
  source_id: string | null;
  sender: { type: 'user' | 'contact' | 'agent_bot'; id: number } | null;
  attachments: Attachment[];
}

export type ConversationStatus = 'open' | 'resolved' | 'pending' | 'snoozed';

export interface Conversation {
  /** `display_id`: the number within the account. */
  id: number;
  uuid: string;
  inbox_id: number;
  contact_id: number;
  assignee_id: number | null;
  status: ConversationStatus;
  priority: 'low' | 'medium' | 'high' | 'urgent' | null;
  labels: string[];
  custom_attributes: Record<string, unknown>;
  additional_attributes: Record<string, unknown>;
  snoozed_until: string | null;
  created_at: number;
  last_activity_at: number;
  muted: boolean;
}

export interface Category {
  id: number;
  name: string;
  slug: string;
  locale: string;
  description: string | null;
  position: number;
}

export interface Article {
  id: number;
  title: string;
  slug: string;
  content: string;
  description: string | null;
  status: 'draft' | 'published' | 'archived';
  locale: string;
  category_id: number | null;
  author_id: number;
  updated_at: number;
}

export interface Portal {
  id: number;
  name: string;
  slug: string;
  default_locale: string;
  categories: Category[];
  articles: Article[];
}

export interface AttributeDefinition {
  id: number;
  attribute_display_name: string;
  attribute_display_type: 'text' | 'number' | 'currency' | 'percent' | 'link' | 'date' | 'list' | 'checkbox';
  attribute_key: string;
  attribute_model: 'conversation_attribute' | 'contact_attribute';
  attribute_values: string[];
}

export class World {
  readonly account = { id: 1, name: 'Acme Support' };
  users: User[] = [];
  contacts: Contact[] = [];
  inboxes: Inbox[] = [];
  labels: { id: number; title: string; description: string | null; color: string }[] = [];
  definitions: AttributeDefinition[] = [];
  conversations: Conversation[] = [];
  messages: Message[] = [];
  portals: Portal[] = [];
  private lastId = 10_000;

  nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  messagesOf(conversationId: number): Message[] {
    return this.messages.filter(({ conversation_id }) => conversation_id === conversationId);
  }

  conversation(id: number): Conversation {
    const found = this.conversations.find((each) => each.id === id);
    if (!found) throw new Error(`Unknown conversation ${id}`);
    return found;
  }

  contact(id: number): Contact {
    const found = this.contacts.find((each) => each.id === id);
    if (!found) throw new Error(`Unknown contact ${id}`);
    return found;
  }

  /** A customer writes: the conversation moves to the top of the default order. */
  receive(id: number, content: string, at: number): void {
    const conversation = this.conversation(id);
    this.messages.push({
      id: this.nextId(),
      conversation_id: id,
      content,
      message_type: 'incoming',
      content_type: 'text',
      content_attributes: {},
      private: false,
      created_at: at,
      source_id: null,
      sender: { type: 'contact', id: conversation.contact_id },
      attachments: [],
    });
    conversation.last_activity_at = at;
  }

  /** An administrator deletes a conversation: all later rows move up. */
  remove(id: number): void {
    this.conversations = this.conversations.filter((each) => each.id !== id);
    this.messages = this.messages.filter(({ conversation_id }) => conversation_id !== id);
  }
}
