import { ref } from './components';
import type { Json } from './schemas';

/** A part of an operation, and its name if several operations have it. */
export interface NamedPart {
  name: string;
  part: Json;
}

/** Turns each part that several operations share into a component of the document. The most frequent one has its name without a number. */
export function shareRepeated(
  kind: 'parameters' | 'responses',
  all: readonly NamedPart[],
): { components: Json; use: (part: Json) => Json } {
  const groups = [...Map.groupBy(all, ({ part }) => JSON.stringify(part))].map(([key, uses]) => ({ key, uses, ...uses[0]! }));
  const names = new Map<string, string>();
  const components: Json = {};
  const counts = new Map<string, number>();
  for (const { key, uses, name: plain, part } of groups.sort((a, b) => b.uses.length - a.uses.length)) {
    if (uses.length === 1 || '$ref' in part) continue;
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    const name = count === 1 ? plain : `${plain}${count}`;
    names.set(key, name);
    components[name] = part;
  }
  const use = (part: Json) => {
    const name = names.get(JSON.stringify(part));
    return name === undefined ? part : ref(kind, name);
  };
  return { components, use };
}
