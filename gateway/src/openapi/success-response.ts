import {
  downloadAuditLog,
  downloadExport,
  downloadFile,
  exportAnalytics,
  exportTicketsAsCsv,
  followTicket,
  readBrandingAsset,
  readMailPage,
  streamChanges,
  streamEvents,
  type Operation,
} from '@tandem/contracts';
import type * as z from 'zod';
import { headerRefs, ref } from './components';
import { exampleOf } from './examples';
import { operationIdOf, outputOf, type DocumentSchemas, type Json } from './schemas';
import { shareRepeated } from './shared-parts';

/** Responses without our envelope. `of` is the schema of their content. */
const otherAnswers = new Map<string, { description: string; type: string; of?: z.ZodType; headers?: Json }>([
  [
    streamEvents.name,
    { description: 'A stream of events; `data` of each is this object', type: 'text/event-stream', of: streamEvents.output },
  ],
  [
    streamChanges.name,
    {
      description: 'A stream of events; `data` of each is this object, `id` is its position',
      type: 'text/event-stream',
      of: streamChanges.output,
    },
  ],
  [
    downloadAuditLog.name,
    { description: 'A header line with the column names, then one line per entry', type: 'text/csv', of: downloadAuditLog.output },
  ],
  [
    exportAnalytics.name,
    { description: 'A header line with the column names, then one line per ticket', type: 'text/csv', of: exportAnalytics.output },
  ],
  [
    exportTicketsAsCsv.name,
    { description: 'A header line with the column names, then one line per ticket', type: 'text/csv', of: exportTicketsAsCsv.output },
  ],
  [
    followTicket.name,
    { description: 'A stream of events; `data` of each is this object', type: 'text/event-stream', of: followTicket.output },
  ],
  [readBrandingAsset.name, { description: 'The image', type: 'image/*' }],
  [readMailPage.name, { description: 'A page for a sandboxed frame', type: 'text/html', of: readMailPage.output }],
  [downloadExport.name, { description: 'The archive', type: 'application/zip', headers: headerRefs('Content-Disposition') }],
  [
    downloadFile.name,
    {
      description: 'The file: images that browsers may display with their own type, everything else as a download',
      type: '*/*',
      headers: headerRefs('Content-Disposition'),
    },
  ],
]);

/** From this many operations with the same response on, they share an example. */
const minShared = 3;

/**
 * The examples of responses that many operations have, such as a ticket: the document has one of them, the longest. `of` is what a response
 * shows: its own example, or a reference.
 */
function responseExamples(operations: readonly Operation[], schemas: DocumentSchemas) {
  const ownOf = (op: Operation) => exampleOf(operationIdOf(op))?.response;
  const named = operations.flatMap((op) => {
    const { $ref } = schemas.use(outputOf(op), 'output');
    const text = JSON.stringify(ownOf(op));
    return typeof $ref === 'string' && !op.paginated && text !== undefined ? [{ op, text, name: nameOf(op, schemas) }] : [];
  });
  const groups = [...Map.groupBy(named, ({ name }) => name)].filter(([, uses]) => uses.length >= minShared);
  const names = new Map(groups.flatMap(([name, uses]) => uses.map(({ op }) => [op, name] as const)));
  const longest = (uses: typeof named) => uses.reduce((most, use) => (use.text.length > most.text.length ? use : most));
  const of = (op: Operation): Json => {
    const [name, example] = [names.get(op), ownOf(op)];
    if (name !== undefined) return { examples: { [name]: ref('examples', name) } };
    return example === undefined ? {} : { example };
  };
  const components = Object.fromEntries(groups.map(([name, uses]) => [name, { value: ownOf(longest(uses).op) }]));
  return { components, of };
}

/** `shown` is its example. */
function successResponse(op: Operation, schemas: DocumentSchemas, shown: Json): Json {
  const other = otherAnswers.get(op.name);
  if (other) {
    return {
      description: other.description,
      ...(other.headers && { headers: other.headers }),
      content: { [other.type]: other.of ? { schema: schemas.use(other.of, 'output'), ...shown } : shown },
    };
  }
  const item = schemas.use(outputOf(op), 'output');
  const data = op.paginated ? { type: 'array', items: item } : item;
  const schema = { allOf: [ref('schemas', op.paginated ? 'PagedSuccess' : 'Success'), { properties: { data } }] };
  const names = [
    ...(op.etag ? ['ETag' as const] : []),
    ...(op.idempotent ? ['Idempotent-Replayed' as const] : []),
    ...(op.paginated ? ['Link' as const] : []),
  ];
  return {
    description: 'Success',
    ...(names.length > 0 && { headers: headerRefs(...names) }),
    content: { 'application/json': { schema, ...shown } },
  };
}

/** `TicketSuccess`, `TicketListSuccess`, `EmptySuccess`; data without a name has that of the operation. */
function nameOf(op: Operation, schemas: DocumentSchemas): string {
  const data = schemas.use(outputOf(op), 'output');
  const item = (data.items ?? data) as Json;
  const members = Object.keys(item.properties ?? {});
  const isNamed = typeof item.$ref === 'string';
  const name = isNamed ? (item.$ref as string).split('/').at(-1)! : operationIdOf(op);
  const isEmpty = item.type === 'object' && item.additionalProperties === undefined && members.length === 0;
  const plain = isEmpty ? 'Empty' : name.slice(0, 1).toUpperCase() + name.slice(1);
  return `${plain}${isNamed && (op.paginated || data.items !== undefined) ? 'List' : ''}Success`;
}

/** The successful response of each operation. */
export function successResponses(operations: readonly Operation[], schemas: DocumentSchemas) {
  const examples = responseExamples(operations, schemas);
  const render = (op: Operation) => successResponse(op, schemas, examples.of(op));
  const { components, use } = shareRepeated(
    'responses',
    operations.map((op) => ({ name: nameOf(op, schemas), part: render(op) })),
  );
  return { components, examples: examples.components, of: (op: Operation): Json => use(render(op)) };
}
