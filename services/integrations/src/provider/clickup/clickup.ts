import type { TaskTool } from '../task-tool';
import { addComment, listComments } from './comments';
import { fieldTypes, fieldValue } from './custom-fields';
import { rateOf, toolProblem } from './errors';
import { readWebhook, verifyWebhook } from './inbound';
import { describeList, listLists, listMembers, listSpaces, listWorkspaces, whoAmI } from './lists';
import { authorizeUrl, exchangeRequest, readToken } from './oauth';
import { searchTasks } from './search';
import { findTask, listChanged } from './task-list';
import { createTask, customId, customTask, getTask, limits, updateTask, writeLines, written } from './tasks';
import { ensureWebhook, removeWebhook, reviveWebhook, webhookHealth } from './webhooks';

/** ClickUp, API v2 (`developer.clickup.com`). Mappings and limitations: docs/task-tools/clickup.md. */
export const clickup: TaskTool = {
  key: 'clickup',
  name: 'ClickUp',
  capabilities: {
    statuses: 'named',
    fields: ['status', 'priority', 'title', 'description', 'tags', 'assignee', 'customer_email', 'due_at'],
    comments: true,
    custom_fields: true,
  },
  levels: [
    { key: 'workspace', label: 'Workspace' },
    { key: 'space', label: 'Space' },
    { key: 'list', label: 'List' },
  ],
  personal_token: { label: 'Personal API token', where: 'ClickUp → Settings → Apps → API Token' },

  time_step_ms: 1,
  // Tasks in use and archived ones.
  list_page_calls: 2,
  limits,
  written,

  baseUrl: ({ CLICKUP_API_URL }) => CLICKUP_API_URL,
  /**
   * A personal token is sent without a scheme, an application's token with `Bearer`. ClickUp requires a content type even for requests
   * without a body.
   */
  headers: ({ kind, token }) => ({
    authorization: kind === 'personal_token' ? token : `Bearer ${token}`,
    'content-type': 'application/json',
  }),
  rateOf,
  toolProblem,
  authorizeUrl,
  exchangeRequest,
  readToken,

  whoAmI,
  listWorkspaces,
  listSpaces,
  listLists,
  describeList,
  listMembers,

  fieldTypes,
  fieldValue,

  createTask,
  updateTask,
  writeLines,
  getTask,
  taskIdOf,
  searchTasks,
  listChanged,
  findTask,
  addComment,
  listComments,

  ensureWebhook,
  webhookHealth,
  reviveWebhook,
  removeWebhook,
  verifyWebhook,
  readWebhook,
};

/**
 * `https://app.clickup.com/t/86abc`, `#86abc` or `86abc`; with custom ids `https://app.clickup.com/t/9012/DEV-12` or `DEV-12`, which belong
 * to the workspace of the chosen list if the URL names none.
 */
function taskIdOf(typed: string, place?: { workspace_id: string }): string | undefined {
  const text = typed.trim();
  const address = URL.parse(/^app\.clickup\.com\//i.test(text) ? `https://${text}` : text);
  if (address && (!/^https?:$/.test(address.protocol) || !/(^|\.)clickup\.com$/.test(address.hostname))) return undefined;
  const [, team, id] = (address ? /^\/t\/(?:(\d+)\/)?([\w-]+)\/?$/ : /^(?:()#)?([\w-]+)$/).exec(address?.pathname ?? text) ?? [];
  if (id === undefined) return undefined;
  if (customId.test(id)) return customTask(team || place?.workspace_id, id.toUpperCase());
  return /^[a-z0-9]{3,20}$/.test(id) ? id : undefined;
}
