import * as z from 'zod';

export const maxPageSize = 100;

/** Lists accept `page` for user interfaces and `cursor` (keyset) for API clients and deep pages; `limit` is 1 to 100, default 20. */
export const PageQuery = z.object({
  page: z.coerce.number().int().min(1).max(10_000).optional(),
  cursor: z.string().min(1).max(500).optional(),
  limit: z.coerce.number().int().min(1).max(maxPageSize).default(20),
});
export type PageQuery = z.infer<typeof PageQuery>;

/**
 * `total` is exact up to `totalCap`; above it `total` is the cap and `total_is_capped` is true. Operations with a lower cap document it
 * (a search of tickets: 1,000).
 */
export const totalCap = 10_000;

export const Pagination = z.object({
  page: z.number().int().nullable(),
  limit: z.number().int(),
  total: z.number().int(),
  total_is_capped: z.boolean().optional(),
  /** Null on the last page. */
  next_cursor: z.string().nullable(),
  /**
   * Only for orders that a poller follows (`sort=updated_oldest`): the end of this page, even of the last one, to continue from later. Null
   * while there is nothing yet.
   */
  resume_cursor: z.string().nullable().optional(),
});
export type Pagination = z.infer<typeof Pagination>;

/** The result of a `paginated` operation's handler. */
export interface Page<T> {
  items: T[];
  pagination: Pagination;
}
