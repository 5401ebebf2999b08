import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@tandem/testing';
import { makeCall } from './call';
import type { RawWebhook, TaskTool, ToolAccess, ToolCall, ToolSettings } from './task-tool';

/** A task tool for testing a provider: a sandbox with a list, a second user who changes tasks directly, and faults on demand. */
export interface ToolWorld {
  settings: ToolSettings;
  access: ToolAccess;
  place: { workspace_id: string; space_id?: string; list_id: string };
  /** A user other than the owner of the token. */
  person: {
    createTask(title: string): string;
    setStatus(task_id: string, name: string): void;
    rename(task_id: string, title: string): void;
    comment(task_id: string, text: string): void;
    deleteTask(task_id: string): void;
    describe(task_id: string, markdown: string): void;
    /** Omitted if the tool cannot archive tasks. */
    archiveTask?(task_id: string): void;
  };
  /** Other names of a task of `place`: URLs, and ids that are only valid within the workspace or the list. */
  namesOf(task_id: string): string[];
  /** Archives the list of `place`. */
  archiveList(): void;
  /** A user who can be assigned to tasks. */
  member: { id: string; email: string | null };
  /** The description's source, with its formatting. */
  descriptionOf(task_id: string): string;
  countTasks(): number;
  countWebhooks(): number;
  suspendWebhooks(): void;
  /** The next request takes effect, but its response is lost. */
  loseAnswer(): void;
  /** The next request is rate-limited until then. */
  refuseUntil(reset: Date): void;
  /** The next request gets this status and body. */
  answer(status: number, body: unknown): void;
  away(): Promise<void>;
  back(): Promise<void>;
  /** Requests that violate the vendor's API description. */
  violations(): readonly unknown[];
  close(): Promise<void>;
}

export const callOf = (
  tool: TaskTool,
  { settings, access }: ToolWorld,
  other: { access?: ToolAccess; timeoutMs?: number } = {},
): ToolCall => makeCall({ tool, settings, access, timeoutMs: 5_000, ...other });

/** Receives the webhooks of a task tool as the gateway does: raw bytes and headers. */
export class Hooks {
  readonly received: RawWebhook[] = [];

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Hooks> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
        hooks.received.push({ headers, body: Buffer.concat(chunks) });
        response.writeHead(200).end();
      });
    });
    const hooks = new Hooks(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return hooks;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  /** Waits for the first webhook for which `what` returns a value. */
  async find<T>(what: (webhook: RawWebhook) => T | undefined): Promise<T> {
    return eventually(async () => {
      for (const webhook of this.received) {
        const found = what(webhook);
        if (found !== undefined) return found;
      }
      throw new Error(`None of ${this.received.length} webhooks matches`);
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export type Begin = () => Promise<{ tool: TaskTool; world: ToolWorld; call: ReturnType<typeof callOf> }>;
