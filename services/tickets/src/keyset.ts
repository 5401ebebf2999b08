import { AppError, Id, Timestamp } from '@tandem/contracts';
import { decodeCursor, encodeCursor } from '@tandem/db';

/** A position in a list ordered by (created_at, id). */
export interface Place {
  created_at: string;
  id: string;
}

/** Decodes a cursor. Rejects a malformed or forged one before it reaches SQL. */
export function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const [created_at, id] = decodeCursor(cursor, 2);
  const place = { created_at: Timestamp.safeParse(created_at), id: Id.safeParse(id) };
  if (place.created_at.success && place.id.success) return { created_at: place.created_at.data, id: place.id.data };
  throw new AppError('request.invalid', { fields: [{ path: 'cursor', code: 'invalid', message: 'Not a cursor of this list' }] });
}

/** Expects one row more than `limit`, which shows whether there is a next page: drops it and returns the cursor of the last item. */
export function cut<Row extends Place>(rows: Row[], limit: number): { items: Row[]; next_cursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: rows.length > limit && last ? encodeCursor([last.created_at, last.id]) : null };
}
