import type { NodeSDK } from '@opentelemetry/sdk-node';

// Addresses hold tokens (`/invitations/{token}`, `/files/{token}`) and e-mail addresses (`?email=`); the route, which a span is named
// after, does not.
const addressAttributes = ['http.target', 'http.url', 'url.path', 'url.full', 'url.query'];
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const shortestToken = 20;
/** A file of the site (`index-DkT3xJ0q.woff2`). A signature after a dot is no ending. */
const fileName = /\.[a-z\d]{1,5}$/i;
const isToken = (part: string): boolean => part.length >= shortestToken && !fileName.test(part) && !uuid.test(part);

/** An address without query, user and segments that look like a token; ids stay. */
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

/** The exporter, behind a look at each span: no query and no token in an address goes to the collector. */
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
