import * as contracts from '@tandem/contracts';
import { clientSchemas, type Operation } from '@tandem/contracts';
import * as z from 'zod';
import descriptions from './descriptions.json';

export type Json = Record<string, unknown>;
type Io = 'input' | 'output';

/** The schemas of clients' requests and responses where the gateway changes them. */
const clientSchemasOf = new Map<string, { body?: z.ZodType; output?: z.ZodType }>(Object.entries(clientSchemas));
export const outputOf = (op: Operation): z.ZodType => clientSchemasOf.get(op.name)?.output ?? op.output;
/** The parts of the request that clients send. */
export function inputOf(op: Operation): { params?: z.ZodType; query?: z.ZodType; body?: z.ZodType } {
  const body = clientSchemasOf.get(op.name)?.body ?? op.input.body;
  return { ...op.input, ...(body && { body }) };
}

/** Shown in full wherever they occur: a reference would be longer and say less. */
const scalars = new Set(['Id', 'Timestamp', 'Tags', 'TimeZone', 'Subdomain', 'ExternalId', 'AttachmentIds', 'WebhookEventId']);
const refTo = (name: string) => `#/components/schemas/${name}`;
const refsIn = /"#\/components\/schemas\/(\w+)"/g;

/** The names of contracts by their value: components and operation ids use these names. */
const exportNames = new Map<unknown, string>();
for (const [name, value] of Object.entries(contracts)) if (!exportNames.has(value)) exportNames.set(value, name);
/** `listTickets`: the name of the operation in the contracts. */
export const operationIdOf = (op: Operation): string => exportNames.get(op)!;

const isNamed = (name: string, value: unknown): value is z.ZodType =>
  /^[A-Z]/.test(name) && !scalars.has(name) && value instanceof z.ZodType;

/** Removes constraints that the format states better, and those that are true of every number that JavaScript reads. */
function simplify(schema: Json, io: Io): void {
  if (schema.format !== undefined) delete schema.pattern;
  // Names of members are always strings.
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (io === 'input') return;
  // A response has every member, and later versions may add more.
  delete schema.default;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

/** The converted schemas of one direction, by name. Those that only one operation has are named after it: `ListTicketsQuery`. */
interface Converted {
  schemas: Record<string, Json>;
  idOf: (schema: z.ZodType) => string;
  /** Schemas without a name in the contracts. */
  parts: ReadonlySet<string>;
}

function convert(io: Io, operations: readonly Operation[]): Converted {
  const registry = z.registry<{ id: string }>();
  const origins = new Map<string, [definedBy: string, part: string]>();
  const add = (schema: z.ZodType, definedBy: string, part = '') => {
    if (registry.has(schema)) return;
    const id = capitalized(definedBy) + capitalized(part);
    registry.add(schema, { id });
    origins.set(id, [definedBy, part]);
  };
  for (const [name, value] of Object.entries(contracts)) if (isNamed(name, value)) add(value, name);
  for (const op of operations) {
    const parts = io === 'output' ? { output: outputOf(op) } : inputOf(op);
    for (const [part, schema] of Object.entries(parts)) add(schema, operationIdOf(op), part);
  }
  const { schemas }: { schemas: Record<string, Json> } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: refTo,
    override: ({ jsonSchema }) => simplify(jsonSchema as Json, io),
  });
  for (const name of recursive) schemas[name] = withSelfReference(name, schemas[name]!);
  return {
    schemas: Object.fromEntries(
      Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, described(schema, ...origins.get(id)!)]),
    ),
    idOf: (schema) => registry.get(schema)!.id,
    parts: new Set([...origins].filter(([, [, part]]) => part !== '').map(([id]) => id)),
  };
}

/** The contract lists the levels of a condition one by one. In documents, the members of a group are conditions again. */
const recursive = ['Condition', 'ViewCondition', 'RuleCondition'] as const satisfies (keyof typeof contracts)[];
function withSelfReference(id: string, { anyOf, ...condition }: Json): Json {
  const options = (anyOf as { properties?: Record<string, Json> }[]).map(({ properties, ...option }) => ({
    ...option,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, list]) => [name, { ...list, items: { $ref: refTo(id) } }])),
    }),
  }));
  return { ...condition, anyOf: options };
}

