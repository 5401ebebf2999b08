import { flattened } from '../src/openapi/inheritance';

type Json = Record<string, unknown>;
type Schema = Json | boolean;

interface Part {
  $ref?: string;
  content?: Record<string, { schema?: Schema }>;
  required?: boolean;
}
interface Parameter extends Part {
  name: string;
  in: string;
  schema: Schema;
}
interface Operation {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: Part;
  responses: Record<string, Part>;
  security?: Record<string, string[]>[];
}
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Operation }>;
  components: Record<string, Record<string, unknown>>;
}

/** The document without the texts that only people read. */
export function compacted(document: unknown): ApiDocument {
  const texts = new Set(['description', 'summary', 'example', 'examples', 'tags', 'title']);
  const visit = (value: unknown, isSchemaMap: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, false));
    if (typeof value !== 'object' || value === null) return value;
    // In a map of members, `description` is a member's name.
    const kept = Object.entries(value).filter(([name]) => isSchemaMap || !texts.has(name));
    return Object.fromEntries(kept.map(([name, part]) => [name, visit(part, !isSchemaMap && maps.has(name))]));
  };
  const { paths, webhooks, components } = visit(document, false) as ApiDocument;
  return { paths, ...(webhooks && { webhooks }), components };
}
const maps = new Set(['properties', 'schemas', 'parameters', 'responses', 'headers', 'content', 'paths', 'webhooks', 'securitySchemes']);

/**
 * Promises of `released` that `current` breaks for existing programs, each in one line. Additions are not breaches: new
 * operations, members of responses, optional inputs, and values that clients can receive.
 */
export function breachesOf(released: ApiDocument, current: ApiDocument): string[] {
  const compare = new Comparison(released, current);
  for (const [path, methods] of Object.entries(released.paths)) {
    for (const [method, before] of Object.entries(methods))
      compare.operation(`${method.toUpperCase()} ${path}`, before, current.paths[path]?.[method]);
  }
  for (const [event, { post }] of Object.entries(released.webhooks ?? {}))
    compare.webhook(`webhook ${event}`, post, current.webhooks?.[event]?.post);
  return compare.breaches;
}

