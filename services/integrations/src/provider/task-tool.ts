import type { TaskTool as TaskToolDescription } from '@tandem/contracts';

/** A webhook as it arrived: names of headers in lower case, the body as the bytes that were signed. */
export interface RawWebhook {
  headers: Record<string, string>;
  body: Buffer;
}

/** What a webhook says, in the words of no particular tool. It names what may have changed; the truth is read from the tool. */
export interface InboundChange {
  /** The tool's own name of the event, for the log. */
  event: string;
  /** Opaque; null where the event is about something larger than a task. */
  task_id: string | null;
}

/**
 * A task tool, as Tandem sees every one of them. Each provider is one folder beside this file and one line in
 * `registry.ts`, and passes the suite in `task-tool.contract.ts`.
 */
export interface TaskTool extends TaskToolDescription {
  /** Whether the bytes were signed with the connection's secret. Constant time; a missing signature is simply false. */
  verifyWebhook(webhook: RawWebhook, secret: string): boolean;
  /** What a verified webhook says; throws `Permanent` for a body that will never make sense. */
  readWebhook(body: Buffer): InboundChange[];
}
