import type { ExternalStatus } from '@tandem/contracts';
import * as z from 'zod';
import { textBelowFooter, withoutFooter } from '../tandem-footer';
import { descriptionOf, titleOf } from '../read';
import type { ExternalComment, ExternalUser, TaskSnapshot, ToolAnswer } from '../task-tool';
import { readText } from './text';

/** The parts of GitHub's responses that we read (`docs.github.com/rest`). Times are whole seconds. */

const Id = z.number().transform(String);
const Time = z.iso.datetime({ offset: true }).transform((time) => new Date(time).toISOString());

export const Account = z.object({ id: Id, login: z.string(), email: z.string().nullish() });
type Account = z.infer<typeof Account>;
export const Accounts = z.array(Account);

export const Repository = z.object({
  id: Id,
  name: z.string(),
  full_name: z.string(),
  owner: Account,
  has_issues: z.boolean().nullish(),
  archived: z.boolean().nullish(),
});
export const Repositories = z.array(Repository);

export const Issue = z.object({
  number: z.number(),
  html_url: z.string(),
  repository_url: z.string().nullish(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  state_reason: z.string().nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).nullish(),
  assignees: z.array(Account).nullish(),
  updated_at: Time,
  /** Present if the issue is actually a pull request. */
  pull_request: z.unknown().optional(),
});
export type Issue = z.infer<typeof Issue>;
export const Issues = z.array(Issue);

export const Comment = z.object({ id: Id, body: z.string().nullish(), user: Account.nullish(), created_at: Time });
export const Comments = z.array(Comment);

export const Hook = z.object({
  id: Id,
  active: z.boolean(),
  config: z.object({ url: z.string().nullish() }),
  last_response: z.object({ code: z.number().nullish() }).nullish(),
});
export const Hooks = z.array(Hook);

// ---- conversion into our types

const open: ExternalStatus = { id: 'open', name: 'Open', category: 'open', color: null };
const completed: ExternalStatus = { id: 'completed', name: 'Closed as completed', category: 'done', color: null };
const notPlanned: ExternalStatus = {
  id: 'not_planned',
  name: 'Closed as not planned',
  category: 'closed',
  color: null,
  meaning: 'not_planned',
};

/** The statuses of every repository: an issue is open, or closed for one of two reasons. */
export const statuses = [open, completed, notPlanned];

/** A status as request parameters; undefined for an unknown name. */
export function stateOf(name: string): { state: 'open' } | { state: 'closed'; state_reason: string } | undefined {
  const status = statuses.find((each) => each.name.toLowerCase() === name.toLowerCase());
  return status && (status === open ? { state: 'open' } : { state: 'closed', state_reason: status.id });
}

/** An issue that was closed without a reason, long ago, counts as completed; a duplicate counts as not planned. */
function statusOf({ state, state_reason }: Issue): ExternalStatus {
  if (state !== 'closed') return open;
  return state_reason === 'not_planned' || state_reason === 'duplicate' ? notPlanned : completed;
}

export const userOf = ({ id, login, email }: Account): ExternalUser => ({ id, name: login, email: email ?? null });

export function snapshotOf(repository_id: string, issue: Issue): TaskSnapshot {
  return {
    id: `${repository_id}/${issue.number}`,
    url: issue.html_url,
    list_id: repository_id,
    list_name: issue.repository_url?.split('/').slice(-2).join('/') ?? null,
    title: titleOf(issue.title),
    description: descriptionOf(issue.body ?? '', (text) => withoutFooter(readText(text))),
    below: descriptionOf(issue.body ?? '', textBelowFooter),
    status: statusOf(issue),
    priority: null,
    tags: (issue.labels ?? []).map((label) => (typeof label === 'string' ? label : (label.name ?? ''))).filter((name) => name !== ''),
    assignees: (issue.assignees ?? []).map(userOf),
    due_at: null,
    updated_at: issue.updated_at,
  };
}

/** A comment of a deleted account has no user; GitHub shows it as "ghost". */
export const commentOf = ({ id, user, body, created_at }: z.infer<typeof Comment>): ExternalComment => ({
  id,
  author: user ? userOf(user) : { id: 'ghost', name: 'ghost', email: null },
  text: readText(body ?? '').trim(),
  at: created_at,
});

/** A time in GitHub's format, truncated to the second. */
export const wholeSeconds = (time: string): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

/** The page number in a response's `Link` header; undefined if it has none. */
export function pageIn({ headers }: ToolAnswer, rel: 'next' | 'last'): number | undefined {
  const link = headers.link?.split(',').find((each) => each.includes(`rel="${rel}"`));
  const address = /<([^>]+)>/.exec(link ?? '')?.[1];
  const page = Number(address && URL.parse(address, 'https://api.github.com')?.searchParams.get('page'));
  return Number.isInteger(page) && page > 0 ? page : undefined;
}
