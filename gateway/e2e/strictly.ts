type Json = Record<string, unknown>;

/**
 * A copy of the document in which responses allow only the members that it names, so that a test notices a missing one. The published
 * document allows more, because later versions add members.
 */
export function strictly<T>(document: T): T {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, visit(part)]));
    const isObject = copy.type === 'object' || (Array.isArray(copy.type) && copy.type.includes('object'));
    const isOpen = isObject && typeof copy.properties === 'object' && copy.additionalProperties === undefined;
    return isOpen && !isProblem(copy) ? { ...copy, additionalProperties: false } : copy;
  };
  return visit(document) as T;
}

/** Combined with the codes of a response by `allOf`. */
const isProblem = (schema: Json) => 'request_id' in (schema.properties as Json) && 'errors' in (schema.properties as Json);
