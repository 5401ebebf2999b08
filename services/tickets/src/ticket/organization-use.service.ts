import { measureUseOfOrganizations, type InputOf, type OutputOf } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { Controller } from '@nestjs/common';
import { sql } from 'kysely';
import type { TicketsSchema, TicketsTx } from '../schema';

type Use = OutputOf<typeof measureUseOfOrganizations>[number];

/** The part of the operators page that tickets provides. */
@Controller()
export class OrganizationUseService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  /** One organization after the other, as its tenant: tickets of several organizations are never read at once. */
  @Handles(measureUseOfOrganizations)
  async measure(_ctx: unknown, { body }: InputOf<typeof measureUseOfOrganizations>): Promise<Use[]> {
    const found: Use[] = [];
    for (const id of body.ids) found.push({ id, ...(await this.db.readTenant({ organization_id: id }, (tx) => measure(tx, id))) });
    return found;
  }
}

async function measure(tx: TicketsTx, organization_id: string): Promise<Omit<Use, 'id'>> {
  const { rows } = await sql<Omit<Use, 'id'>>`
    select (select count(*)::integer from tickets
        where organization_id = ${organization_id}::uuid and created_at >= date_trunc('month', now(), 'UTC')) as tickets_this_month,
      (select coalesce(sum(size), 0)::float8 from attachments
        where organization_id = ${organization_id}::uuid and content_type is not null) as file_bytes`.execute(tx);
  return rows[0]!;
}
