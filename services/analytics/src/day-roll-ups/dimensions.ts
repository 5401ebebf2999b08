import type { Dimension, TicketFactRow } from '../schema';

/** The filters of a request, and the fields of a ticket that they apply to. */
export type DimensionFields = Pick<TicketFactRow, 'priority' | 'channel' | 'category' | 'assigned_to' | 'tags'>;
export interface Slice {
  dimension: Dimension;
  key: string;
}
export const unassigned = 'unassigned';

/** Calls `visit` with every slice to which a ticket belongs. Not a list of them: counting a day would take half as much CPU time again. */
export function eachSlice(
  { priority, channel, category, assigned_to, tags }: DimensionFields,
  visit: (dimension: Dimension, key: string) => void,
): void {
  visit('all', '');
  visit('priority', priority);
  if (channel !== null) visit('channel', channel);
  if (category !== null) visit('category', category);
  visit('assignee', assigned_to ?? unassigned);
  for (const tag of new Set(tags)) visit('tag', tag);
}
