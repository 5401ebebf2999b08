import type { SyncField } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { cut } from '../provider/read';
import type { IntegrationsTx } from '../schema';

export interface SyncNote {
  level: 'info' | 'warning' | 'error';
  /** A sentence for people. Never a token, never somebody's text. */
  message: string;
  /** Left out for what is about the integration as a whole. */
  ticket?: { ticket_id: string; ticket_number: string | null };
  direction?: 'to_task' | 'to_ticket';
  field?: SyncField;
}

/** Writes a line into the sync log of an integration. */
export async function note(tx: IntegrationsTx, integration: { organization_id: string; id: string }, line: SyncNote): Promise<void> {
  await tx
    .insertInto('sync_log')
    .values({
      organization_id: integration.organization_id,
      id: newId(),
      integration_id: integration.id,
      ticket_id: line.ticket?.ticket_id ?? null,
      ticket_number: line.ticket?.ticket_number ?? null,
      level: line.level,
      direction: line.direction ?? null,
      field: line.field ?? null,
      message: cut(line.message, 1_000),
    })
    .execute();
}
