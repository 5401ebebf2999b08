import { Controller } from '@nestjs/common';
import {
  AppError,
  countViews,
  createView,
  deleteView,
  listViews,
  updateView,
  viewCountCap,
  type Context,
  type InputOf,
  type OutputOf,
  type View,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { personIdOf, personOf } from '../person';
import type { TicketsSchema, TicketsTx } from '../schema';
import { mayChange, maySee } from '../sharing';
import { selectionOf } from '../ticket/ticket-list.service';
import type { TicketSelection } from '../ticket/ticket-list.store';
import {
  countInTime,
  countSelections,
  countViewsForUpdate,
  findViewForUpdate,
  findViews,
  insertView,
  removeView,
  saveView,
} from './view.store';

/** How many a person may save. */
const maxViews = 100;
/** Which of the views are counted, by name: an organization may share more than a list of views can show. */
const maxCounted = 200;
/** What people save may be dear to count, and every page of the list asks for it: after so long it goes without, and keeps nobody waiting. */
const savedMs = 2_000;

/** Saved views of the list: each belongs to a person, who may share it with everybody. */
@Controller()
export class ViewService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  /** An API token has none of its own and sees the shared ones. */
  @Handles(listViews)
  list(ctx: Context): Promise<View[]> {
    return this.db.forTenant(ctx, (tx) => findViews(tx, personIdOf(ctx)));
  }

  @Handles(countViews)
  count(ctx: Context): Promise<OutputOf<typeof countViews>> {
    return this.db.forTenant(ctx, async (tx) => {
      const all = await findViews(tx, personIdOf(ctx));
      const views = all.slice(0, maxCounted);
      const filters = views.map(({ id, filter }): Filters[number] => [id, filter]);
      const known = await countSelections(tx, selectionsOf(ctx, builtIn), viewCountCap + 1);
      const saved = await countInTime(tx, selectionsOf(ctx, filters), viewCountCap + 1, savedMs);
      const counted = (key: string, counts = known) => {
        const count = counts.get(key) ?? 0;
        return { count: Math.min(count, viewCountCap), is_capped: count > viewCountCap };
      };
      return {
        ...{ all: counted('all'), open: counted('open'), mine: counted('mine'), unassigned: counted('unassigned') },
        finished_task: counted('finished_task'),
        views: saved ? Object.fromEntries(views.map(({ id }) => [id, counted(id, saved)])) : {},
        saved: all,
      };
    });
  }

  @Handles(createView)
  create(ctx: Context, { body }: InputOf<typeof createView>): Promise<View> {
    const { user_id } = personOf(ctx);
    return this.db.forTenant(ctx, async (tx) => {
      if ((await countViewsForUpdate(tx, user_id)) >= maxViews) throw new AppError('view.too_many');
      return insertView(tx, ctx.organization_id!, { ...body, id: newId(), owner_id: user_id, created_at: new Date().toISOString() });
    });
  }

  @Handles(updateView)
  update(ctx: Context, { params, body }: InputOf<typeof updateView>): Promise<View> {
    return this.db.forTenant(ctx, async (tx) => saveView(tx, { ...(await getViewToChange(tx, ctx, params.id)), ...body }));
  }

  @Handles(deleteView)
  delete(ctx: Context, { params }: InputOf<typeof deleteView>): Promise<Record<string, never>> {
    return this.db.forTenant(ctx, async (tx) => {
      await getViewToChange(tx, ctx, params.id);
      await removeView(tx, params.id);
      return {};
    });
  }
}

type Filters = [key: string, filter: View['filter']][];
const todo = { status: ['open' as const, 'in_progress' as const, 'waiting_for_customer' as const] };
const builtIn: Filters = [
  ['all', {}],
  // As the dashboard counts (spec part 1, section 4).
  ['open', { status: ['open', 'in_progress'] }],
  ['mine', { ...todo, assignee: 'me' }],
  ['unassigned', { ...todo, assignee: 'unassigned' }],
  ['finished_task', { task: 'finished' }],
];

/** What each count counts. Of 'mine', and of a view of 'me', an API token has nothing. */
function selectionsOf(ctx: Context, filters: Filters): Map<string, TicketSelection> {
  const isSomebody = personIdOf(ctx) !== null;
  return new Map(
    filters.filter(([, { assignee }]) => isSomebody || assignee !== 'me').map(([key, filter]) => [key, selectionOf(ctx, filter)]),
  );
}

/** Locked. What is not shared with somebody does not exist for them; what is, they may not all change. */
async function getViewToChange(tx: TicketsTx, ctx: Context, id: string): Promise<View> {
  const person = personOf(ctx);
  const view = await findViewForUpdate(tx, id);
  if (!view || !maySee(view, person)) throw new AppError('view.not_found');
  if (!mayChange(view, person))
    throw new AppError('permission.denied', { detail: 'Only its owner, managers and admins may change this view.' });
  return view;
}
