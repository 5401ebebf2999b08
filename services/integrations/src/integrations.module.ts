import { defineService } from '@tandem/messaging';
import { integrationsVariables } from './config';
import { ConnectionService } from './connection/connection.service';
import { ToolTalk } from './connection/tool-talk';
import { IntegrationService } from './integration/integration.service';
import { ListService } from './integration/list.service';
import { TaskToolService } from './provider/task-tools.service';
import { ToolCalls } from './sync/caller';
import { WebhookService } from './webhook/webhook.service';
import { WebhookWorker } from './webhook/webhook.worker';

/** Task tools: which there are, and what they send. */
export const integrationsService = defineService({
  name: 'integrations',
  variables: integrationsVariables,
  // Task tools send up to 5 MiB through the gateway, and base64 makes seven of them.
  bodyLimitBytes: 8 * 1024 * 1024,
  controllers: [ConnectionService, IntegrationService, ListService, TaskToolService, WebhookService],
  providers: () => [ToolTalk, ToolCalls, WebhookWorker],
});
