import { integrationsErasureAnswered } from '@tandem/contracts';
import { defineService, customerErasure } from '@tandem/messaging';
import { IntegrationsTicketDeletion } from './ticket-deletion/ticket-deletion';
import { IntegrationsExportPart } from './export-part/export-part';
import { BackfillService } from './backfill/backfill.service';
import { integrationsVariables } from './config';
import { CustomFieldDefinitions } from './custom-field/custom-field.consumer';
import { ConnectionService } from './connection/connection.service';
import { IntegrationsDeletion } from './connection/integrations-deletion';
import { InteractiveToolClient } from './tool/interactive-tool-client';
import { IntegrationService } from './integration/integration.service';
import { ListService } from './integration/list.service';
import { LinkExistingTask } from './link/link-existing-task';
import { LinkService } from './link/link.service';
import { TaskToolService } from './provider/task-tools.service';
import { ProblemService } from './problem/problem.service';
import { PruneWorker } from './prune/prune.worker';
import { ToolClients } from './tool/tool-client';
import { SyncMetrics } from './engine/sync.metrics';
import { SyncWorker } from './engine/sync.worker';
import { ChangeAcknowledgements } from './pull/change-ack.consumer';
import { TicketCopies } from './ticket-copy/ticket-copy.consumer';
import { WebhookDebounce } from './pull/webhook-debounce';
import { WebhookService } from './pull/webhook.service';
import { WebhookWorker } from './pull/webhook.worker';
import { WaitingConnections } from './operator/waiting-connections';

/** Task tools: connections, integrations, the sync, and webhooks. */
export const integrationsService = defineService({
  name: 'integrations',
  variables: integrationsVariables,
  // Task tools send up to 5 MiB through the gateway, which is about 7 MiB in base64.
  bodyLimitBytes: 8 * 1024 * 1024,
  controllers: [
    BackfillService,
    ConnectionService,
    IntegrationService,
    LinkService,
    ListService,
    ProblemService,
    TaskToolService,
    WebhookService,
    WaitingConnections,
  ],
  providers: () => [
    IntegrationsDeletion,
    IntegrationsTicketDeletion,
    customerErasure(integrationsErasureAnswered, { hasTickets: true }),
    IntegrationsExportPart,
    InteractiveToolClient,
    ToolClients,
    LinkExistingTask,
    SyncMetrics,
    SyncWorker,
    ChangeAcknowledgements,
    WebhookDebounce,
    WebhookWorker,
    TicketCopies,
    CustomFieldDefinitions,
    PruneWorker,
  ],
});
