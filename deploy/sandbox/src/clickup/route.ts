import type { SandboxAnswer } from '../http';
import type { Access } from './access';
import type { Comments } from './comments';
import type { Token, User } from './state';
import type { Tasks } from './tasks';
import type { Webhooks } from './webhooks';
import type { World } from './world';

/** The components that the routes use. */
export interface Components {
  world: World;
  access: Access;
  tasks: Tasks;
  comments: Comments;
  webhooks: Webhooks;
}

export interface Call {
  token: Token;
  /** The token's user. */
  user: User;
  /** The ids in the path; those in the route's own template are always set. */
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
}

export type Handler = (call: Call) => unknown;

export interface Route {
  method: string;
  /** As in ClickUp's reference: `/v2/list/{list_id}/task`. */
  path: string;
  /** Returns the response body, or nothing for 204. */
  handle: Handler;
}

/** `'GET /v2/team': handler` as a list of routes. */
export function routesOf(handlers: Record<string, Handler>): Route[] {
  return Object.entries(handlers).map(([key, handle]) => {
    const [method = '', path = ''] = key.split(' ');
    return { method, path, handle };
  });
}

/** The route of a request and the ids in its path. */
export function routeOf(routes: Route[], method: string, path: string): { route: Route; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const params = route.method === method ? paramsOf(route.path, path) : undefined;
    if (params) return { route, params };
  }
  return undefined;
}

/** The values in a path for the variables of a template, or undefined if the path does not match. */
export function paramsOf(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? '';
    const [, name] = /^\{(.+)\}$/.exec(part) ?? [];
    if (name === undefined && part !== value) return undefined;
    if (name !== undefined) {
      const text = decoded(value);
      if (!text) return undefined;
      params[name] = text;
    }
  }
  return params;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A route's result as a response; without a result 204. */
export const asAnswer = (body: unknown): SandboxAnswer => (body === undefined ? { status: 204 } : { status: 200, body });
