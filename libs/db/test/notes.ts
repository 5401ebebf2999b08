import { join } from 'node:path';
import { freshDatabase, type FreshDatabase } from '@tandem/testing';
import type { Generated } from 'kysely';
import { Database, newId, type DatabaseOptions, type Tx } from '../src/index';

export interface NotesTables {
  notes: { id: string; organization_id: string; body: string; created_at: Generated<string> };
  members: { id: string; organization_id: string; email: string };
  people: { id: string; email: string };
}

export const organization = () => ({ organization_id: newId() });

export const freshNotes = (): Promise<FreshDatabase> => freshDatabase('tickets', { migrations: join(__dirname, 'migrations') });

/** A database of notes, and the errors that its `onError` received. */
export async function notesDatabase(options: Partial<DatabaseOptions> = {}) {
  const fresh = await freshNotes();
  const reported: string[] = [];
  const db = new Database<NotesTables>({
    url: fresh.url,
    onError: (what, error) => reported.push(`${what}: ${String(error)}`),
    ...options,
  });
  return { ...fresh, db, reported };
}

export const addNote = async (tx: Tx<NotesTables>, organization_id: string, body = 'a note'): Promise<string> => {
  const id = newId();
  await tx.insertInto('notes').values({ id, organization_id, body }).execute();
  return id;
};
export const bodies = async (tx: Tx<NotesTables>): Promise<string[]> =>
  (await tx.selectFrom('notes').select('body').orderBy('id').execute()).map((note) => note.body);
