import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { RunningService } from '@tandem/platform';
import { anIpAddress, type TestApp } from './test-app';

export interface ToolAnswer {
  isError: boolean;
  text: string;
  data: Record<string, unknown>;
}

/** The revisions that assistants use: the current one, and the one before it, which begins with a handshake. */
export const protocols = {
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  '2025-06-18': { supportedProtocolVersions: ['2025-06-18'] },
} as const;
export type Protocol = keyof typeof protocols;

/** The SDK's own client, connected with an API token as an assistant is. */
export class Assistant {
  private constructor(readonly client: Client) {}

  static async connect(
    app: TestApp,
    value: string,
    protocol: Protocol = '2026-07-28',
    gateway: RunningService = app.gateway,
  ): Promise<Assistant> {
    const options = protocols[protocol];
    const client = new Client(
      { name: 'test', version: '1' },
      'supportedProtocolVersions' in options ? { supportedProtocolVersions: [...options.supportedProtocolVersions] } : options,
    );
    const headers = {
      authorization: `Bearer ${value}`,
      'x-forwarded-for': anIpAddress(),
      'x-forwarded-host': new URL(app.env['PUBLIC_URL']!).host,
    };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { requestInit: { headers } }));
    return new Assistant(client);
  }

  async tools(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const result = await this.client.callTool({ name, arguments: input });
    const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    return { isError: result.isError === true, text, data: (result.structuredContent ?? {}) as Record<string, unknown> };
  }
}
