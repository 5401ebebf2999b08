import { createHmac, timingSafeEqual } from 'node:crypto';
import { Permanent } from '@tandem/contracts';
import * as z from 'zod';
import { parseJson } from '../read';
import type { InboundChange, RawWebhook } from '../task-tool';

const Time = z.string().nullish().catch(null);
const Id = z.number().transform(String);
/**
 * The part of GitHub's webhooks that we read. The event name is in a header that is not stored, so it is derived from the body's content.
 */
const Body = z.looseObject({
  action: z.string().optional(),
  zen: z.string().optional(),
  repository: z.object({ id: Id }).optional(),
  issue: z.object({ number: Id, updated_at: Time, pull_request: z.unknown().optional() }).optional(),
  comment: z.object({ id: Id, updated_at: Time }).optional(),
  sender: z.object({ id: Id }).nullish().catch(null),
  changes: z.object({ title: z.unknown().optional(), body: z.unknown().optional() }).nullish().catch(null),
});
type Body = z.infer<typeof Body>;

/** `X-Hub-Signature-256` is `sha256=` and the hex HMAC-SHA256 of the raw body. */
export function verifyWebhook({ headers, body }: RawWebhook, secret: string): boolean {
  const given = Buffer.from(headers['x-hub-signature-256'] ?? '', 'utf8');
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`, 'utf8');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export function readWebhook(raw: Buffer): InboundChange[] {
  const parsed = Body.safeParse(parseJson(raw));
  if (!parsed.success || (parsed.data.action ?? parsed.data.zen) === undefined)
    throw new Permanent('Not a webhook of GitHub', parsed.success ? {} : { cause: parsed.error });
  const { action = 'ping', repository, issue, comment, sender } = parsed.data;
  const list_id = repository?.id ?? null;
  const task_id = issue && list_id !== null ? `${list_id}/${issue.number}` : null;
  const subject = comment ? 'issue_comment' : issue ? 'issues' : isOfRepository(parsed.data) ? 'repository' : 'other';
  const event = parsed.data.action === undefined ? 'ping' : `${subject}.${action}`;
  const kind = kindOf(parsed.data, subject, action);
  const changedAt = kind === 'comment' ? comment?.updated_at : issue?.updated_at;
  const time = new Date(changedAt ?? NaN);
  const at = Number.isNaN(time.getTime()) ? null : time.toISOString();
  const comment_id = kind === 'comment' ? (comment?.id ?? null) : null;
  return [{ event, kind, task_id, list_id, comment_id, actor_id: sender?.id ?? null, at }];
}

/** Issue actions about synced fields. A transferred issue no longer exists under its old id. */
const kinds: Record<string, InboundChange['kind']> = {
  closed: 'task',
  reopened: 'task',
  labeled: 'task',
  unlabeled: 'task',
  deleted: 'task_deleted',
  transferred: 'task_deleted',
};

function kindOf({ issue, changes }: Body, subject: string, action: string): InboundChange['kind'] {
  if (subject === 'repository') return action === 'deleted' ? 'list_deleted' : 'other';
  if (!issue || issue.pull_request) return 'other';
  if (subject === 'issue_comment') return action === 'created' || action === 'edited' ? 'comment' : 'other';
  if (action === 'edited') return changes && changes.title === undefined && changes.body === undefined ? 'other' : 'task';
  return (Object.hasOwn(kinds, action) ? kinds[action] : undefined) ?? 'other';
}

/** A repository event has no other keys: a deleted label or branch also includes its repository. */
const surroundings = new Set(['action', 'repository', 'sender', 'organization', 'installation', 'enterprise', 'changes']);
const isOfRepository = (body: Body): boolean => body.repository !== undefined && Object.keys(body).every((key) => surroundings.has(key));
