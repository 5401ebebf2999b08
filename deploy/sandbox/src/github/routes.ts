import type { SandboxAnswer } from '../http';
import { commentShape, hookShape, issueShape, repositoryShape, userShape } from './shapes';
import { GitHubError, type Hook, type Issue, notFound, type User } from './state';
import type { IssueInput, World } from './world';

export interface GitHubCall {
  user: User;
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  /** The path for this list's page links. */
  path: string;
}
type Handler = (call: GitHubCall) => SandboxAnswer;

const ok = (body: unknown, status = 200): SandboxAnswer => ({ status, body });
const gone: SandboxAnswer = { status: 204 };

/** `'GET /user': handler`, for all calls that this sandbox supports. */
export const gitHubRoutes = (world: World): Record<string, Handler> => ({
  ...placeRoutes(world),
  ...issueRoutes(world),
  ...hookRoutes(world),
});

const number = (text: string | undefined): number => Number(text);

function placeRoutes(world: World): Record<string, Handler> {
  return {
    'GET /user': ({ user }) => ok({ ...userShape(user), name: null, email: null }),
    'GET /user/repos': (call) =>
      page(
        call,
        world.repositories.map((each) => repositoryShape(world, each)),
      ),
    'GET /repos/{owner}/{name}': ({ params }) => {
      const found = world.repositories
        .map((each) => repositoryShape(world, each))
        .find(({ full_name }) => full_name === `${params.owner}/${params.name}`);
      if (!found) throw notFound();
      return ok(found);
    },
    'GET /repositories/{repository_id}': ({ params }) => ok(repositoryShape(world, world.repository(number(params.repository_id)))),
    'GET /repositories/{repository_id}/assignees': (call) => {
      world.repository(number(call.params.repository_id));
      return page(call, world.users.slice(0, 2).map(userShape));
    },
  };
}

function issueRoutes(world: World): Record<string, Handler> {
  const named = ({ params }: GitHubCall): Issue => world.issue(number(params.repository_id), number(params.number));
  const shape = (issue: Issue) => issueShape(world, issue);
  const issue = '/repositories/{repository_id}/issues/{number}';
  return {
    'GET /repositories/{repository_id}/issues': (call) => page(call, issuesAskedFor(world, call).map(shape)),
    'POST /repositories/{repository_id}/issues': ({ params, body, user }) =>
      ok(shape(world.create(number(params.repository_id), body as IssueInput, user)), 201),
    [`GET ${issue}`]: (call) => ok(shape(named(call))),
    [`PATCH ${issue}`]: (call) => ok(shape(world.change(named(call), call.body as IssueInput, call.user))),
    [`POST ${issue}/labels`]: (call) => {
      const labelled = named(call);
      world.label(labelled, (call.body as { labels: string[] }).labels, call.user);
      return ok(shape(labelled).labels);
    },
    [`DELETE ${issue}/labels/{label}`]: (call) => {
      const labelled = named(call);
      world.unlabel(labelled, call.params.label ?? '', call.user);
      return ok(shape(labelled).labels);
    },
    [`GET ${issue}/comments`]: (call) => {
      const since = second(Date.parse(call.query.get('since') ?? '1970-01-01T00:00:00Z'));
      const comments = world.commentsOf(named(call)).filter(({ updated_at }) => second(updated_at) >= since);
      return page(
        call,
        comments.map((each) => commentShape(world, each)),
      );
    },
    [`POST ${issue}/comments`]: (call) =>
      ok(commentShape(world, world.comment(named(call), (call.body as { body: string }).body, call.user)), 201),
  };
}

const second = (ms: number): number => Math.floor(ms / 1_000);

/** `since` is inclusive; issues that changed in the same second are ordered by number. */
function issuesAskedFor(world: World, { params, query }: GitHubCall): Issue[] {
  const { id } = world.repository(number(params.repository_id));
  const state = query.get('state') ?? 'open';
  const since = second(Date.parse(query.get('since') ?? '1970-01-01T00:00:00Z'));
  const key = query.get('sort') === 'updated' ? 'updated_at' : 'created_at';
  const found = world
    .issuesOf(id)
    .filter((issue) => (state === 'all' || issue.state === state) && second(issue.updated_at) >= since)
    .sort((one, other) => second(one[key]) - second(other[key]) || one.number - other.number);
  return query.get('direction') === 'asc' ? found : found.reverse();
}

interface HookInput {
  active?: boolean;
  events?: string[];
  config?: { url?: string; secret?: string };
}

function hookRoutes(world: World): Record<string, Handler> {
  const hook = '/repositories/{repository_id}/hooks/{hook_id}';
  const of = ({ params }: GitHubCall): Hook[] => {
    const { id } = world.repository(number(params.repository_id));
    return world.hooks.filter(({ repository_id }) => repository_id === id);
  };
  const named = (call: GitHubCall): Hook => {
    const found = of(call).find(({ id }) => id === number(call.params.hook_id));
    if (!found) throw notFound();
    return found;
  };
  return {
    'GET /repositories/{repository_id}/hooks': (call) => page(call, of(call).map(hookShape)),
    'POST /repositories/{repository_id}/hooks': (call) => {
      const { active = true, events = ['push'], config: { url = '', secret = '' } = {} } = call.body as HookInput;
      if (of(call).some((each) => each.url === url)) throw new GitHubError(422, 'Validation Failed');
      const made = { id: world.nextId(), repository_id: number(call.params.repository_id), active, events, url, secret, last_code: null };
      world.hooks.push(made);
      return ok(hookShape(made), 201);
    },
    [`GET ${hook}`]: (call) => ok(hookShape(named(call))),
    // `config` is replaced as a whole: omitted members are removed, including the secret.
    [`PATCH ${hook}`]: (call) => {
      const { active, events, config } = call.body as HookInput;
      const changed = named(call);
      Object.assign(changed, { active: active ?? changed.active, events: events ?? changed.events });
      if (config) Object.assign(changed, { url: config.url ?? changed.url, secret: config.secret ?? '' });
      return ok(hookShape(changed));
    },
    [`PATCH ${hook}/config`]: (call) => {
      const { url, secret } = call.body as { url?: string; secret?: string };
      const changed = named(call);
      Object.assign(changed, { url: url ?? changed.url, secret: secret ?? changed.secret });
      return ok(hookShape(changed).config);
    },
    [`DELETE ${hook}`]: (call) => {
      world.hooks.splice(world.hooks.indexOf(named(call)), 1);
      return gone;
    },
  };
}

/** A page of a list, with links to the next and the last page. */
function page({ query, path }: GitHubCall, all: unknown[]): SandboxAnswer {
  const size = Number(query.get('per_page') ?? 30);
  const at = Number(query.get('page') ?? 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  const link = (rel: string, to: number) => {
    const asked = new URLSearchParams(query);
    asked.set('page', String(to));
    return `<https://api.github.com${path}?${asked.toString()}>; rel="${rel}"`;
  };
  const headers = at < last ? { link: `${link('next', at + 1)}, ${link('last', last)}` } : undefined;
  return { status: 200, body: all.slice((at - 1) * size, at * size), headers };
}
