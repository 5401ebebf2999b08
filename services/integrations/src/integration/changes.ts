import { cut } from '../provider/read';

type Changes = Record<string, { from: unknown; to: unknown }>;

/** A drafted reply may be long; the log only has to show what changed. */
const longestValue = 200;

/**
 * Differences for the audit log, one entry per changed member: `field_mappings.title.direction: both → to_task`. Lists count as one value.
 */
export function changesOf(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): Changes {
  return Object.fromEntries(differences(before, after, ''));
}

function differences(before: unknown, after: unknown, path: string): [string, { from: unknown; to: unknown }][] {
  if (isObject(before) || isObject(after)) {
    const [from, to] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
    return names.flatMap((name) => differences(from[name], to[name], path === '' ? name : `${path}.${name}`));
  }
  if (JSON.stringify(before ?? null) === JSON.stringify(after ?? null)) return [];
  return [[path, { from: shown(before), to: shown(after) }]];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function shown(value: unknown): unknown {
  if (typeof value === 'string' && value.length > longestValue) return `${cut(value, longestValue)}…`;
  return value ?? null;
}
