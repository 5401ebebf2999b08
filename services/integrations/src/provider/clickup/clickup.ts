import { createHmac, timingSafeEqual } from 'node:crypto';
import { Permanent } from '@tandem/contracts';
import * as z from 'zod';
import type { TaskTool } from '../task-tool';

/** What we read of a ClickUp webhook. Ids are strings everywhere: list ids exceed 2^32. */
const Body = z.object({ event: z.string(), webhook_id: z.string(), task_id: z.string().optional() });

/** Parses JSON that somebody else wrote; undefined where it is none. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** ClickUp, API v2 (`developer.clickup.com`, "Webhooks" and "Webhook signature"). */
export const clickup: TaskTool = {
  key: 'clickup',
  name: 'ClickUp',
  capabilities: { statuses: 'named', priority: true, comments: true, custom_fields: true },

  /** `X-Signature` is the bare hex HMAC-SHA256 of the raw body, keyed with the secret's UTF-8 bytes. */
  verifyWebhook({ headers, body }, secret) {
    const given = Buffer.from(headers['x-signature'] ?? '', 'utf8');
    const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'), 'utf8');
    return given.length === expected.length && timingSafeEqual(given, expected);
  },

  /** Events of one change come twice and in any order, and an automation may send another format to the same address. */
  readWebhook(body) {
    const parsed = Body.safeParse(parseJson(body));
    if (!parsed.success) throw new Permanent('Not a webhook of the ClickUp API', { cause: parsed.error });
    return [{ event: parsed.data.event, task_id: parsed.data.task_id ?? null }];
  },
};
