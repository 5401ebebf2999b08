import type { SyncField } from '@tandem/contracts';
import * as z from 'zod';
import { reasonOf } from '../reason';
import { countOf, timeOfReset } from '../read';
import { ToolError, type RateState, type ToolAnswer } from '../task-tool';

/** The message "Validation Failed" names no reason: `errors` name the field, and for some codes include a message. */
const Fault = z.object({
  field: z.string().nullish().catch(null),
  code: z.string().nullish().catch(null),
  message: z.string().nullish().catch(null),
});
const Body = z.object({ message: z.string(), errors: z.array(Fault.catch({})).nullish().catch(null) });
const fields: Record<string, SyncField> = {
  title: 'title',
  body: 'description',
  labels: 'tags',
  state: 'status',
  state_reason: 'status',
  assignees: 'assignee',
};
/** GitHub's message for a label that the issue does not have. */
const labelMissing = 'Label does not exist';

/**
 * A repository that the token cannot see is "not found"; rate limits are 403 as well as 429; a deleted issue is 410, and one that was moved
 * to another repository is a redirect.
 */
export function toolProblem(answer: ToolAnswer, now: string): ToolError {
  const { status } = answer;
  const parsed = Body.safeParse(answer.body);
  const githubMessage = parsed.success ? parsed.data.message : '';
  const faults = (parsed.success && parsed.data.errors) || [];
  const message = `GitHub returned ${status}`;
  const retry_at = status === 403 || status === 429 ? limitedUntil(answer, githubMessage, now) : undefined;
  if (retry_at) return new ToolError('rate_limited', 'GitHub’s rate limit is used up', { status, retry_at });
  if (status === 401) return new ToolError('unauthorized', 'GitHub does not accept the token', { status });
  if (githubMessage === labelMissing) return new ToolError('missing', 'The issue has no such label', { status, code: 'label_missing' });
  if (status === 410 || status === 301) return new ToolError('missing', message, { status, gone: true });
  if (status === 404) return new ToolError('missing', message, { status });
  if (status < 400 || status >= 500 || status === 408) return new ToolError('unreachable', message, { status });
  const words = faults.map(({ field, code, message }) => message ?? (field && code ? `${field}: ${code}` : null));
  const reason = reasonOf('GitHub', ...words) ?? reasonOf('GitHub', githubMessage);
  if (status === 403) return new ToolError('refused', reason ?? 'GitHub does not allow this with the given token', { status });
  const [field, ...others] = new Set(faults.map(({ field }) => (field && Object.hasOwn(fields, field) ? fields[field] : undefined)));
  return new ToolError('refused', reason ?? message, { status, ...(field && others.length === 0 && { field }) });
}

/**
 * "Rate limits for the REST API": wait for `retry-after`; otherwise, with nothing remaining, for the reset; otherwise at least a minute.
 */
function limitedUntil({ status, headers }: ToolAnswer, message: string, now: string): string | undefined {
  const at = Date.parse(now);
  const seconds = countOf(headers['retry-after']);
  if (seconds !== undefined) return new Date(at + seconds * 1_000).toISOString();
  const reset = timeOfReset(headers['x-ratelimit-reset'], at);
  if (headers['x-ratelimit-remaining'] === '0' && reset) return Date.parse(reset) > at ? reset : new Date(at + 1_000).toISOString();
  return status === 429 || /rate limit/i.test(message) ? new Date(at + 60_000).toISOString() : undefined;
}

export function rateOf(headers: Record<string, string>): RateState | undefined {
  const limit = countOf(headers['x-ratelimit-limit']);
  const remaining = countOf(headers['x-ratelimit-remaining']);
  const reset_at = timeOfReset(headers['x-ratelimit-reset'], Date.now());
  return limit === undefined || remaining === undefined || !reset_at ? undefined : { limit, remaining, reset_at };
}
