import { createHmac, timingSafeEqual } from 'node:crypto';
import { Permanent } from '@tandem/contracts';
import * as z from 'zod';
import { isoOf, parseJson } from '../read';
import type { InboundChange, RawWebhook } from '../task-tool';

const Id = z.union([z.string(), z.number()]).transform(String);
const Item = z.object({
  date: z.union([z.string(), z.number()]).nullish().catch(null),
  field: z.string().nullish().catch(null),
  after: z.unknown().optional(),
  comment: z.unknown().optional(),
  user: z.object({ id: Id }).nullish().catch(null),
});
type Item = z.infer<typeof Item>;
/** The part of a ClickUp webhook that we read. */
const Body = z.object({
  event: z.string(),
  webhook_id: z.string(),
  task_id: Id.nullish(),
  list_id: Id.nullish(),
  history_items: z.array(Item.catch({})).nullish().catch(null),
});

/** Events about one field that may be synced, or about the task's list. */
const ofTasks = new Set(['taskStatusUpdated', 'taskPriorityUpdated', 'taskAssigneeUpdated', 'taskTagUpdated', 'taskMoved']);
const ofComments = new Set(['taskCommentPosted', 'taskCommentUpdated']);
/** Fields that only `taskUpdated` reports; every other field in it has its own event. */
const reportedOnlyHere = new Set(['name', 'content']);

/** `X-Signature` is the bare hex HMAC-SHA256 of the raw body, keyed with the secret's UTF-8 bytes. */
export function verifyWebhook({ headers, body }: RawWebhook, secret: string): boolean {
  const given = Buffer.from(headers['x-signature'] ?? '', 'utf8');
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'), 'utf8');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Events for one change arrive twice and in any order, and an automation may send another format to the same address. */
export function readWebhook(raw: Buffer): InboundChange[] {
  const parsed = Body.safeParse(parseJson(raw));
  if (!parsed.success) throw new Permanent('Not a webhook of the ClickUp API', { cause: parsed.error });
  const { event, task_id, list_id, history_items } = parsed.data;
  const items = history_items ?? [];
  const about = { event, task_id: task_id ?? null, list_id: list_id ?? null, comment_id: null, actor_id: actorOf(items), at: null };
  if (event === 'listDeleted') return [{ ...about, kind: 'list_deleted' }];
  if (about.task_id === null) return [{ ...about, kind: 'other' }];
  if (event === 'taskDeleted') return [{ ...about, kind: 'task_deleted' }];
  if (ofComments.has(event)) return comments(about, items);
  if (ofTasks.has(event)) return [{ ...about, kind: 'task', at: latest(items) }];
  if (event !== 'taskUpdated') return [{ ...about, kind: 'other', at: latest(items) }];
  const kept = items.filter(({ field }) => field && reportedOnlyHere.has(field));
  // Without a history it is unknown what changed, so the task is read.
  if (items.length > 0 && kept.length === 0) return [{ ...about, kind: 'other', at: latest(items) }];
  return [{ ...about, kind: 'task', at: latest(kept) }];
}

/** The account behind all of the items; null if there are several, or an item names none. */
function actorOf(items: Item[]): string | null {
  const actors = new Set(items.map(({ user }) => user?.id ?? null));
  return actors.size === 1 ? ([...actors][0] ?? null) : null;
}

type About = Omit<InboundChange, 'kind'>;

/** Without an id, the task's comments still have to be read. */
function comments(about: About, items: Item[]): InboundChange[] {
  const ids = new Set(items.map(commentId).filter((id) => id !== null));
  if (ids.size === 0) return [{ ...about, kind: 'comment' }];
  return [...ids].map((comment_id) => ({ ...about, kind: 'comment', comment_id, at: latest(items) }));
}

/** `comment` is an object, or a list of blocks without an id; `after` contains the id either way. */
function commentId({ after, comment }: Item): string | null {
  const named = z.object({ id: Id }).safeParse(comment);
  if (named.success) return named.data.id;
  const parsed = Id.safeParse(after);
  return parsed.success && parsed.data !== '' ? parsed.data : null;
}

/** The latest time of these items, ISO. */
function latest(items: Item[]): string | null {
  const times = items.map(({ date }) => isoOf(date)).filter((time) => time !== null);
  return times.sort().at(-1) ?? null;
}