const texts = descriptions as Record<string, Record<string, string> | undefined>;

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Adds the comments of the contract that defines the schema, to the schema and to its members at any depth. */
function described(schema: Json, definedBy: string, part: string): Json {
  const known: Record<string, string | undefined> = texts[definedBy] ?? {};
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const copy = compact(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visit(inner)])));
    if (typeof copy.properties !== 'object' || copy.properties === null) return copy;
    const members = Object.entries(copy.properties as Record<string, Json>).map(
      ([name, member]) => [name, known[name] === undefined ? member : { ...member, description: known[name] }] as const,
    );
    return { ...copy, properties: Object.fromEntries(members) };
  };
  const own = known[part];
  return { ...(own !== undefined && { description: own }), ...(visit(schema) as Json) };
}

/** The same schema in the form that tools handle best: a nullable string has two types, and a record with fixed names has these members. */
function compact(schema: Json): Json {
  const { anyOf, propertyNames, required, additionalProperties, ...rest } = schema;
  if (Array.isArray(anyOf) && anyOf.length === 2 && isSame(anyOf[1], { type: 'null' })) {
    const { type, ...first } = anyOf[0] as Json;
    if (typeof type === 'string' && first.enum === undefined && first.const === undefined)
      return { ...rest, ...first, type: [type, 'null'] };
  }
  if (propertyNames !== undefined && Array.isArray(required))
    return { ...rest, required, properties: Object.fromEntries(required.map((name) => [name, additionalProperties])) };
  return schema;
}

const refsOf = (schema: unknown): string[] => [...JSON.stringify(schema ?? {}).matchAll(refsIn)].map(([, name]) => name!);

/** Everything reachable from these schemas. */
function reachable(from: string[], schemas: Record<string, Json>): Set<string> {
  const reached = new Set<string>();
  const next = [...from];
  for (let name = next.pop(); name !== undefined; name = next.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    next.push(...refsOf(schemas[name]));
  }
  return reached;
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export interface DocumentSchemas {
  /** The named schemas that the document uses. */
  components: Record<string, Json>;
  /** A schema in the form in which the document uses it: a reference if it has a name. */
  use: (schema: z.ZodType, io: Io) => Json;
  /** The schema itself, even if it has a name. */
  resolve: (schema: z.ZodType, io: Io) => Json;
}

/**
 * `more`: schemas of responses that the document uses outside the operations. Parameters of a query are listed one by one in an operation,
 * so the schema of a whole query is not a component.
 */
export function documentSchemas(operations: readonly Operation[], more: readonly z.ZodType[]): DocumentSchemas {
  const converted = { input: convert('input', operations), output: convert('output', operations) };
  const { input, output } = converted;
  const bodies = operations.flatMap((op) => inputOf(op).body ?? []);
  const lists = operations.flatMap((op) => [inputOf(op).query ?? [], inputOf(op).params ?? []].flat());
  const used = (io: Io, schemas: readonly z.ZodType[]) => {
    const { idOf, parts, schemas: all } = converted[io];
    return schemas.map(idOf).flatMap((id) => (parts.has(id) ? refsOf(all[id]) : [id]));
  };
  const sent = reachable(
    [...used('input', bodies), ...lists.flatMap((schema) => refsOf(input.schemas[input.idOf(schema)]))],
    input.schemas,
  );
  const received = reachable(used('output', [...operations.map(outputOf), ...more]), output.schemas);
  // A schema that clients both send and receive can differ: a default makes a member optional in requests only.
  const both = [...sent].filter((id) => received.has(id));
  const renamed = new Set(both.filter((id) => !isSame(input.schemas[id], output.schemas[id])));
  for (let count = -1; count !== renamed.size;) {
    count = renamed.size;
    for (const id of both) if (refsOf(input.schemas[id]).some((name) => renamed.has(name))) renamed.add(id);
  }
  const inputName = (name: string) => (renamed.has(name) ? `${name}Input` : name);
  const withInputNames = (schema: Json) =>
    JSON.parse(JSON.stringify(schema).replace(refsIn, (_, name: string) => JSON.stringify(refTo(inputName(name))))) as Json;
  const resolve = (schema: z.ZodType, io: Io) =>
    io === 'output' ? output.schemas[output.idOf(schema)]! : withInputNames(input.schemas[input.idOf(schema)]!);
  const components = [
    ...[...received].map((name) => [name, output.schemas[name]!] as const),
    ...[...sent]
      .filter((name) => renamed.has(name) || !received.has(name))
      .map((name) => [inputName(name), withInputNames(input.schemas[name]!)] as const),
  ];
  return {
    components: Object.fromEntries(components.sort(([a], [b]) => (a < b ? -1 : 1))),
    resolve,
    use: (schema, io) => {
      const id = converted[io].idOf(schema);
      if (!(io === 'output' ? received : sent).has(id)) return resolve(schema, io);
      return { $ref: refTo(io === 'output' ? id : inputName(id)) };
    },
  };
}
