import { placeRoutes } from './place-routes';
import { type Components, type Route, routesOf } from './route';
import { webhookShape } from './shapes';
import type { Webhook } from './state';
import { taskRoutes } from './task-routes';
import type { WebhookInput, Webhooks } from './webhooks';

/** All calls of ClickUp's version 2 that this sandbox supports, except the token exchange, which needs no token. */
export function clickUpRoutes(components: Components): Route[] {
  return [...placeRoutes(components), ...taskRoutes(components), ...webhookRoutes(components)];
}

function webhookRoutes({ world, webhooks }: Components): Route[] {
  const answer = (webhook: Webhook) => ({ id: webhook.id, webhook: webhookShape(webhook) });
  return routesOf({
    'POST /v2/team/{team_id}/webhook': ({ token, params, body }) =>
      answer(webhooks.create(token, world.teamFor(token, params.team_id ?? '').id, body as WebhookInput)),
    'GET /v2/team/{team_id}/webhook': ({ token, params }) => ({
      webhooks: webhooks.ofToken(token, world.teamFor(token, params.team_id ?? '').id).map(webhookShape),
    }),
    'PUT /v2/webhook/{webhook_id}': ({ token, params, body }) =>
      answer(webhooks.update(token, params.webhook_id ?? '', body as Parameters<Webhooks['update']>[2])),
    'DELETE /v2/webhook/{webhook_id}': ({ token, params }) => {
      webhooks.remove(token, params.webhook_id ?? '');
      return {};
    },
  });
}
