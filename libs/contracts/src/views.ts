import * as z from 'zod';
import { operation } from './define';
import { Id, requiredText, Timestamp } from './scalars';
import { ViewFilter } from './tickets';
import { listColumns, listDensities, listGroups } from './values/tickets';

const owner = 'tickets';

export const View = z.object({
  id: Id,
  name: z.string(),
  filter: ViewFilter,
  is_shared: z.boolean(),
  owner_id: Id,
  created_at: Timestamp,
});
export type View = z.infer<typeof View>;

const name = requiredText(60, 'Give the view a name');
export const CreateView = z.strictObject({ name, filter: ViewFilter, is_shared: z.boolean().default(false) });
export type CreateView = z.infer<typeof CreateView>;
export const UpdateView = z.strictObject({ name, filter: ViewFilter, is_shared: z.boolean() }).partial();
export type UpdateView = z.infer<typeof UpdateView>;
const byId = { params: z.object({ id: Id }) };

/** Counting stops here: a larger number is shown as '1,000+'. */
export const viewCountCap = 1_000;
/** How many tickets there are; `is_capped`: at least as many. */
export const CappedCount = z.object({ count: z.number().int(), is_capped: z.boolean() });

/** A column of the ticket list, after number and subject. */
export const TicketListColumn = z.enum(listColumns);

/** How the ticket list looks for one user, on all devices. */
export const ListPreferences = z.strictObject({
  density: z.enum(listDensities),
  /** Null: not grouped. */
  group_by: z.enum(listGroups).nullable(),
  /** The columns of a row in order, after number and subject. Null: the default ones. */
  columns: z
    .array(TicketListColumn)
    .refine((columns) => new Set(columns).size === columns.length, 'Send each column once')
    .nullable(),
});
export type ListPreferences = z.infer<typeof ListPreferences>;
/** Omitted preferences stay unchanged. */
export const SaveListPreferences = ListPreferences.partial().refine((chosen) => Object.keys(chosen).length > 0, 'Nothing to change');
export type SaveListPreferences = z.infer<typeof SaveListPreferences>;

export const saveListPreferences = operation({
  name: 'tickets.saveListPreferences',
  summary: 'Save how the ticket list looks for you. `GET /views/counts` returns it.',
  owner,
  method: 'PUT',
  path: '/list-preferences',
  allow: 'ticket.read',
  input: { body: SaveListPreferences },
  output: ListPreferences,
});

export const listViews = operation({
  name: 'tickets.listViews',
  summary: 'List your own views and shared ones, by name.',
  owner,
  method: 'GET',
  path: '/views',
  allow: 'ticket.read',
  token: 'tickets:read',
  output: z.array(View),
});
export const countViews = operation({
  name: 'tickets.countViews',
  summary: 'Count the tickets of each view, up to 1,000.',
  owner,
  method: 'GET',
  path: '/views/counts',
  allow: 'ticket.read',
  /**
   * The built-in views (open, mine and unassigned count unfinished tickets that are not snoozed; finished_task those whose customer has not been informed), and
   * the saved ones by id; none of the saved ones if counting them takes too long.
   */
  output: z.object({
    all: CappedCount,
    open: CappedCount,
    mine: CappedCount,
    unassigned: CappedCount,
    snoozed: CappedCount,
    finished_task: CappedCount,
    views: z.record(Id, CappedCount),
    /** The saved views as in `GET /views`, so that a page that shows the counts needs no second call. */
    saved: z.array(View),
    /** How the user's lists look; null if they have not chosen, and for API tokens. */
    density: ListPreferences.shape.density.nullable(),
    group_by: ListPreferences.shape.group_by,
    columns: ListPreferences.shape.columns,
  }),
});
export const createView = operation({
  name: 'tickets.createView',
  summary: 'Create a view, private or shared.',
  owner,
  method: 'POST',
  path: '/views',
  allow: 'ticket.write',
  status: 201,
  idempotent: true,
  input: { body: CreateView },
  output: View,
  problems: ['view.too_many'],
});
export const updateView = operation({
  name: 'tickets.updateView',
  summary: 'Change your own view; managers and admins can also change shared ones.',
  owner,
  method: 'PATCH',
  path: '/views/:id',
  allow: 'ticket.write',
  input: { ...byId, body: UpdateView },
  output: View,
  problems: ['view.not_found', 'permission.denied'],
});
export const deleteView = operation({
  name: 'tickets.deleteView',
  summary: 'Remove a view. Requires the same permission as changing it.',
  owner,
  method: 'DELETE',
  path: '/views/:id',
  allow: 'ticket.write',
  input: byId,
  output: z.object({}),
  problems: ['view.not_found', 'permission.denied'],
});
