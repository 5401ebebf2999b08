import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The methods of each path, like `/tickets/:id`. */
type Methods = Map<string, Set<string>>;
const methodsOf = new WeakMap<object, Methods>();
/** Compiled at the first request without a route: a start would take longer, and most processes need none. */
const patternsOf = new WeakMap<Methods, [pattern: RegExp, methods: Set<string>][]>();

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
  const known: Methods = new Map();
  methodsOf.set(fastify.server, known);
  fastify.addHook('onRoute', ({ url, method }) => {
    // A catch-all route matches every path.
    if (url.includes('*')) return;
    const methods = known.get(url) ?? new Set<string>();
    for (const each of [method].flat()) methods.add(each);
    known.set(url, methods);
    patternsOf.delete(known);
  });
}

function patternsFor(known: Methods): [pattern: RegExp, methods: Set<string>][] {
  const patterns = patternsOf.get(known) ?? [...known].map(([path, methods]) => [patternOf(path), methods] as [RegExp, Set<string>]);
  patternsOf.set(known, patterns);
  return patterns;
}

/** The methods that exist for the path of a request; empty if the path is unknown. */
export function methodsElsewhere(request: FastifyRequest): string[] {
  const path = request.url.split('?')[0] as string;
  const found = new Set<string>();
  for (const [pattern, methods] of patternsFor(methodsOf.get(request.server.server) ?? new Map())) {
    if (pattern.test(path)) for (const method of methods) found.add(method);
  }
  return [...found].sort();
}
