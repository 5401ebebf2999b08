import type { TaskTool } from '../task-tool';
import { addComment, listComments } from './comments';
import { rateOf, toolProblem } from './errors';
import { readWebhook, verifyWebhook } from './inbound';
import { createTask, findTask, getTask, issueNamed, listChanged, updateTask, writeLines } from './issues';
import { authorizeUrl, exchangeRequest, readToken, refreshRequest } from './oauth';
import { describeList, listLists, listMembers, listWorkspaces, whoAmI } from './places';
import { searchTasks } from './search';
import { escapeText, limits } from './text';
import { ensureWebhook, removeWebhook, reviveWebhook, webhookHealth } from './webhooks';

/** GitHub Issues, REST API version 2022-11-28. Mappings and limitations: docs/task-tools/github.md. */
export const github: TaskTool = {
  key: 'github',
  name: 'GitHub Issues',
  capabilities: { statuses: 'open_closed', fields: ['status', 'title', 'description', 'tags'], comments: true, custom_fields: false },
  levels: [
    { key: 'workspace', label: 'Owner' },
    { key: 'list', label: 'Repository' },
  ],
  personal_token: { label: 'Personal access token', where: 'GitHub → Settings → Developer settings → Personal access tokens' },

  time_step_ms: 1_000,
  list_page_calls: 1,
  limits,
  written: escapeText,

  baseUrl: ({ GITHUB_API_URL }) => GITHUB_API_URL,
  headers: ({ token }) => ({
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }),
  rateOf,
  toolProblem,
  authorizeUrl,
  exchangeRequest,
  refreshRequest,
  readToken,

  whoAmI,
  listWorkspaces,
  listSpaces: async () => [],
  listLists,
  describeList,
  listMembers,

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
 * An issue's URL becomes `owner/repository#number`, which `getTask` accepts; the host name of an Enterprise server contains `github`. `#12`
 * and `12` are issues of the chosen repository and become `700001#12`, for which `getTask` also reads whether the repository is archived.
 */
function taskIdOf(typed: string, place?: { list_id: string }): string | undefined {
  const text = typed.trim();
  if (/^\d+\/\d+$/.test(text) || issueNamed(text)) return text;
  const [, short] = /^#?(\d{1,10})$/.exec(text) ?? [];
  if (short) return place && `${place.list_id}#${short}`;
  const address = URL.parse(/^(www\.)?github\.[^/]+\//i.test(text) ? `https://${text}` : text);
  if (!address || !/^https?:$/.test(address.protocol) || !/(^|\.)github\./.test(address.hostname)) return undefined;
  const [, name, number] = /^\/([\w.-]+\/[\w.-]+)\/issues\/(\d+)\/?$/.exec(address.pathname) ?? [];
  return name && number ? `${name}#${number}` : undefined;
}
