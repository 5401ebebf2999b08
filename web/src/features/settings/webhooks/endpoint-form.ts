import type { WebhookEndpoint } from '@tandem/contracts';
import { webhookEventTypes, type WebhookEventType } from '@tandem/contracts/values';
import { conditionFrom, draftFrom, hasErrors, type ConditionDraft } from '../../../app/conditions/condition-form';
import type { BodyOf } from '../../../lib/call';
import type { createWebhookEndpoint } from '@tandem/contracts/endpoints';
import { t } from '../../../lib/staff-texts';

export interface EndpointDraft {
  url: string;
  description: string;
  /** All events, including those that are added to the product later. */
  allEvents: boolean;
  events: WebhookEventType[];
  payload: WebhookEndpoint['payload'];
  include_internal_notes: boolean;
  /** Null for a condition that only the API can change. */
  condition: ConditionDraft | null;
}
export type EndpointErrors = Partial<Record<'url' | 'description' | 'events' | 'condition', string>>;

export const endpointDraft = (endpoint: WebhookEndpoint | undefined): EndpointDraft => ({
  url: endpoint?.url ?? '',
  description: endpoint?.description ?? '',
  allEvents: !endpoint || endpoint.events.length === 0,
  events: endpoint?.events ?? [],
  payload: endpoint?.payload ?? 'full',
  include_internal_notes: endpoint?.include_internal_notes ?? false,
  condition: draftFrom(endpoint?.condition ?? null),
});

function urlError(typed: string): string | undefined {
  if (typed.trim() === '') return t('settings.webhooks.enter_url_that_receives_events');
  const url = URL.parse(typed.trim());
  if (!url || !['http:', 'https:'].includes(url.protocol)) return t('settings.webhooks.enter_full_url');
  return url.username || url.password ? t('settings.webhooks.url_contains_credentials') : undefined;
}

/** The rows show their errors themselves. */
export const hasRowErrors = ({ condition }: EndpointDraft): boolean => condition !== null && hasErrors(condition);

export function endpointErrors(draft: EndpointDraft): EndpointErrors {
  const wrong = urlError(draft.url);
  return {
    ...(wrong ? { url: wrong } : {}),
    ...(!draft.allEvents && draft.events.length === 0 ? { events: t('settings.webhooks.choose_at_least_one_event') } : {}),
    ...(hasRowErrors(draft) ? { condition: t('settings.webhooks.complete_conditions') } : {}),
  };
}

/** The input that the API expects, without a condition that the form does not show. */
export const endpointBody = (draft: EndpointDraft): BodyOf<typeof createWebhookEndpoint> => ({
  url: draft.url.trim(),
  description: draft.description.trim(),
  events: draft.allEvents ? [] : webhookEventTypes.filter((event) => draft.events.includes(event)),
  payload: draft.payload,
  include_internal_notes: draft.include_internal_notes,
  ...(draft.condition ? { condition: conditionFrom(draft.condition, 'webhook') } : {}),
});
