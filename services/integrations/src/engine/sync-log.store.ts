import type { SyncField } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { cut } from '../provider/read';
import type { IntegrationsTx } from '../schema';

export interface SyncLogLine {
  level: 'info' | 'warning' | 'error';
  /** Shown to people. Must not contain a token or any text written by a person. */
  message: string;
  /** Omitted for entries about the integration as a whole. */
  ticket?: { ticket_id: string; ticket_number: string | null };
  direction?: 'to_task' | 'to_ticket';
  field?: SyncField;
}

/** Adds an entry to the sync log of an integration. */
export async function logSync(tx: IntegrationsTx, integration: { organization_id: string; id: string }, line: SyncLogLine): Promise<void> {
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
