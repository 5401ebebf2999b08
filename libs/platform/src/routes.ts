import type { FastifyInstance, FastifyRequest } from 'fastify';

interface KnownRoute {
  pattern: RegExp;
  methods: Set<string>;
}
const routesOf = new WeakMap<object, Map<string, KnownRoute>>();

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** `/tickets/:id` as an expression. A route for everything (`*`) says nothing about an address, so it has none. */
function patternOf(path: string): RegExp | undefined {
  if (path.includes('*')) return undefined;
  return new RegExp(
    `^${path
      .split(/(:[^/]+)/)
      .map((part) => (part.startsWith(':') ? '[^/]+' : escaped(part)))
      .join('')}$`,
  );
}

/** Remembers every route, so that a request by the wrong method can be told from one to nowhere. Before any route is made. */
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

/** The methods that the address of a request answers, when there are any. */
export function methodsElsewhere(request: FastifyRequest): string[] {
  const path = request.url.split('?')[0] as string;
  const found = new Set<string>();
  for (const { pattern, methods } of routesOf.get(request.server.server)?.values() ?? []) {
    if (pattern.test(path)) for (const method of methods) found.add(method);
  }
  return [...found].sort();
}
