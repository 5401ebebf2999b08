import type { TaskToolConnection } from '@tandem/contracts';
import type { ExternalUser } from '../provider/task-tool';
import type { ConnectionRow } from '../schema';

/** `Secrets` purposes for sealing the tokens of task tools: a value sealed for one purpose cannot be opened for another. */
export const tokenPurpose = 'task-tool-token';
export const refreshTokenPurpose = 'task-tool-refresh-token';

/** The time that a user has to authorize Tandem on the task tool's page. */
export const stateMinutes = 10;

/** Where a task tool redirects the browser after authorization: a page of Tandem, which sends code and state to the API. */
export const redirectUriOf = (publicUrl: string, provider: string): string => new URL(`/auth/callback/${provider}`, publicUrl).href;

/** A token is sent in a header, so characters that are not allowed there make it invalid. */
export const couldBeToken = (typed: string): boolean => /^[\x21-\x7e]+$/.test(typed);

/** The fields of a connection that users may see. Listed individually, so that columns added later are not exposed. */
export const publicConnection = (row: ConnectionRow): TaskToolConnection => ({
  id: row.id,
  provider: row.provider,
  state: row.state,
  kind: row.kind,
  account_name: row.account_name,
  connected_at: row.connected_at,
  broken_at: row.broken_at,
});

/** A connection's name in the audit log: ClickUp (Grace Okafor). */
export const targetOf = (tool: { name: string }, { account_name }: { account_name: string }): string =>
  account_name === '' ? tool.name : `${tool.name} (${account_name})`;

/** Changes for the audit log: whether the tool is now used with another account. */
export function accountChanges(before: ConnectionRow | undefined, account: ExternalUser): Record<string, { from: unknown; to: unknown }> {
  return isAnotherAccount(before, account) ? { account: { from: before?.account_name, to: account.name } } : {};
}

export const isAnotherAccount = (before: ConnectionRow | undefined, account: ExternalUser): boolean =>
  before !== undefined && before.account_id !== '' && before.account_id !== account.id;
