import { listWaitingConnections, type OutputOf, type WaitingConnection } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { Controller } from '@nestjs/common';
import { sql } from 'kysely';
import type { IntegrationsSchema, IntegrationsTx } from '../schema';

/** The part of the operators page that integrations provides. */
@Controller()
export class WaitingConnections {
  constructor(private readonly db: Database<IntegrationsSchema>) {}

  @Handles(listWaitingConnections)
  list(): Promise<OutputOf<typeof listWaitingConnections>> {
    return this.db.asSystem('connections that wait, for an operator', listWaitingAcrossOrganizations);
  }
}

async function listWaitingAcrossOrganizations(tx: IntegrationsTx): Promise<WaitingConnection[]> {
  const { rows } = await sql<WaitingConnection>`
    select id, organization_id, provider,
      case when state = 'broken' then 'broken' else block_reason end as reason,
      case when state = 'broken' then broken_at end as since,
      case when state = 'broken' then probe_at else blocked_until end as retry_at
    from connections
    where state = 'broken' or (sealed_token is not null and blocked_until > now() and block_reason is not null)
    order by organization_id, provider limit 100`.execute(tx);
  return rows;
}
