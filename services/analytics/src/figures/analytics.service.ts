import { Controller, Inject } from '@nestjs/common';
import {
  AppError,
  readAnalytics,
  readAnalyticsByField,
  readMyAnalytics,
  readTicketMetrics,
  type Analytics,
  type AnalyticsByField,
  type InputOf,
  type MyAnalytics,
  type TenantContext,
  type TicketMetrics,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import { findTicketMetrics } from '../export/export.store';
import { drift } from '../recount/drift';
import type { AnalyticsSchema } from '../schema';
import { readByField } from './by-field';
import { DayCache, type DamagedDays } from './day-cache';
import { figuresOf } from './figures';
import { findState } from './figures.store';
import { ResponseCache } from './response-cache';
import { periodOf, previousPeriod, withTimes } from './period';
import { readAnalyticsOf, readDays, versionOf } from './read-figures';

/** About 20 kB each. */
const maxCached = 300;
/** Characters of JSON: about 2,000 busy days, or several times as many quiet ones. */
const maxParsed = 8_000_000;
/** Bytes: about 700 busy days. */
const maxPacked = 24_000_000;

@Controller()
export class AnalyticsService {
  readonly #days = new DayCache(maxParsed, maxPacked, (damaged) => this.#onDamaged(damaged));
  readonly #responses = new ResponseCache<Analytics>(maxCached);
  readonly #responsesByField = new ResponseCache<AnalyticsByField>(maxCached);

  constructor(
    private readonly db: Database<AnalyticsSchema>,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  @Handles(readAnalytics)
  read(ctx: TenantContext, { query }: InputOf<typeof readAnalytics>): Promise<Analytics> {
    const now = new Date().toISOString();
    return this.db.forTenant(ctx, async (tx) => {
      const state = await findState(tx);
      const key = `${ctx.organization_id} ${JSON.stringify(query)}`;
      return this.#responses.get(key, versionOf(state, now), () =>
        readAnalyticsOf(tx, query, periodOf(query, state.time_zone, now), state, now, this.#days),
      );
    });
  }

  @Handles(readAnalyticsByField)
  readByField(ctx: TenantContext, { query }: InputOf<typeof readAnalyticsByField>): Promise<AnalyticsByField> {
    const now = new Date().toISOString();
    return this.db.forTenant(ctx, async (tx) => {
      const state = await findState(tx);
      const key = `${ctx.organization_id} ${JSON.stringify(query)}`;
      return this.#responsesByField.get(key, versionOf(state, now), () =>
        readByField(tx, query, periodOf(query, state.time_zone, now), state, now),
      );
    });
  }

  #onDamaged(damaged: DamagedDays): void {
    drift.add(damaged.days.length);
    this.log.error(damaged, 'Packed days of analytics are damaged; they are counted from the facts and packed again');
  }

  @Handles(readMyAnalytics)
  readMine({ organization_id, actor }: TenantContext, { query }: InputOf<typeof readMyAnalytics>): Promise<MyAnalytics> {
    if (actor.type !== 'user') throw new AppError('permission.denied', { detail: 'This is not available to API tokens.' });
    const now = new Date().toISOString();
    return this.db.forTenant({ organization_id }, async (tx) => {
      const state = await findState(tx);
      const { time_zone } = state;
      const period = periodOf(query, time_zone, now);
      const { days } = await readDays(tx, { assignee: actor.user_id }, period, state, this.#days);
      const before = previousPeriod(period);
      return {
        period: withTimes(period, time_zone),
        time_zone,
        figures: figuresOf(days, period),
        previous: { period: withTimes(before, time_zone), figures: figuresOf(days, before) },
        version: versionOf(state, now),
      };
    });
  }

  @Handles(readTicketMetrics)
  async readOfTicket(ctx: TenantContext, { params }: InputOf<typeof readTicketMetrics>): Promise<TicketMetrics> {
    const metrics = await this.db.forTenant(ctx, (tx) => findTicketMetrics(tx, params.id));
    if (!metrics) throw new AppError('ticket.not_found');
    return metrics;
  }
}
