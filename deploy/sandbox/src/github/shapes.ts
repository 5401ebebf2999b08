import type { Comment, Hook, Issue, Repository, User } from './state';

/** The lookups of a `World` that the shapes need. */
interface World {
  user(id: number): User;
  repository(id: number): Repository;
  commentsOf(issue: Issue): readonly unknown[];
}

/** Objects as clients and webhooks get them: the keys and types of GitHub's REST API that a client of issues can see. */

const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

export const userShape = ({ id, login }: User) => ({
  login,
  id,
  node_id: `U_${id}`,
  html_url: `https://github.com/${login}`,
  type: 'User',
});

export function repositoryShape(world: World, { id, name, owner_id, archived = false }: Repository) {
  const owner = world.user(owner_id);
  return {
    id,
    node_id: `R_${id}`,
    name,
    full_name: `${owner.login}/${name}`,
    private: true,
    owner: userShape(owner),
    html_url: `https://github.com/${owner.login}/${name}`,
    has_issues: true,
    archived,
    disabled: false,
  };
}

export function issueShape(world: World, issue: Issue) {
  const { html_url, full_name } = repositoryShape(world, world.repository(issue.repository_id));
  const url = `https://api.github.com/repos/${full_name}`;
  return {
    id: issue.repository_id * 100_000 + issue.number,
    node_id: `I_${issue.number}`,
    url: `${url}/issues/${issue.number}`,
    repository_url: url,
    number: issue.number,
    html_url: `${html_url}/issues/${issue.number}`,
    title: issue.title,
    body: issue.body,
    state: issue.state,
    state_reason: issue.state_reason,
    locked: false,
    user: userShape(world.user(issue.user_id)),
    labels: issue.labels.map((name, id) => ({ id, name, color: 'ededed', default: false, description: null })),
    assignee: null,
    assignees: [],
    milestone: null,
    comments: world.commentsOf(issue).length,
    created_at: time(issue.created_at),
    updated_at: time(issue.updated_at),
    closed_at: null,
    ...(issue.is_pull_request ? { pull_request: { url: `${url}/pulls/${issue.number}` } } : {}),
  };
}

export const commentShape = (world: World, { id, body, user_id, created_at, updated_at }: Comment) => ({
  id,
  node_id: `IC_${id}`,
  body,
  user: userShape(world.user(user_id)),
  created_at: time(created_at),
  updated_at: time(updated_at),
});

/** The secret is never returned. */
export const hookShape = ({ id, active, events, url, last_code }: Hook) => ({
  type: 'Repository',
  id,
  name: 'web',
  active,
  events,
  config: { content_type: 'json', insecure_ssl: '0', url, secret: '********' },
  last_response: { code: last_code, status: last_code === null ? 'unused' : 'active', message: null },
});
