import { isDeepStrictEqual } from 'node:util';
import type { Json } from './schemas';

/** Schemas that have all members of another schema, and how to read them as one. */

type Schemas = Record<string, Json>;
const minSharedMembers = 5;

/** The largest other object whose members this one has all; a few common members are a coincidence. */
export function baseOf(name: string, schemas: Schemas): string | undefined {
  const members = (each: string) => Object.entries((schemas[each]!.properties ?? {}) as Schemas);
  const linesOf = (each: string) =>
    members(each).map(([member, schema]) =>
      JSON.stringify([member, schema, ((schemas[each]!.required ?? []) as string[]).includes(member)]),
    );
  const own = new Set(linesOf(name));
  return Object.keys(schemas)
    .filter(
      (each) => members(each).length >= minSharedMembers && members(each).length < own.size && linesOf(each).every((line) => own.has(line)),
    )
    .sort((a, b) => members(b).length - members(a).length)[0];
}

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The schema of input that differs from the output schema only in that unknown members are refused. */
function closed(name: string, schema: Json, schemas: Schemas): Json | undefined {
  const { additionalProperties, ...open } = schema;
  const received = name.replace(/Input$/, '');
  if (received === name || additionalProperties !== false || !isDeepStrictEqual(schemas[received], open)) return undefined;
  return { allOf: [refTo(received)], unevaluatedProperties: false };
}

/**
 * Replaces the members that a schema shares with its base by a reference. A base allows more members: otherwise it would reject the members
 * of the others.
 */
export function withBases(schemas: Schemas): Schemas {
  const open = Object.fromEntries(Object.entries(schemas).filter(([, { additionalProperties }]) => additionalProperties === undefined));
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const base = name in open ? baseOf(name, open) : undefined;
      if (base === undefined) return [name, closed(name, schema, schemas) ?? schema];
      const inherited = new Set(Object.keys(schemas[base]!.properties as Json));
      const { type, properties, required = [], ...rest } = schema;
      const own = {
        type,
        properties: Object.fromEntries(Object.entries(properties as Json).filter(([member]) => !inherited.has(member))),
        required: (required as string[]).filter((member) => !inherited.has(member)),
      };
      return [name, { ...rest, allOf: [refTo(base), own] }];
    }),
  );
}

/** The schema with the members of everything that it refers to or combines with `allOf`. A later part narrows a member of an earlier one. */
export function flattened(schema: Json, lookUp: (ref: string) => Json): Json {
  const { $ref, allOf, unevaluatedProperties, ...rest } = schema;
  const own: Json = unevaluatedProperties === undefined ? rest : { ...rest, additionalProperties: unevaluatedProperties };
  const parts = [...(typeof $ref === 'string' ? [lookUp($ref)] : []), ...((allOf ?? []) as Json[])].map((part) => flattened(part, lookUp));
  return [...parts, own].reduce(merged);
}

function merged(one: Json, another: Json): Json {
  const both = (member: 'properties' | 'required') => [one[member], another[member]].filter((part) => part !== undefined);
  const result = { ...one, ...another };
  if (both('properties').length > 0) result.properties = Object.assign({}, ...both('properties')) as Json;
  if (both('required').length > 0) result.required = [...new Set(both('required').flat())];
  return result;
}
