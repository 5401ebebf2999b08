import type { ExternalStatus, TicketPriority } from '@tandem/contracts';
import * as z from 'zod';
import { plainIndentation } from '../markdown';
import { textBelowFooter, withoutFooter } from '../tandem-footer';
import { descriptionOf, isoOf, titleOf } from '../read';
import type { ExternalUser, TaskSnapshot } from '../task-tool';

/**
 * The parts of ClickUp's responses that we read, from `developer.clickup.com` and real responses. Ids of lists and spaces exceed 2^32 and
 * are sometimes numbers, so they are converted to strings everywhere.
 */

export const Id = z.union([z.string(), z.number()]).transform(String);
const Ms = z.union([z.string(), z.number()]).nullish();

const User = z.object({ id: Id, username: z.string().nullish(), email: z.string().nullish() });
export type User = z.infer<typeof User>;
export const UserAnswer = z.object({ user: User });

const Status = z.object({
  id: z.string().nullish(),
  status: z.string(),
  type: z.string().nullish(),
  color: z.string().nullish(),
  orderindex: z.coerce.number().nullish().catch(null),
});

const Named = z.object({ id: Id, name: z.string() });
export const Teams = z.object({ teams: z.array(Named.extend({ members: z.array(z.object({ user: User })).nullish() })) });
export const Spaces = z.object({ spaces: z.array(Named) });
/** The reference does not mention that lists in a folder have `archived`. */
const Archivable = Named.extend({ archived: z.boolean().nullish() });
export type Archivable = z.infer<typeof Archivable>;
export const Folders = z.object({
  folders: z.array(Archivable.extend({ hidden: z.boolean().nullish(), lists: z.array(Archivable).nullish() })),
});
export const Lists = z.object({ lists: z.array(Archivable) });
export const SharedHierarchy = z.object({ shared: z.object({ lists: z.array(Archivable), folders: z.array(Archivable) }) });
export const List = Named.extend({ statuses: z.array(Status).nullish() });
const Option = z.object({ id: Id, name: z.string().nullish(), label: z.string().nullish() });
const Field = Named.extend({
  type: z.string(),
  type_config: z
    .object({ options: z.array(Option).nullish() })
    .nullish()
    .catch(null),
});
export type Field = z.infer<typeof Field>;
export const Fields = z.object({ fields: z.array(Field) });

export const Task = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  text_content: z.string().nullish(),
  description: z.string().nullish(),
  markdown_description: z.string().nullish(),
  status: Status,
  priority: z.object({ id: Id }).nullish().catch(null),
  tags: z.array(z.object({ name: z.string() })).nullish(),
  assignees: z.array(User).nullish(),
  due_date: Ms,
  date_created: Ms,
  date_updated: Ms,
  archived: z.boolean().nullish(),
  list: z.object({ id: Id, name: z.string().nullish() }),
});
export type Task = z.infer<typeof Task>;
export const Tasks = z.object({ tasks: z.array(Task), last_page: z.boolean().optional() });

/** In the reference the id is a string, in real responses a number. */
export const PostedComment = z.object({ id: Id, date: z.union([z.string(), z.number()]).nullish().catch(null) });
export const Comments = z.object({
  comments: z.array(
    z.object({
      id: Id,
      comment_text: z.string().nullish(),
      user: User,
      date: Ms,
      reply_count: z.coerce.number().nullish().catch(null),
    }),
  ),
});
export type Comment = z.infer<typeof Comments>['comments'][number];

export const Webhook = z.object({
  id: z.string(),
  endpoint: z.string(),
  events: z.union([z.array(z.string()), z.string()]).nullish(),
  list_id: Id.nullish(),
  health: z.object({ status: z.string() }).nullish(),
  secret: z.string().nullish(),
});
export type Webhook = z.infer<typeof Webhook>;
export const Webhooks = z.object({ webhooks: z.array(Webhook) });
export const MadeWebhook = z.object({ id: z.string(), webhook: z.object({ secret: z.string() }) });

// ---- conversion into our types

/** `custom` and unknown types are `active`. */
const categories: Record<string, ExternalStatus['category']> = { open: 'open', done: 'done', closed: 'closed' };
const priorities: Record<string, TicketPriority> = { 1: 'urgent', 2: 'high', 3: 'medium', 4: 'low' };
export const priorityNumbers: Record<TicketPriority, number> = { urgent: 1, high: 2, medium: 3, low: 4 };

/** Not every response includes the status id, but the name is unique within a list. */
export function statusOf({ id, status, type, color }: z.infer<typeof Status>): ExternalStatus {
  return { id: id ?? status, name: status, category: (type && categories[type]) || 'active', color: color ?? null };
}

export const byOrder = (one: z.infer<typeof Status>, other: z.infer<typeof Status>): number =>
  (one.orderindex ?? 0) - (other.orderindex ?? 0);

export const userOf = ({ id, username, email }: User): ExternalUser => ({ id, name: username || email || id, email: email || null });

export function snapshotOf(task: Task): TaskSnapshot {
  return {
    id: task.id,
    url: task.url,
    list_id: task.list.id,
    list_name: task.list.name ?? null,
    title: titleOf(task.name),
    description: descriptionOf(task.text_content ?? task.description ?? '', (text) => withoutFooter(plainIndentation(text))),
    below: descriptionOf(task.text_content ?? task.description ?? '', (text) => textBelowFooter(plainIndentation(text))),
    status: statusOf(task.status),
    priority: task.priority ? (priorities[task.priority.id] ?? null) : null,
    tags: (task.tags ?? []).map(({ name }) => name),
    assignees: (task.assignees ?? []).map(userOf),
    due_at: isoOf(task.due_date),
    updated_at: updatedAt(task),
    ...(task.archived && { archived: true }),
  };
}

export const updatedAt = ({ date_updated, date_created }: Task): string =>
  isoOf(date_updated) ?? isoOf(date_created) ?? new Date(0).toISOString();
