import { refreshSession, streamChanges, uploadFile, uploadImportFile, type Operation } from '@tandem/contracts';
import { commonParameters, headerParameter, shortened } from './components';
import { exampleOf } from './examples';
import { inputOf, operationIdOf, type DocumentSchemas, type Json } from './schemas';
import { shareRepeated } from './shared-parts';

/** Examples are recorded in the form that they have in a URL. */
const exampleIn = ({ type }: Json, value: string | undefined): Json =>
  value === undefined ? {} : { example: type === 'integer' || type === 'number' ? Number(value) : value };

function parametersOf(op: Operation, schemas: DocumentSchemas): Json[] {
  const example = exampleOf(operationIdOf(op))?.request;
  const partOf = (part: 'params' | 'query') => {
    const { [part]: input } = inputOf(op);
    if (input === undefined) return [];
    const { properties = {}, required = [] } = schemas.resolve(input, 'input') as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: part === 'params' ? 'path' : 'query',
      ...((part === 'params' || required.includes(name)) && { required: true }),
      ...(description !== undefined && { description }),
      schema,
      ...exampleIn(schema, example?.[part]?.[name]),
    }));
  };
  const headers = [
    ...(op.idempotent ? [commonParameters.IdempotencyKey!] : []),
    ...(op.problems.includes('challenge.required')
      ? [headerParameter('X-Tandem-Challenge', 'The answer to GET /public/challenge, base64 of JSON, after `challenge.required`')]
      : []),
    ...(op.name === streamChanges.name
      ? [headerParameter('Last-Event-ID', 'The `id` of the last event; it takes precedence over `after`')]
      : []),
    ...(op.etag && op.method === 'GET' ? [commonParameters.IfNoneMatch!] : []),
    ...(op.etag && op.method !== 'GET' ? [commonParameters.IfMatch!] : []),
  ];
  return [...partOf('params'), ...partOf('query'), ...headers].map(shortened);
}

/** The parameters that each operation accepts in its path, query and headers. */
export function operationParameters(operations: readonly Operation[], schemas: DocumentSchemas) {
  const nameOf = ({ name }: Json) =>
    `${String(name).replace(/(?:^|[^a-zA-Z]+)(\w)/g, (_, letter: string) => letter.toUpperCase())}Parameter`;
  const { components, use } = shareRepeated(
    'parameters',
    operations.flatMap((op) => parametersOf(op, schemas).map((part) => ({ name: nameOf(part), part }))),
  );
  return { components, of: (op: Operation): Json[] => parametersOf(op, schemas).map(use) };
}

export function bodyOf(op: Operation, schemas: DocumentSchemas): Json {
  if (op.allow === 'gateway') return { requestBody: { required: true, description: 'The signed bytes', content: { '*/*': {} } } };
  if (op.name === uploadFile.name || op.name === uploadImportFile.name)
    return { requestBody: { required: true, description: 'Exactly the announced bytes', content: { '*/*': {} } } };
  const { body } = inputOf(op);
  if (body === undefined) return {};
  const example = exampleOf(operationIdOf(op))?.request.body;
  const content = { schema: schemas.use(body, 'input'), ...(example !== undefined && { example }) };
  return { requestBody: { required: op.name !== refreshSession.name, content: { 'application/json': content } } };
}
