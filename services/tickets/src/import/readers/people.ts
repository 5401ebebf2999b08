import type { CommentRecord } from '@tandem/contracts';
import { ImportFailed, type SourceItem, type SourcePlace } from '../import-reader';
import { record, splitName, type OncePerImport } from './source-items';

export interface SourcePerson {
  name: string | null;
  email: string | null;
  /** Works on tickets. */
  isStaff: boolean;
  language?: string | null;
}

/** About 200 MB. Exports of larger accounts are split by date. */
const maxPeople = 1_000_000;
const separator = '\u0001';

/** People of the source by their IDs, one string each, because accounts can have hundreds of thousands of contacts. */
export class People {
  private readonly byId = new Map<string, string>();

  add(id: string, { name, email, isStaff, language }: SourcePerson): void {
    const known = this.find(id);
    const merged = [name ?? known?.name, email ?? known?.email, isStaff || known?.isStaff ? '1' : '', language ?? known?.language];
    if (!known && this.byId.size >= maxPeople) throw new ImportFailed('source.too_many_records');
    this.byId.set(id, merged.map((each) => each ?? '').join(separator));
  }

  find(id: string | null): SourcePerson | undefined {
    const text = id === null ? undefined : this.byId.get(id);
    if (text === undefined) return undefined;
    const [name, email, staff, language] = text.split(separator);
    return { name: name || null, email: email || null, isStaff: staff === '1', language: language || null };
  }
}

/** Yields a teammate when a record refers to them for the first time; returns the key. */
export function* teammateKey(
  id: string,
  person: SourcePerson | undefined,
  once: OncePerImport,
  at: SourcePlace,
): Generator<SourceItem, string> {
  yield* once.item(`teammate ${id}`, () =>
    record('teammate', { key: id, email: person?.email ?? null, ...splitName(person?.name ?? null) }, at),
  );
  return id;
}

/** The author of a comment. A person who is not part of the export is `other`: on which side they are is not known. */
export function* authorOf(
  { id, requester, person }: { id: string | null; requester: string | null; person: SourcePerson | undefined },
  once: OncePerImport,
  at: SourcePlace,
): Generator<SourceItem, CommentRecord['author']> {
  if (id !== null && person?.isStaff && id !== requester) return { kind: 'teammate', key: yield* teammateKey(id, person, once, at) };
  if (id !== null && id === requester) return { kind: 'customer', email: person?.email ?? null };
  return person && !person.isStaff && person.email !== null
    ? { kind: 'customer', email: person.email }
    : { kind: 'other', name: person?.name ?? person?.email ?? null };
}
