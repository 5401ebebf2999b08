import { notificationsExportPart, sendNotificationsExportPart } from '@tandem/contracts';
import { exportPart, exportSource, shortExportSource } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import {
  findEmailsTo,
  findMailServers,
  findPreferences,
  findSenderDomains,
  findWebhookEndpoints,
  type NotificationsTx,
} from './export-part.store';

/** Sends the settings of emails and webhooks of an organization to its exports, and the emails to a customer to those of the customer. */
export const NotificationsExportPart = exportPart<NotificationsSchema>({
  event: notificationsExportPart,
  job: sendNotificationsExportPart,
  sources: [
    shortExportSource('mail_servers.jsonl', (tx: NotificationsTx, { organization_id }) => findMailServers(tx, organization_id)),
    shortExportSource('sender_domains.jsonl', (tx: NotificationsTx, { organization_id }) => findSenderDomains(tx, organization_id)),
    shortExportSource('notification_preferences.jsonl', (tx: NotificationsTx, { organization_id }) => findPreferences(tx, organization_id)),
    shortExportSource('webhook_endpoints.jsonl', (tx: NotificationsTx, { organization_id }) => findWebhookEndpoints(tx, organization_id)),
  ],
  customerSources: [
    exportSource('sent_emails.jsonl', (tx: NotificationsTx, { organization_id }, after, email) =>
      findEmailsTo(tx, organization_id, email, after as [string, string] | null),
    ),
  ],
});
