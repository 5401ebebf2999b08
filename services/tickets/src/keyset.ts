import { AppError, Id, Timestamp } from '@tandem/contracts';
import { decodeCursor, encodeCursor } from '@tandem/db';

/** A place in a list that is ordered by (created_at, id). */
export interface Place {
  created_at: string;
  id: string;
}

/** The place that a cursor names; a cursor that nobody was given is refused before it reaches SQL. */
export function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const [created_at, id] = decodeCursor(cursor, 2);
  const place = { created_at: Timestamp.safeParse(created_at), id: Id.safeParse(id) };
  if (place.created_at.success && place.id.success) return { created_at: place.created_at.data, id: place.id.data };
  throw new AppError('request.invalid', { fields: [{ path: 'cursor', code: 'invalid', message: 'Not a cursor of this list' }] });
}

/** One more row than the page was read, to know whether there is a next page: takes it off and names the place before it. */
export function cut<Row extends Place>(rows: Row[], limit: number): { items: Row[]; next_cursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: rows.length > limit && last ? encodeCursor([last.created_at, last.id]) : null };
}
