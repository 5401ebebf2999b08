/** What there is in this GitHub. Ids are numbers; times are milliseconds here and whole seconds in answers. */
export interface User {
  id: number;
  login: string;
}
export interface Repository {
  id: number;
  name: string;
  owner_id: number;
  labels: string[];
  archived?: boolean;
}
export interface Issue {
  repository_id: number;
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  state_reason: 'completed' | 'not_planned' | 'reopened' | null;
  labels: string[];
  user_id: number;
  is_pull_request: boolean;
  created_at: number;
  updated_at: number;
  gone: 'deleted' | 'transferred' | null;
}
export interface Comment {
  id: number;
  repository_id: number;
  number: number;
  user_id: number;
  body: string;
  created_at: number;
  updated_at: number;
}
export interface Hook {
  id: number;
  repository_id: number;
  active: boolean;
  events: string[];
  url: string;
  secret: string;
  last_code: number | null;
}

/** An answer that is no success, in GitHub's words. */
export class GitHubError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** What is wrong with which field, where GitHub says so. */
    readonly errors?: { resource: string; code: string; field: string; message: string }[],
  ) {
    super(message);
  }
}
export const notFound = (): GitHubError => new GitHubError(404, 'Not Found');
