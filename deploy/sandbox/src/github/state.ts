/** The sandbox's state. Ids are numbers; times are milliseconds here and whole seconds in responses. */
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

/** An error response with GitHub's message. */
export class GitHubError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Errors by field, if GitHub reports them. */
    readonly errors?: { resource: string; code: string; field: string; message: string }[],
  ) {
    super(message);
  }
}
export const notFound = (): GitHubError => new GitHubError(404, 'Not Found');
