import { randomBytes } from 'node:crypto';
import { paramsOf } from '../clickup/route';
import { HelpDeskSandbox, retryHeader } from '../help-desk';
import type { SandboxAnswer, SandboxRequest } from '../http';
import { ChatwootError, chatwootRoutes } from './routes';
import { seedChatwoot } from './seed';
import { blobPath } from './shapes';
import type { User, World } from './world';

/**
 * A Chatwoot sandbox for tests of imports: one account with the calls that read it. Written from its published API description
 * (`swagger/`), `app/finders`, `app/controllers/api/v1` and `app/views/api/v1` of github.com/chatwoot/chatwoot.
 */
export class ChatwootSandbox extends HelpDeskSandbox {
  private readonly users = new Map<string, User>();

  private constructor(readonly world: World) {
    super();
  }

  static async start(world: World = seedChatwoot()): Promise<ChatwootSandbox> {
    const sandbox = new ChatwootSandbox(world);
    await sandbox.listen();
    return sandbox;
  }

  /** The access token of a user's profile. */
  issueToken(email = 'ada@acme.test'): string {
    const user = this.world.users.find((each) => each.email === email);
    if (!user) throw new Error(`Unknown user ${email}`);
    const token = randomBytes(12).toString('base64url');
    this.users.set(token, user);
    return token;
  }

  protected tokens = (): string[] => [...this.users.keys()];

  protected isRead = ({ method }: SandboxRequest): boolean => method === 'GET' || method === 'HEAD';

  /** As Rack::Attack answers: not JSON. */
  protected tooManyRequests = (): SandboxAnswer => ({ status: 429, body: 'Retry later\n', headers: retryHeader(this.throttle) });

  protected answer({ method, url, headers }: SandboxRequest): SandboxAnswer {
    if (url.pathname.startsWith('/rails/active_storage/')) return this.file(url.pathname);
    try {
      const token = String(headers.api_access_token ?? headers['api-access-token'] ?? '');
      const user = this.users.get(token);
      if (!token) return { status: 401, body: { errors: ['You need to sign in or sign up before continuing.'] } };
      if (!user) throw new ChatwootError(401, 'Invalid Access Token');
      for (const [key, handler] of Object.entries(chatwootRoutes)) {
        const [verb, template = ''] = key.split(' ');
        const params = verb === method ? paramsOf(template, url.pathname) : undefined;
        if (!params) continue;
        this.authorize(params.account_id, user);
        return handler({ world: this.world, user, token, origin: this.url, params, query: url.searchParams });
      }
      return { status: 404, body: { error: 'Not Found' } };
    } catch (error) {
      if (!(error instanceof ChatwootError)) throw error;
      return { status: error.status, body: { error: error.message } };
    }
  }

  private authorize(accountId: string | undefined, user: User): void {
    if (accountId === undefined) return;
    if (Number(accountId) !== this.world.account.id) throw new ChatwootError(404, 'Resource could not be found');
    if (!user.role) throw new ChatwootError(401, 'You are not authorized to access this account');
  }

  /** The address of a file redirects to the storage, which needs no token. */
  private file(path: string): SandboxAnswer {
    const attachments = this.world.messages.flatMap((message) => message.attachments);
    const attachment = attachments.find((each) => blobPath(each) === path || storedPath(blobPath(each)) === path);
    if (!attachment || attachment.is_purged) return { status: 404, body: 'Not found' };
    if (path === blobPath(attachment)) return { status: 302, headers: { location: this.url + storedPath(path) } };
    return { status: 200, body: attachment.bytes, headers: { 'content-disposition': 'attachment' } };
  }
}

const storedPath = (path: string): string => path.replace('/blobs/redirect/', '/disk/');
