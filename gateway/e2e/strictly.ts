import { flattened } from '../src/openapi/inheritance';

type Json = Record<string, unknown>;

/**
 * A copy of the document in which responses allow only the members that it names, so that a test notices a missing one. The published
 * document allows more, because later versions add members.
 */
export function strictly<T extends { components: { schemas: Json } }>(document: T): T {
  const lookUp = (ref: string) => document.components.schemas[ref.split('/').at(-1)!] as Json;
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    // As one schema: each part of `allOf` would reject the members of the others.
    const whole = 'allOf' in value ? flattened(value, lookUp) : value;
    const copy = Object.fromEntries(Object.entries(whole).map(([name, part]) => [name, visit(part)]));
    const isObject = copy.type === 'object' || (Array.isArray(copy.type) && copy.type.includes('object'));
    const isOpen = isObject && typeof copy.properties === 'object' && copy.additionalProperties === undefined;
    return isOpen ? { ...copy, additionalProperties: false } : copy;
  };
  return visit(document) as T;
}
