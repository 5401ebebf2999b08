import type { Dimension, TicketFactRow } from '../schema';

/** The filters of a request, and the fields of a ticket that they apply to. */
export type DimensionFields = Pick<TicketFactRow, 'priority' | 'channel' | 'category' | 'assigned_to' | 'tags'>;
export interface Slice {
  dimension: Dimension;
  key: string;
}
export const unassigned = 'unassigned';

/** Every slice to which a ticket belongs. */
export function slicesOf({ priority, channel, category, assigned_to, tags }: DimensionFields): Slice[] {
  return [
    { dimension: 'all', key: '' },
    { dimension: 'priority', key: priority },
    ...(channel === null ? [] : [{ dimension: 'channel' as const, key: channel }]),
    ...(category === null ? [] : [{ dimension: 'category' as const, key: category }]),
    { dimension: 'assignee', key: assigned_to ?? unassigned },
    ...[...new Set(tags)].map((key) => ({ dimension: 'tag' as const, key })),
  ];
}
