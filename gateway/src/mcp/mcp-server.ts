import { AppError, type KnownApiToken } from '@tandem/contracts';
import type { Logger } from '@tandem/platform';
import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { articleTools } from './article-tools';
import { readTools } from './read-tools';
import type { Tool, ToolContext } from './tool';
import { instructions } from './untrusted';
import { webhookTools } from './webhook-tools';
import { writeTools } from './write-tools';

export const allTools: readonly Tool[] = [...readTools, ...articleTools, ...webhookTools, ...writeTools];

const allows = ({ permissions }: Pick<KnownApiToken, 'permissions'>, tool: Tool): boolean =>
  tool.permissions.every((permission) => permissions.includes(permission));

export interface McpSession {
  token: KnownApiToken;
  context: ToolContext;
  log: Logger;
  /** For the log of the token's requests. */
  onCall: (tool: string) => void;
  onProblem: (error: AppError) => void;
}

/** A server for one request: it has the tools that the token's permissions allow, so that no other tool can be called. */
export function mcpServer(session: McpSession): McpServer {
  const server = new McpServer({ name: 'tandem', title: 'Tandem', version: '1' }, { instructions });
  for (const tool of allTools.filter((each) => allows(session.token, each))) {
    const { name, title, description, input: inputSchema, effect, isIdempotent = effect === 'read', reachesOthers = false } = tool;
    const annotations = {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destructive',
      idempotentHint: isIdempotent,
      openWorldHint: reachesOthers,
    };
    server.registerTool(name, { title, description, inputSchema, annotations }, (input) => run(tool, input, session));
  }
  return server;
}

async function run(tool: Tool, input: unknown, { context, log, onCall, onProblem }: McpSession): Promise<CallToolResult> {
  onCall(tool.name);
  try {
    const { text, data } = await tool.run(context, input);
    return { content: [{ type: 'text', text }], structuredContent: data };
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error, tool: tool.name }, 'An MCP tool failed');
    const problem = error instanceof AppError ? error : new AppError('internal', { cause: error });
    onProblem(problem);
    return { content: [{ type: 'text', text: sentenceOf(problem) }], isError: true };
  }
}

/** The problem in one sentence, with its code, each of its fields, and when to try again. */
function sentenceOf({ message, code, fields = [], retryAfterSeconds }: AppError): string {
  const details = fields.map(({ path, message: reason }) => `${path}: ${reason}`);
  const retry = retryAfterSeconds === undefined ? [] : [`Try again in ${retryAfterSeconds} seconds.`];
  return [`${message.replace(/\.$/, '')} (${code}).`, ...details, ...retry].join('\n');
}
