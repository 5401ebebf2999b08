import {
  Id,
  listTicketWebhookDeliveries,
  listWebhookDeliveries,
  listWebhookEndpoints,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@tandem/contracts';
import * as z from 'zod';
import { findTicket, more, ticketReference } from './texts';
import { maxItems, page, tool, type Tool, type ToolResult } from './tool';
import type { Untrusted } from './untrusted';

const { state, event } = listWebhookDeliveries.input.query.shape;

const listDeliveries = tool({
  name: 'list_webhook_deliveries',
  title: 'List webhook deliveries',
  description:
    'Whether events reached the organization’s webhook endpoints, the latest first: of one endpoint, or of one ticket to all endpoints. Without either, lists the endpoints with their health of the last 24 hours.',
  permissions: ['webhooks:manage'],
  input: z
    .strictObject({
      endpoint: Id.describe('The id of an endpoint').optional(),
      ticket: ticketReference.optional(),
      state,
      event,
      ...page,
    })
    .refine(({ endpoint, ticket }) => endpoint === undefined || ticket === undefined, 'Send an endpoint or a ticket, not both'),
  effect: 'read',
  async run(context, { endpoint, ticket, ...query }) {
    const { call, untrusted } = context;
    if (endpoint !== undefined) {
      const { items, pagination } = await call(listWebhookDeliveries, { params: { id: endpoint }, query });
      return deliveries(items, pagination.next_cursor, untrusted);
    }
    if (ticket !== undefined) {
      const { id } = await findTicket(context, ticket);
      const { items, pagination } = await call(listTicketWebhookDeliveries, { params: { id }, query });
      return deliveries(items, pagination.next_cursor, untrusted);
    }
    const endpoints = (await call(listWebhookEndpoints, {})).slice(0, maxItems).map((each) => endpointRow(each, untrusted));
    const heading = endpoints.length === 0 ? 'There is no webhook endpoint' : 'Endpoints; send the id of one to list its deliveries';
    return { text: [heading, ...endpoints.map(endpointText)].join('\n'), data: { endpoints } };
  },
});

function endpointRow({ id, url, state: current, failing_since, last_success_at, health }: WebhookEndpoint, untrusted: Untrusted) {
  const { delivered, failed, pending, success_rate } = health;
  return { id, url: untrusted(url), state: current, failing_since, last_success_at, delivered, failed, pending, success_rate };
}
const endpointText = ({ id, url, state: current, delivered, failed, pending, failing_since }: ReturnType<typeof endpointRow>) =>
  [
    `${id}: ${url} is ${current}`,
    `${delivered} delivered, ${failed} failed, ${pending} pending`,
    ...(failing_since === null ? [] : [`every attempt has failed since ${failing_since}`]),
  ].join('; ');

function deliveries(items: WebhookDelivery[], next_cursor: string | null, untrusted: Untrusted): ToolResult {
  // The error can contain a part of the receiver's response.
  const rows = items.map((item) => ({ ...item, last_error: item.last_error === null ? null : untrusted(item.last_error) }));
  const lines = rows.map((row) =>
    [
      `${row.created_at} ${row.event}${row.ticket_number === null ? '' : ` of ${row.ticket_number}`}: ${row.state}`,
      `${row.attempts} ${row.attempts === 1 ? 'attempt' : 'attempts'}`,
      ...(row.last_status === null ? [] : [`the last response was ${row.last_status}`]),
      ...(row.last_error === null ? [] : [row.last_error]),
      ...(row.next_attempt_at === null ? [] : [`next attempt at ${row.next_attempt_at}`]),
    ].join('; '),
  );
  const heading = rows.length === 0 ? 'No delivery' : `${rows.length} ${rows.length === 1 ? 'delivery' : 'deliveries'}`;
  return { text: [heading, ...lines, ...more(next_cursor)].join('\n'), data: { deliveries: rows, next_cursor } };
}

export const webhookTools: readonly Tool[] = [listDeliveries];
