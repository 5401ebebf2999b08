import { createConfig, lintFromString } from '@redocly/openapi-core';
import { ArticleWebhookEvent, isArticleEvent, problems, Ticket, WebhookEvent, sentEventTypes, type ProblemCode } from '@tandem/contracts';
import { operationsOf } from './documented-operations';
import { problemsOf } from './failures';
import { openApiDocument } from './openapi';
import { operationIdOf, type Json } from './schemas';
import { webhookExample } from './webhooks';

const names = ['public', 'app'] as const;
const documents = names.map((name) => {
  const document = openApiDocument(name, { serverUrl: 'https://tandem.example', cookieName: 'tandem_access' });
  return { name, document, text: JSON.stringify(document) };
});
interface Named {
  operationId: string;
  summary: string;
  security?: Record<string, string[]>[];
}
const operations = ({ paths }: Record<string, unknown>) =>
  Object.values(paths as Record<string, Record<string, Named>>).flatMap((methods) => Object.values(methods));

describe.each(documents)('the $name document', ({ name, document, text }) => {
  it('has no findings by the recommended rules of a linter', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const findings = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
    expect(findings.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([]);
  });
  it('is small for the number of its operations', () => expect(Buffer.byteLength(text) / operations(document).length).toBeLessThan(3_650));
  it('has an id that is a name in programs, and a short summary, for each operation', () => {
    for (const { operationId, summary } of operations(document)) {
      expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(summary).toMatch(/^[A-Z].*[^.]$/);
    }
  });
  it('states the permission of a token for each operation that tokens may call', () => {
    for (const op of operationsOf(name)) {
      const { security = document['security'] as NonNullable<Named['security']> } = operations(document).find(
        ({ operationId }) => operationId === operationIdOf(op),
      )!;
      expect(security.flatMap(({ token }) => token ?? [])).toEqual(op.token === null ? [] : [op.token]);
    }
  });
  it('lists every code of an operation in one of its responses', () => {
    const paths = document['paths'] as Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>;
    const { responses: shared } = document['components'] as { responses: Record<string, unknown> };
    for (const op of operationsOf(name)) {
      const { responses } = paths[op.path.replace(/:(\w+)/g, '{$1}')]![op.method.toLowerCase()]!;
      const resolved = JSON.stringify(Object.values(responses).map((one) => (one.$ref ? shared[one.$ref.split('/').at(-1)!] : one)));
      expect(problemsOf(op).filter((code) => !resolved.includes(`"${code}"`))).toEqual([]);
    }
  });
});

it('refers to named schemas instead of repeating them', () => {
  const [{ text }] = documents as [(typeof documents)[number]];
  for (const name of ['Ticket', 'TicketSummary', 'Comment', 'Problem', 'PagedMeta', 'WebhookEvent', 'WebhookEndpoint'])
    expect(text).toContain(`{"$ref":"#/components/schemas/${name}"}`);
});

it('shows one example for all operations that return a ticket', () => {
  const [{ document, text }] = documents as [(typeof documents)[number]];
  const { examples } = document['components'] as { examples: Record<string, { value: { data: unknown } }> };
  expect(text.split('{"$ref":"#/components/examples/TicketSuccess"}').length - 1).toBeGreaterThan(1);
  expect(Ticket.parse(examples['TicketSuccess']!.value.data)).toMatchObject({ ticket_number: 'ACME-0001' });
});

it('shows a problem for each response that describes problems', () => {
  const [{ document }] = documents as [(typeof documents)[number]];
  const { responses, examples } = document['components'] as Record<'responses' | 'examples', Record<string, Json>>;
  const inPaths = operations(document).flatMap((op) => Object.values((op as unknown as { responses: Record<string, Json> }).responses));
  const contents = [...Object.values(responses), ...inPaths].flatMap(
    ({ content }) => (content as Json)?.['application/problem+json'] ?? [],
  );
  expect(contents.length).toBeGreaterThan(40);
  for (const { schema, examples: shown } of contents as {
    schema: { allOf: [Json, { properties: { code: { enum: string[] } } }] };
    examples: Json;
  }[]) {
    const [[code, { $ref }]] = Object.entries(shown) as [[string, { $ref: string }]];
    expect(schema.allOf[1].properties.code.enum).toContain(code);
    expect(examples[$ref.split('/').at(-1)!]!.value).toMatchObject({ success: false, code, status: problems[code as ProblemCode].status });
  }
});

describe('webhooks', () => {
  it.each(sentEventTypes)('%s: is documented with a body that has its shape', (event) => {
    const { webhooks } = documents[0]!.document as { webhooks: Record<string, { post: { requestBody: unknown } }> };
    const example = webhookExample(event);
    const [name, shape] = isArticleEvent(event) ? ['ArticleWebhookEvent', ArticleWebhookEvent] : ['WebhookEvent', WebhookEvent];
    expect(JSON.stringify(webhooks[event]!.post.requestBody)).toContain(`#/components/schemas/${name}"`);
    if (example !== undefined) expect(shape.parse(example)).toEqual(example);
  });
});