const typesOf = ({ type }: Json): string[] | undefined => (type === undefined ? undefined : ([type].flat() as string[]));
const optionsOf = (schema: Json): Schema[] | undefined => (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
const valuesOf = (schema: Json): unknown[] | undefined =>
  schema.const !== undefined ? [schema.const] : (schema.enum as unknown[] | undefined);
/** Every integer is a number. */
const covers = (types: string[], type: string) => types.includes(type) || (type === 'integer' && types.includes('number'));

class Comparison {
  readonly breaches: string[] = [];
  /** Pairs that are being compared, for schemas that contain themselves. */
  private readonly open = new Set<string>();

  constructor(
    private readonly released: ApiDocument,
    private readonly current: ApiDocument,
  ) {}

  operation(at: string, before: Operation, after: Operation | undefined): void {
    if (after === undefined) return void this.breaches.push(`${at}: removed`);
    this.permission(at, before, after);
    this.parameters(at, before, after);
    this.body(at, before, after);
    for (const [status, response] of Object.entries(before.responses)) {
      if (!status.startsWith('2')) continue;
      const old = part(this.released, response);
      const now = after.responses[status] && part(this.current, after.responses[status]);
      for (const [media, { schema }] of Object.entries(old.content ?? {})) {
        const content = now?.content?.[media];
        if (content === undefined) this.breaches.push(`${at}: response ${status} ${media} removed`);
        else if (schema !== undefined) this.breaches.push(...this.output(schema, content.schema ?? true, `${at}: response`));
      }
      if (now === undefined && old.content === undefined) this.breaches.push(`${at}: response ${status} removed`);
    }
  }

  webhook(at: string, before: Operation, after: Operation | undefined): void {
    if (after === undefined) return void this.breaches.push(`${at}: removed`);
    const [old, now] = [schemaOf(before.requestBody), schemaOf(after.requestBody)];
    if (old !== undefined) this.breaches.push(...this.output(old, now ?? true, `${at}: body`));
  }

  private permission(at: string, before: Operation, after: Operation): void {
    const tokens = ({ security = [] }: Operation) => security.flatMap(({ token }) => (token ? [token.join()] : []));
    const now = tokens(after);
    for (const permission of tokens(before))
      if (!now.includes(permission)) this.breaches.push(`${at}: needs another permission than ${permission}`);
    const isOpen = (operation: Operation) => (operation.security ?? []).length === 0;
    if (isOpen(before) && !isOpen(after)) this.breaches.push(`${at}: needs a credential`);
  }

  private parameters(at: string, before: Operation, after: Operation): void {
    const keyed = (document: ApiDocument, { parameters = [] }: Operation) =>
      new Map(parameters.map((one) => part(document, one) as Parameter).map((one) => [`${one.in} parameter ${one.name}`, one]));
    const [old, now] = [keyed(this.released, before), keyed(this.current, after)];
    for (const [name, parameter] of old) {
      const found = now.get(name);
      if (found === undefined) this.breaches.push(`${at}: ${name} removed`);
      else this.breaches.push(...this.input(parameter.schema, found.schema, `${at}: ${name}`));
    }
    for (const [name, { required }] of now) if (required && !old.get(name)?.required) this.breaches.push(`${at}: ${name} is required`);
  }

  private body(at: string, { requestBody: before }: Operation, { requestBody: after }: Operation): void {
    const [old, now] = [schemaOf(before), schemaOf(after)];
    if (before === undefined && after?.required) this.breaches.push(`${at}: body is required`);
    if (before !== undefined && after === undefined) this.breaches.push(`${at}: body removed`);
    if (old !== undefined && now !== undefined) this.breaches.push(...this.input(old, now, `${at}: body`));
  }

  /** Requests of clients: `after` must accept all that `before` accepted. */
  private input(before: Schema, after: Schema, at: string): string[] {
    return this.schemas(
      before,
      after,
      at,
      (old, now) => {
        const breaches = this.types(old, now, at, (types, others) => types.filter((type) => !covers(others, type)));
        const [values, accepted] = [valuesOf(old), valuesOf(now)];
        if (accepted && !values) breaches.push(`${at}: accepts only some values`);
        for (const value of values ?? [])
          if (accepted && !accepted.includes(value)) breaches.push(`${at}: value ${JSON.stringify(value)} removed`);
        for (const limit of ['maxLength', 'maxItems', 'maximum'] as const)
          if (typeof now[limit] === 'number' && !(Number(old[limit] ?? Infinity) <= now[limit])) breaches.push(`${at}: smaller ${limit}`);
        for (const limit of ['minLength', 'minItems', 'minimum'] as const)
          if (typeof now[limit] === 'number' && !(Number(old[limit] ?? -Infinity) >= now[limit])) breaches.push(`${at}: greater ${limit}`);
        for (const rule of ['pattern', 'format'] as const)
          if (now[rule] !== undefined && now[rule] !== old[rule]) breaches.push(`${at}: other ${rule}`);
        const [members, others] = [membersOf(old), membersOf(now)];
        const required = (now.required ?? []) as string[];
        for (const name of required) if (!((old.required ?? []) as string[]).includes(name)) breaches.push(`${at}.${name}: is required`);
        for (const [name, member] of Object.entries(members)) {
          if (others[name] !== undefined) breaches.push(...this.input(member, others[name], `${at}.${name}`));
          else if (now.additionalProperties === false) breaches.push(`${at}.${name}: removed`);
        }
        return breaches;
      },
      'input',
    );
  }

  /** Responses to clients: `after` must keep what `before` promised. */
  private output(before: Schema, after: Schema, at: string): string[] {
    return this.schemas(
      before,
      after,
      at,
      (old, now) => {
        const breaches = this.types(now, old, at, (types, others) => types.filter((type) => !covers(others, type)));
        const [members, others] = [membersOf(old), membersOf(now)];
        const required = (now.required ?? []) as string[];
        for (const [name, member] of Object.entries(members)) {
          if (others[name] === undefined) breaches.push(`${at}.${name}: removed`);
          else breaches.push(...this.output(member, others[name], `${at}.${name}`));
        }
        for (const name of (old.required ?? []) as string[])
          if (others[name] !== undefined && !required.includes(name)) breaches.push(`${at}.${name}: can be missing`);
        return breaches;
      },
      'output',
    );
  }

  private types(old: Json, now: Json, at: string, missing: (types: string[], others: string[]) => string[]): string[] {
    const [types, others] = [typesOf(old), typesOf(now)];
    if (others === undefined || (types === undefined && valuesOf(old) !== undefined)) return [];
    if (types === undefined) return [`${at}: type ${others.join(' or ')}`];
    return missing(types, others).map((type) => `${at}: type ${type}`);
  }

  private schemas(
    before: Schema,
    after: Schema,
    at: string,
    compare: (old: Json, now: Json) => string[],
    way: 'input' | 'output',
  ): string[] {
    if (after === true || before === false) return way === 'input' || before === true ? [] : [`${at}: type unknown`];
    if (after === false) return [`${at}: accepts nothing`];
    if (before === true) return way === 'output' || Object.keys(after).length === 0 ? [] : [`${at}: accepts only some values`];
    const pair = JSON.stringify([way, before.$ref, after.$ref]);
    const isNamed = before.$ref !== undefined && after.$ref !== undefined;
    if (isNamed && this.open.has(pair)) return [];
    if (isNamed) this.open.add(pair);
    try {
      return this.resolved(resolve(this.released, before), resolve(this.current, after), at, compare, way);
    } finally {
      if (isNamed) this.open.delete(pair);
    }
  }

  private resolved(old: Json, now: Json, at: string, compare: (old: Json, now: Json) => string[], way: 'input' | 'output'): string[] {
    const [options, others] = [optionsOf(old), optionsOf(now)];
    const against = (one: Schema, another: Schema) => (way === 'input' ? this.input(one, another, at) : this.output(one, another, at));
    if (options || others) {
      const [olds, nows] = [options ?? [old], others ?? [now]];
      // Each option of the side that limits the other must have an equivalent option there.
      const [each, like] = way === 'input' ? [olds, nows] : [nows, olds];
      return each.flatMap((one) => {
        const tries = like.map((another) => (way === 'input' ? against(one, another) : against(another, one)));
        return tries.some(({ length }) => length === 0) ? [] : (tries.sort((a, b) => a.length - b.length)[0] ?? []);
      });
    }
    const items = old.items !== undefined && now.items !== undefined ? against(old.items as Schema, now.items as Schema) : [];
    return [...compare(old, now), ...items];
  }
}

const membersOf = ({ properties = {} }: Json) => properties as Record<string, Schema | undefined> & Record<string, Schema>;
const schemaOf = (body: Part | undefined): Schema | undefined => Object.values(body?.content ?? {})[0]?.schema;

function lookUp(document: ApiDocument, ref: string): unknown {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(ref) ?? [];
  return document.components[kind]?.[name];
}
const part = (document: ApiDocument, one: Part | { $ref: string }): Part =>
  one.$ref === undefined ? one : (lookUp(document, one.$ref) as Part);
const resolve = (document: ApiDocument, schema: Json): Json => flattened(schema, (ref) => lookUp(document, ref) as Json);
