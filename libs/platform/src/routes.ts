import type { FastifyInstance, FastifyRequest } from 'fastify';

interface KnownRoute {
  pattern: RegExp;
  methods: Set<string>;
}
const routesOf = new WeakMap<object, Map<string, KnownRoute>>();

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** `/tickets/:id` as a regular expression. A catch-all route (`*`) matches every path, so it has none. */
function patternOf(path: string): RegExp | undefined {
  if (path.includes('*')) return undefined;
  return new RegExp(
    `^${path
      .split(/(:[^/]+)/)
      .map((part) => (part.startsWith(':') ? '[^/]+' : escaped(part)))
      .join('')}$`,
  );
}

/** Records every route, so that a request with a wrong method gets 405 rather than 404. Call it before routes are registered. */
export function rememberRoutes(fastify: FastifyInstance): void {
  const routes = new Map<string, KnownRoute>();
  routesOf.set(fastify.server, routes);
  fastify.addHook('onRoute', (route) => {
    const pattern = patternOf(route.url);
    if (!pattern) return;
    const known = routes.get(route.url) ?? { pattern, methods: new Set<string>() };
    for (const method of [route.method].flat()) known.methods.add(method);
    routes.set(route.url, known);
  });
}

/** The methods that exist for the path of a request; empty if the path is unknown. */
export function methodsElsewhere(request: FastifyRequest): string[] {
  const path = request.url.split('?')[0] as string;
  const found = new Set<string>();
  for (const { pattern, methods } of routesOf.get(request.server.server)?.values() ?? []) {
    if (pattern.test(path)) for (const method of methods) found.add(method);
  }
  return [...found].sort();
}
