import { integrationsExportPart, sendIntegrationsExportPart } from '@tandem/contracts';
import { exportPart, exportSource, shortExportSource } from '@tandem/messaging';
import type { IntegrationsSchema, IntegrationsTx } from '../schema';
import { findConnections, findIntegrations, findLinks, findTaskCopies } from './export-part.store';

/** Sends the connections to task tools, the integrations and the linked tasks of an organization to its exports. */
export const IntegrationsExportPart = exportPart<IntegrationsSchema>({
  event: integrationsExportPart,
  job: sendIntegrationsExportPart,
  sources: [
    shortExportSource('connections.jsonl', (tx: IntegrationsTx, { organization_id }) => findConnections(tx, organization_id)),
    shortExportSource('integrations.jsonl', (tx: IntegrationsTx, { organization_id }) => findIntegrations(tx, organization_id)),
    exportSource('links.jsonl', (tx: IntegrationsTx, { organization_id }, after) =>
      findLinks(tx, organization_id, after as [string, string] | null),
    ),
  ],
  customerSources: [
    exportSource('task_copies.jsonl', (tx: IntegrationsTx, { organization_id }, after, email) =>
      findTaskCopies(tx, organization_id, email, after as string | null),
    ),
  ],
});
