import { countTicketsOfOrganizations, type InputOf, type OutputOf } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { Controller } from '@nestjs/common';
import { sql } from 'kysely';
import type { AnalyticsSchema, AnalyticsTx } from '../schema';

/** The part of the operators page that analytics provides. */
@Controller()
export class TicketCountService {
  constructor(private readonly db: Database<AnalyticsSchema>) {}

  @Handles(countTicketsOfOrganizations)
  count(_ctx: unknown, { body }: InputOf<typeof countTicketsOfOrganizations>): Promise<OutputOf<typeof countTicketsOfOrganizations>> {
    return this.db.asSystem('tickets of organizations, for an operator', (tx) => countAcrossOrganizations(tx, body.ids));
  }
}

const countAcrossOrganizations = (tx: AnalyticsTx, ids: string[]) =>
  tx
    .selectFrom('organizations')
    .select(['organization_id as id', 'total as tickets'])
    .where('organization_id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
