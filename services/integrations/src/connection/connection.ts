import type { TaskToolConnection } from '@tandem/contracts';
import type { ExternalUser } from '../provider/task-tool';
import type { ConnectionRow } from '../schema';

/** What `Secrets` seals the tokens of task tools for: a value that was sealed for one of these opens for nothing else. */
export const tokenPurpose = 'task-tool-token';
export const refreshTokenPurpose = 'task-tool-refresh-token';

/** So long somebody may take on the task tool's page. */
export const stateMinutes = 10;

/** Where a task tool sends the browser back to: a page of ours, which hands code and state on (spec part 2: 'under the product's auth callback path'). */
export const redirectUriOf = (publicUrl: string, provider: string): string => new URL(`/auth/callback/${provider}`, publicUrl).href;

/** A token goes into a header: what cannot stand there no tool has ever given out. */
export const couldBeToken = (typed: string): boolean => /^[\x21-\x7e]+$/.test(typed);

/** What people may know of a connection. Member by member: a column that is added later stays inside. */
export const shownConnection = (row: ConnectionRow): TaskToolConnection => ({
  ...{ id: row.id, provider: row.provider, state: row.state, kind: row.kind },
  ...{ account_name: row.account_name, connected_at: row.connected_at, broken_at: row.broken_at },
});

/** How the organization's log names a connection: ClickUp (Grace Okafor). */
export const targetOf = (tool: { name: string }, { account_name }: { account_name: string }): string =>
  account_name === '' ? tool.name : `${tool.name} (${account_name})`;

/** What is new for the organization's log: whether the tool is now spoken to as somebody else. */
export function accountChanges(before: ConnectionRow | undefined, account: ExternalUser): Record<string, { from: unknown; to: unknown }> {
  return isAnotherAccount(before, account) ? { account: { from: before?.account_name, to: account.name } } : {};
}

export const isAnotherAccount = (before: ConnectionRow | undefined, account: ExternalUser): boolean =>
  before !== undefined && before.account_id !== '' && before.account_id !== account.id;
