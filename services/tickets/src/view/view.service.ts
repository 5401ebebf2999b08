import { Controller } from '@nestjs/common';
import {
  AppError,
  countViews,
  createView,
  deleteView,
  listViews,
  saveListPreferences,
  updateView,
  viewCountCap,
  type Context,
  type InputOf,
  type ListPreferences,
  type OutputOf,
  type View,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { Handles, storeResponse } from '@tandem/messaging';
import { checkFieldsOfCondition } from '../custom-field/ticket-values';
import { userIdOf, requireUser } from '../caller';
import type { TicketsSchema, TicketsTx } from '../schema';
import { canChange, canSee } from '../shared-items';
import { toSelection, type TicketSelection } from '../ticket/ticket-filters';
import {
  countInTime,
  countSelections,
  countViewsForUpdate,
  findListPreferences,
  findViewForUpdate,
  findViews,
  insertView,
  removeView,
  saveView,
  upsertListPreferences,
} from './view.store';

/** Maximum number of views per user. */
const maxViews = 100;
/** Maximum number of views that are counted, by name: an organization may share more than a list of views can show. */
const maxCounted = 200;
/** Time limit for counting saved views: the response omits those that are not counted by then, because every page of the list requests it. */
const savedMs = 2_000;

/** Saved views of the list. Each is owned by a user, who may share it with the organization. */
@Controller()
export class ViewService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  /** API tokens own no views and get only the shared ones. */
  @Handles(listViews)
  list(ctx: Context): Promise<View[]> {
    return this.db.forTenant(ctx, (tx) => findViews(tx, userIdOf(ctx)));
  }

  @Handles(countViews)
  count(ctx: Context): Promise<OutputOf<typeof countViews>> {
    return this.db.forTenant(ctx, async (tx) => {
      const all = await findViews(tx, userIdOf(ctx));
      const views = all.slice(0, maxCounted);
      const filters = views.map(({ id, filter }): Filters[number] => [id, filter]);
      const preferences = await findListPreferences(tx, userIdOf(ctx));
      const known = await countSelections(tx, selectionsOf(ctx, builtIn), viewCountCap + 1);
      const saved = await countInTime(tx, selectionsOf(ctx, filters), viewCountCap + 1, savedMs);
      const counted = (key: string, counts = known) => {
        const count = counts.get(key) ?? 0;
        return { count: Math.min(count, viewCountCap), is_capped: count > viewCountCap };
      };
      return {
        all: counted('all'),
        open: counted('open'),
        mine: counted('mine'),
        unassigned: counted('unassigned'),
        snoozed: counted('snoozed'),
        finished_task: counted('finished_task'),
        views: Object.fromEntries(views.filter(({ id }) => saved.has(id)).map(({ id }) => [id, counted(id, saved)])),
        saved: all,
        density: preferences?.density ?? null,
        group_by: preferences?.group_by ?? null,
        columns: preferences?.columns ?? null,
      };
    });
  }

  @Handles(saveListPreferences)
  savePreferences(ctx: TenantContext, { body }: InputOf<typeof saveListPreferences>): Promise<ListPreferences> {
    const { user_id } = requireUser(ctx);
    return this.db.forTenant(ctx, (tx) => upsertListPreferences(tx, { organization_id: ctx.organization_id, user_id }, body));
  }

  @Handles(createView)
  create(ctx: TenantContext, { body }: InputOf<typeof createView>): Promise<View> {
    const { user_id } = requireUser(ctx);
    return this.db.forTenant(ctx, async (tx) => {
      if ((await countViewsForUpdate(tx, user_id)) >= maxViews) throw new AppError('view.too_many');
      await checkFieldsOfCondition(tx, body.filter.condition, 'filter.condition');
      const view = { ...body, id: newId(), owner_id: user_id, created_at: new Date().toISOString() };
      return storeResponse(tx, await insertView(tx, ctx.organization_id, view));
    });
  }

  @Handles(updateView)
  update(ctx: Context, { params, body }: InputOf<typeof updateView>): Promise<View> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getViewToChange(tx, ctx, params.id);
      await checkFieldsOfCondition(tx, body.filter?.condition, 'filter.condition');
      return saveView(tx, { ...before, ...body });
    });
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
  // The statuses of the dashboard's count of open tickets, which includes snoozed ones.
  ['open', { status: ['open', 'in_progress'], snoozed: 'false' }],
  ['mine', { ...todo, assignee: 'me', snoozed: 'false' }],
  ['unassigned', { ...todo, assignee: 'unassigned', snoozed: 'false' }],
  ['snoozed', { snoozed: 'true' }],
  ['finished_task', { task: 'finished' }],
];

/** The selection of each filter. API tokens have none for filters by 'me'. */
function selectionsOf(ctx: Context, filters: Filters): Map<string, TicketSelection> {
  const isUser = userIdOf(ctx) !== null;
  return new Map(filters.filter(([, { assignee }]) => isUser || assignee !== 'me').map(([key, filter]) => [key, toSelection(ctx, filter)]));
}

/** Locks the view. Other users' private views are treated as not found; shared ones are visible but not always editable. */
async function getViewToChange(tx: TicketsTx, ctx: Context, id: string): Promise<View> {
  const person = requireUser(ctx);
  const view = await findViewForUpdate(tx, id);
  if (!view || !canSee(view, person)) throw new AppError('view.not_found');
  if (!canChange(view, person))
    throw new AppError('permission.denied', { detail: 'Only its owner, managers and admins may change this view.' });
  return view;
}
