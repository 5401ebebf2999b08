import type { NodeSDK } from '@opentelemetry/sdk-node';

// URLs contain tokens (`/invitations/{token}`, `/files/{token}`) and email addresses (`?email=`); the route, which is the span's name,
// does not.
const addressAttributes = ['http.target', 'http.url', 'url.path', 'url.full', 'url.query'];
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const shortestToken = 20;
/** A static file (`index-DkT3xJ0q.woff2`). A dot followed by a signature does not match. */
const fileName = /\.[a-z\d]{1,5}$/i;
const isToken = (part: string): boolean => part.length >= shortestToken && !fileName.test(part) && !uuid.test(part);

/** A URL without query, credentials and segments that look like a token; ids are kept. */
export function plainAddress(address: string): string {
  const plain = address.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
  const host = /^\w+:\/\/[^/]*/.exec(plain)?.[0] ?? '';
  return (
    host +
    plain
      .slice(host.length)
      .split('/')
      .map((part) => (isToken(part) ? ':token' : part))
      .join('/')
  );
}

type SpanExporter = NonNullable<NonNullable<ConstructorParameters<typeof NodeSDK>[0]>['traceExporter']>;

function clean(attributes: Record<string, unknown>): void {
  for (const name of addressAttributes) {
    const value = attributes[name];
    if (name === 'url.query') delete attributes[name];
    else if (typeof value === 'string') attributes[name] = plainAddress(value);
  }
}

/** Wraps an exporter so that each span is cleaned first: no query and no token in a URL reaches the collector. */
export function withoutSecrets(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => {
      for (const span of spans) clean(span.attributes);
      exporter.export(spans, done);
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
