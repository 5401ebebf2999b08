/** All services and the gateway in one process, for small installations: `npm start -- --one-process`. */
import { analyticsService } from '@tandem/analytics/src/analytics.module';
import { gateway } from '@tandem/gateway/src/gateway.module';
import { identityService } from '@tandem/identity/src/identity.module';
import { integrationsService } from '@tandem/integrations/src/integrations.module';
import { notificationsService } from '@tandem/notifications/src/notifications.module';
import { runServices, startService } from '@tandem/platform';
import { ticketsService } from '@tandem/tickets/src/tickets.module';

runServices('tandem', [
  () => startService(identityService),
  () => startService(ticketsService),
  () => startService(notificationsService),
  () => startService(integrationsService),
  () => startService(analyticsService),
  () => startService(gateway),
]);
