import { defineService } from '@tandem/messaging';
import { BackfillService } from './backfill/backfill.service';
import { integrationsVariables } from './config';
import { ConnectionService } from './connection/connection.service';
import { ToolTalk } from './connection/tool-talk';
import { IntegrationService } from './integration/integration.service';
import { ListService } from './integration/list.service';
import { Adoption } from './link/adoption';
import { LinkService } from './link/link.service';
import { TaskToolService } from './provider/task-tools.service';
import { ProblemService } from './problem/problem.service';
import { PruneWorker } from './prune/prune.worker';
import { ToolCalls } from './sync/caller';
import { SyncPump } from './sync/pump';
import { SettledChanges } from './sync/settle.consumer';
import { TicketCopies } from './ticket-copy/ticket-copy.consumer';
import { Nudges } from './webhook/nudges';
import { WebhookService } from './webhook/webhook.service';
import { WebhookWorker } from './webhook/webhook.worker';

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
  ],
  providers: () => [ToolTalk, ToolCalls, Adoption, SyncPump, SettledChanges, Nudges, WebhookWorker, TicketCopies, PruneWorker],
});
