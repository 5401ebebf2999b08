import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider';

type Json = Record<string, unknown>;

/** A person with an account at the provider. */
export interface ProviderPerson {
  email?: string;
  email_verified?: unknown;
  given_name?: string;
  family_name?: string;
}

/** In-memory storage of the provider. */
function memory(): new (model: string) => Adapter {
  const kept = new Map<string, AdapterPayload>();
  return class implements Adapter {
    constructor(private readonly model: string) {}
    async upsert(id: string, payload: AdapterPayload): Promise<void> {
      kept.set(`${this.model}:${id}`, payload);
      if (payload.uid) kept.set(`${this.model}:uid:${payload.uid}`, payload);
    }
    async find(id: string): Promise<AdapterPayload | undefined> {
      return kept.get(`${this.model}:${id}`);
    }
    findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return this.find(`uid:${uid}`);
    }
    async findByUserCode(): Promise<undefined> {}
    async consume(id: string): Promise<void> {
      kept.get(`${this.model}:${id}`)!.consumed = Math.floor(Date.now() / 1000);
    }
    async destroy(id: string): Promise<void> {
      kept.delete(`${this.model}:${id}`);
    }
    async revokeByGrantId(): Promise<void> {}
  };
}

const signingKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

/** The JWT with changed claims, signed with `key`. */
function resigned(token: string, key: KeyObject, change: (claims: Json) => Json): string {
  const [header = '', payload = ''] = token.split('.');
  const claims = change(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Json);
  const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
}

/**
 * A real OpenID provider (`oidc-provider`) on a loopback port, and a person with a browser who uses it. The test chooses who signs in;
 * consent is automatic. `tamper` changes its responses.
 */
export class OpenIdProviderForTest {
  readonly people = new Map<string, ProviderPerson>();
  /** Changes the response body of a path, such as `/token`. */
  readonly tamper = new Map<string, (body: Json) => Json>();
  /** All received requests. */
  readonly calls: string[] = [];
  /** Runs before a request is answered, and may delay it. */
  onRequest: (request: IncomingMessage) => unknown = () => undefined;
  private signsInAs = '';

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
    private readonly key: KeyObject,
    private readonly clients: Adapter,
  ) {}

  static async start(): Promise<OpenIdProviderForTest> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [key, Memory] = [signingKey(), memory()];
    const own = new OpenIdProviderForTest(issuer, server, key, new Memory('Client'));
    const provider = new Provider(issuer, own.configuration(Memory));
    const answer = provider.callback();
    const serve = async (request: IncomingMessage, response: ServerResponse) => {
      await own.onRequest(request);
      own.calls.push(`${request.method} ${request.url!.replace(/\?.*/, '')}`);
      if (request.url!.startsWith('/interaction/')) {
        void provider.interactionFinished(request, response, { login: { accountId: own.signsInAs } });
      } else {
        own.lie(request, response);
        void answer(request, response);
      }
    };
    server.on('request', (request, response) => void serve(request, response));
    return own;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async register(client: {
    client_id: string;
    client_secret?: string;
    redirect_uri: string;
    token_endpoint_auth_method?: string;
  }): Promise<void> {
    const { redirect_uri, token_endpoint_auth_method: chosen, ...rest } = client;
    const token_endpoint_auth_method = chosen ?? (client.client_secret === undefined ? 'none' : 'client_secret_basic');
    const registered = { ...rest, token_endpoint_auth_method, redirect_uris: [redirect_uri] };
    await this.clients.upsert(client.client_id, registered as AdapterPayload, 0);
  }

  /** Follows the browser's redirects from our sign-in button to our callback; returns the callback URL. */
  async visit(authorize_url: string, subject: string): Promise<URL> {
    this.signsInAs = subject;
    const cookies = new Map<string, string>();
    let address = authorize_url;
    for (let step = 0; step < 10; step += 1) {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const response = await fetch(address, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!;
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
      address = new URL(location, this.issuer).href;
      if (!address.startsWith(this.issuer)) return new URL(address);
    }
    throw new Error('The provider redirects the browser in a loop');
  }

  /** Changes the claims of the token, signed with the provider's key or, as a man in the middle would have to, with another. */
  reissue(change: (claims: Json) => Json, key: 'own' | 'foreign' = 'own'): void {
    const signer = key === 'own' ? this.key : signingKey();
    this.tamper.set('/token', (body) => ({ ...body, id_token: resigned(body.id_token as string, signer, change) }));
  }

  private configuration(adapter: new (model: string) => Adapter): Configuration {
    return {
      adapter,
      jwks: { keys: [{ ...this.key.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['a key that only this test has'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub, ...this.people.get(sub) }) }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
      ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Grant: 600, Interaction: 600, Session: 600 },
    };
  }

  private lie(request: IncomingMessage, response: ServerResponse): void {
    const change = this.tamper.get(request.url!.replace(/\?.*/, ''));
    if (!change) return;
    const end = response.end.bind(response) as (body: string) => ServerResponse;
    response.end = ((body: string | Buffer) => {
      const text = JSON.stringify(change(JSON.parse(body.toString()) as Json));
      response.setHeader('content-length', Buffer.byteLength(text));
      return end(text);
    }) as typeof response.end;
  }
}
