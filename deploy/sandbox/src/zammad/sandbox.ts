import { randomBytes } from 'node:crypto';
import { paramsOf } from '../clickup/route';
import { HelpDeskSandbox, retryHeader } from '../help-desk';
import type { SandboxAnswer, SandboxRequest } from '../http';
import { type Permission, ZammadError, zammadRoutes } from './routes';
import { seedZammad } from './seed';
import type { User, World } from './world';

const allPermissions: Permission[] = ['ticket.agent', 'admin.object', 'admin.tag', 'admin.group', 'admin.user', 'knowledge_base.editor'];

/**
 * A Zammad sandbox for tests of imports. Written from `api/` of github.com/zammad/zammad-documentation, and `app/controllers` and
 * `app/policies` of github.com/zammad/zammad.
 */
export class ZammadSandbox extends HelpDeskSandbox {
  private readonly issued = new Map<string, { user: User; permissions: Permission[] }>();

  private constructor(readonly world: World) {
    super();
  }

  static async start(world: World = seedZammad()): Promise<ZammadSandbox> {
    const sandbox = new ZammadSandbox(world);
    await sandbox.listen();
    return sandbox;
  }

  /** An access token with some of the user's permissions. */
  issueToken(login = 'ada@acme.test', permissions: Permission[] = allPermissions): string {
    const user = this.world.users.find((each) => each.login === login);
    if (!user) throw new Error(`Unknown user ${login}`);
    const token = randomBytes(32).toString('base64url');
    this.issued.set(token, { user, permissions });
    return token;
  }

  protected tokens = (): string[] => [...this.issued.keys()];

  /** The knowledge base is read with a POST. */
  protected isRead = ({ method, url }: SandboxRequest): boolean =>
    method === 'GET' || method === 'HEAD' || (method === 'POST' && url.pathname === '/api/v1/knowledge_bases/init');

  protected tooManyRequests = (): SandboxAnswer => ({
    status: 429,
    body: '<html>Too Many Requests</html>',
    headers: retryHeader(this.throttle),
  });

  protected answer({ method, url, headers, body }: SandboxRequest): SandboxAnswer {
    try {
      const { user, permissions } = this.authenticate(headers.authorization);
      for (const [key, handler] of Object.entries(zammadRoutes)) {
        const [verb, template = ''] = key.split(' ');
        const params = verb === method ? paramsOf(template, url.pathname) : undefined;
        if (!params) continue;
        return handler({ world: this.world, user, permissions, params, query: url.searchParams, body: parsed(body) });
      }
      throw new ZammadError(404, `No route matches [${method}] ${url.pathname}`);
    } catch (error) {
      if (!(error instanceof ZammadError)) throw error;
      return { status: error.status, body: { error: error.message, error_human: error.message } };
    }
  }

  private authenticate(header = ''): { user: User; permissions: Permission[] } {
    const token = /^Token token="?([^",\s]+)"?/.exec(header)?.[1] ?? /^Bearer (\S+)$/.exec(header)?.[1];
    if (!token) throw new ZammadError(403, 'Authentication required');
    const found = this.issued.get(token);
    if (!found) throw new ZammadError(401, "Can't find User for Token");
    return found;
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
