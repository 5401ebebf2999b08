import { Inject, Injectable } from '@nestjs/common';
import { webhookRules } from '@tandem/contracts/values';
import { counter, KeptConnections, safeFetch, Secrets } from '@tandem/platform';
import type { NotificationsConfig } from '../config';
import { webhookEventId } from './webhook-body';
import type { Claimed, Outcome } from './webhook-delivery.store';
import type { EndpointRow } from './webhook-endpoint.store';
import { failureOf, failureOfStatus, type Failure } from './webhook-failure';
import { secretPurpose, signatureHeaders, signingKeysOf } from './webhook-signature';
import { addressRules } from './webhook-url';

/** `endpoint`: `failing` if its deliveries have failed since its last success, so that dead receivers do not hide our own failures. */
const attempts = counter('tandem_webhook_attempts_total', 'Attempts to deliver webhooks, by outcome, cause and state of the endpoint', [
  'outcome',
  'cause',
  'endpoint',
]);

const undecryptable: Failure = {
  outcome: 'own_failure',
  message: 'The secret can no longer be decrypted. Rotate the secret of this endpoint',
  isOurs: true,
};

export type Sent = Omit<Outcome, 'state' | 'delayMs'> & { failure: Failure | undefined };

/** Makes one attempt. Signs again each time: the timestamp and, after a rotation, the secrets differ; the body and the id do not. */
@Injectable()
export class WebhookSender {
  readonly #connections = new KeptConnections();

  constructor(
    private readonly secrets: Secrets,
    @Inject('CONFIG') private readonly config: NotificationsConfig,
  ) {}

  async send(endpoint: EndpointRow, delivery: Claimed & { body: string }): Promise<Sent> {
    const now = new Date();
    let request_headers: Record<string, string> = {};
    let remote_address: string | null = null;
    const begun = performance.now();
    const sent = (rest: Pick<Sent, 'status' | 'failure' | 'response_headers' | 'response_body'>): Sent => {
      const { outcome } = rest.failure ?? { outcome: 'delivered' };
      attempts.add(1, { outcome, cause: delivery.cause, endpoint: endpoint.failing_since === null ? 'working' : 'failing' });
      const durationMs = Math.round((performance.now() - begun) * 10) / 10;
      return { at: now.toISOString(), durationMs, error: rest.failure?.message ?? null, remote_address, request_headers, ...rest };
    };
    try {
      request_headers = this.headersOf(endpoint, delivery, now);
    } catch {
      // Its encryption key was removed. The reason is not logged: it could name the key.
      return sent({ status: null, failure: undecryptable, response_headers: null, response_body: null });
    }
    try {
      const answer = await safeFetch(endpoint.url, {
        ...addressRules(endpoint.url, this.config),
        method: 'POST',
        headers: request_headers,
        body: delivery.body,
        timeoutMs: webhookRules.timeoutMs,
        connectTimeoutMs: webhookRules.timeoutMs,
        maxBytes: webhookRules.responseBytes,
        partialBody: true,
        keep: { connections: this.#connections, owner: endpoint.id },
        onConnect: (address) => (remote_address = address),
      });
      return sent({
        status: answer.status,
        failure: failureOfStatus(answer.status),
        response_headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, storable(value)])),
        response_body: storable(answer.body.toString('utf8')),
      });
    } catch (error) {
      return sent({ status: null, failure: failureOf(error), response_headers: null, response_body: null });
    }
  }

  /** The endpoint's secret, encrypted with the current key; undefined if it already is. */
  resealed({ sealed_secret }: EndpointRow): string | undefined {
    if (!this.secrets.needsRotation(sealed_secret)) return undefined;
    return this.secrets.seal(secretPurpose, this.secrets.open(secretPurpose, sealed_secret));
  }

  private headersOf(
    endpoint: EndpointRow,
    { event_id, event, cause, body }: Claimed & { body: string },
    now: Date,
  ): Record<string, string> {
    const keysOf = (sealed: string) => signingKeysOf(sealed, (each) => this.secrets.open(secretPurpose, each));
    const { sealed_previous_secret: previous, previous_secret_until: until } = endpoint;
    const isRotating = previous !== null && until !== null && Date.parse(until) > now.getTime();
    return {
      'content-type': 'application/json',
      'user-agent': 'Tandem-Webhooks/1',
      ...signatureHeaders(
        { id: webhookEventId(event_id), body, keys: [keysOf(endpoint.sealed_secret), ...(isRotating ? [keysOf(previous)] : [])] },
        now,
      ),
      'x-tandem-event': event,
      'webhook-version': endpoint.version,
      ...(cause === 'replay' ? { 'webhook-replay': '1' } : {}),
    };
  }
}

/** PostgreSQL cannot store NUL. */
const storable = (text: string): string => text.replaceAll('\u0000', '');
