import type * as z from 'zod';
import { readAnswer } from '../read';
import { ToolError, type Choice, type ExternalUser, type ListDescription, type ToolCall } from '../task-tool';
import { Account, Accounts, pageIn, Repositories, Repository, statuses, userOf } from './shapes';

/** Pages of a hundred repositories each; further repositories are not listed. */
const maxPages = 20;

export async function whoAmI(call: ToolCall): Promise<ExternalUser> {
  return userOf(readAnswer(Account, await call({ method: 'GET', path: '/user' })));
}

/**
 * Owners of the repositories that the token can see. Reading organizations would need one more permission, and would include those without
 * a repository.
 */
export async function listWorkspaces(call: ToolCall): Promise<Choice[]> {
  const owners = (await repositories(call)).map(({ owner }) => [owner.id, { id: owner.id, name: owner.login }] as const);
  return [...new Map(owners).values()];
}

export async function listLists(call: ToolCall, { workspace_id }: { workspace_id?: string }): Promise<Choice[]> {
  if (workspace_id === undefined) throw new ToolError('refused', 'Choose an owner: GitHub’s repositories belong to one');
  const own = (await repositories(call)).filter(({ owner, archived }) => owner.id === workspace_id && !archived);
  return own.filter(({ has_issues }) => has_issues !== false).map(({ id, name }) => ({ id, name }));
}

async function repositories(call: ToolCall): Promise<z.infer<typeof Repositories>> {
  const found: z.infer<typeof Repositories> = [];
  for (let page: number | undefined = 1; page !== undefined && page <= maxPages;) {
    const answer = await call({ method: 'GET', path: `/user/repos?per_page=100&sort=full_name&page=${page}` });
    found.push(...readAnswer(Repositories, answer));
    page = pageIn(answer, 'next');
  }
  return found;
}

/** By id, because a repository may be renamed or transferred. */
export const repositoryPath = (list_id: string): string => `/repositories/${encodeURIComponent(list_id)}`;

export async function describeList(call: ToolCall, list_id: string): Promise<ListDescription> {
  const { id, full_name } = readAnswer(Repository, await call({ method: 'GET', path: repositoryPath(list_id) }));
  return { id, name: full_name, statuses, fields: [] };
}

/** GitHub hides most email addresses. */
export async function listMembers(call: ToolCall, { list_id }: { list_id: string }): Promise<ExternalUser[]> {
  const answer = await call({ method: 'GET', path: `${repositoryPath(list_id)}/assignees?per_page=100` });
  return readAnswer(Accounts, answer).map(userOf);
}
