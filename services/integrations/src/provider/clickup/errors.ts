import type { SyncField } from '@tandem/contracts';
import * as z from 'zod';
import { reasonOf } from '../reason';
import { countOf, timeOfReset } from '../read';
import { ToolError, type RateState, type ToolAnswer } from '../task-tool';

/** ClickUp's error body; the case of the code varies. */
const Body = z.object({ ECODE: z.string().optional(), err: z.string().optional().catch(undefined) });

interface Known {
  message?: string;
  field?: SyncField;
  isPlanLimit?: true;
}
/**
 * Messages that explain more than ClickUp's. The codes are from `developer.clickup.com`, "Common errors", and from reports of other users.
 */
const known: Record<string, Known> = {
  CRTSK_001: { message: 'The ClickUp list has no such status', field: 'status' },
  INPUT_003: { message: 'ClickUp does not recognize this list' },
  INPUT_005: { message: 'ClickUp does not accept this title', field: 'title' },
  INPUT_006: { message: 'ClickUp does not accept this due time', field: 'due_at' },
  INPUT_011: { message: 'ClickUp does not recognize this folder' },
  FIELD_605: { message: 'ClickUp’s plan allows no more custom fields', field: 'customer_email', isPlanLimit: true },
  GBUSED_005: { message: 'ClickUp’s storage is full' },
  ITEM_013: { message: 'The task was deleted in ClickUp' },
  OAUTH_171: { message: 'ClickUp already has this webhook' },
};

export function codeOf({ body }: ToolAnswer): string | undefined {
  const parsed = Body.safeParse(body);
  return parsed.success ? parsed.data.ECODE?.toUpperCase() : undefined;
}

function errOf({ body }: ToolAnswer): string | undefined {
  const parsed = Body.safeParse(body);
  return parsed.success ? parsed.data.err : undefined;
}

/**
 * A 401 does not prove that the token is invalid: ClickUp also returns it, with codes of the same family, for ids that do not exist or
 * belong to another workspace. So it is always `unauthorized`, and `whoAmI` is checked before the token counts as invalid.
 */
export function toolProblem(answer: ToolAnswer, now: string): ToolError {
  const { status } = answer;
  const code = codeOf(answer);
  const { message, field, isPlanLimit } = (code !== undefined && Object.hasOwn(known, code) ? known[code] : undefined) ?? fieldError(code);
  const reason = message ?? reasonOf('ClickUp', errOf(answer));
  const text = reason ?? `ClickUp returned ${status}${code ? ` (${code})` : ''}`;
  const details = { status, ...(code && { code }) };
  if (status === 429) return new ToolError('rate_limited', text, { ...details, retry_at: retryAt(answer, now) });
  if (status === 401) return new ToolError('unauthorized', text, details);
  if (code === 'ITEM_013') return new ToolError('missing', text, { ...details, gone: true });
  if (status === 404) return new ToolError('missing', text, details);
  if (status < 400 || status >= 500 || status === 408) return new ToolError('unreachable', text, details);
  return new ToolError('refused', text, { ...details, ...(field && { field }), ...(isPlanLimit && { isPlanLimit }) });
}

/** Custom fields have many error codes (`FIELD_…`) and none names the field: the customer's address stands for all of them. */
const fieldError = (code: string | undefined): Known => (code?.startsWith('FIELD_') ? { field: 'customer_email' } : {});

export function rateOf(headers: Record<string, string>): RateState | undefined {
  const limit = countOf(headers['x-ratelimit-limit']);
  const remaining = countOf(headers['x-ratelimit-remaining']);
  const reset_at = timeOfReset(headers['x-ratelimit-reset'], Date.now());
  return limit === undefined || remaining === undefined || !reset_at ? undefined : { limit, remaining, reset_at };
}

/** The rate limit is per minute, so without a header wait one minute. */
function retryAt({ headers }: ToolAnswer, now: string): string {
  const at = Date.parse(now);
  const reset = timeOfReset(headers['x-ratelimit-reset'], at);
  const seconds = countOf(headers['retry-after']) ?? 60;
  return reset && Date.parse(reset) > at ? reset : new Date(at + (reset ? 1 : seconds) * 1_000).toISOString();
}
