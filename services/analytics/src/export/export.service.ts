import { Controller } from '@nestjs/common';
import { AppError, Id, listExportedTickets, Timestamp, type InputOf, type OutputOf, type TenantContext } from '@tandem/contracts';
import { Database, decodeCursor, encodeCursor } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import * as z from 'zod';
import { periodOf, type Period } from '../figures/period';
import { findTimeZone } from '../organization/organization.store';
import type { AnalyticsSchema } from '../schema';
import { findExportedTickets, type ExportPosition } from './export.store';

const pageSize = 1_000;

/** It contains the days, so that an export that runs past midnight still ends with the same day. */
const Cursor = z.tuple([z.iso.date(), z.iso.date(), z.iso.date(), Timestamp, Id]);

@Controller()
export class ExportService {
  constructor(private readonly db: Database<AnalyticsSchema>) {}

  @Handles(listExportedTickets)
  list(ctx: TenantContext, { query }: InputOf<typeof listExportedTickets>): Promise<OutputOf<typeof listExportedTickets>> {
    const { cursor, ...filter } = query;
    return this.db.forTenant(ctx, async (tx) => {
      const place = cursor === undefined ? undefined : positionOf(cursor);
      const { from, to } = place ?? periodOf(query, await findTimeZone(tx), new Date().toISOString());
      const rows = await findExportedTickets(tx, filter, { from, to, after: place?.after, limit: pageSize + 1 });
      const page = rows.slice(0, pageSize);
      const last = rows.length > pageSize ? page.at(-1) : undefined;
      const next_cursor = last ? encodeCursor([from, to, last.created_day, last.created_at, last.ticket_id]) : null;
      return { items: page.map(({ created_day: _, ...ticket }) => ticket), next_cursor };
    });
  }
}

function positionOf(cursor: string): Period & { after: ExportPosition } {
  const values = Cursor.safeParse(decodeCursor(cursor, 5));
  if (!values.success) {
    const message = 'This cursor belongs to another list';
    throw new AppError('request.invalid', { fields: [{ path: 'cursor', code: 'invalid', message }], cause: values.error });
  }
  const [from, to, created_day, created_at, ticket_id] = values.data;
  return { from, to, after: { created_day, created_at, ticket_id } };
}
