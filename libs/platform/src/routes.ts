import type { FastifyInstance, FastifyRequest } from 'fastify';

interface Routes {
  /** By path, like `/tickets/:id`. */
  methods: Map<string, Set<string>>;
  /** Compiled at the first request without a route: most processes get none, and each start would take longer. */
  patterns?: [RegExp, Set<string>][];
}
const routesOf = new WeakMap<object, Routes>();

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** `/tickets/:id` as a regular expression. */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split(/(:[^/]+)/)
      .map((part) => (part.startsWith(':') ? '[^/]+' : escaped(part)))
      .join('')}$`,
  );

/** Records every route, so that a request with a wrong method gets 405 rather than 404. Call it before routes are registered. */
export function rememberRoutes(fastify: FastifyInstance): void {
  const known: Routes['methods'] = new Map();
  routesOf.set(fastify.server, { methods: known });
  fastify.addHook('onRoute', ({ url, method }) => {
    // A catch-all route matches every path.
    if (url.includes('*')) return;
    const methods = known.get(url) ?? new Set<string>();
    for (const each of [method].flat()) methods.add(each);
    known.set(url, methods);
  });
}

/** The methods that exist for the path of a request; empty if the path is unknown. */
export function methodsElsewhere(request: FastifyRequest): string[] {
  const path = request.url.split('?')[0] as string;
  const routes = routesOf.get(request.server.server);
  if (!routes) return [];
  // Fastify accepts no routes after it has started.
  routes.patterns ??= [...routes.methods].map(([url, methods]) => [patternOf(url), methods]);
  const found = routes.patterns.filter(([pattern]) => pattern.test(path)).flatMap(([, methods]) => [...methods]);
  return [...new Set(found)].sort();
}
