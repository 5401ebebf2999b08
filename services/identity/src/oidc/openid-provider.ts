import { safeAddress, safeFetch, UnsafeAddress, type AddressRules } from '@tandem/platform';
import * as openid from 'openid-client';
import { sameIssuer, type Claims } from './oidc';

/** The only file that uses `openid-client`: requests to an organization's provider, and the checks of its responses. */

/** The provider cannot be used. The message explains the failure to the connecting admin and never contains text from the provider. */
export class ProviderProblem extends Error {
  /** `reason` is for our log: an error code of the library or the system. */
  constructor(
    message: string,
    readonly reason: string,
  ) {
    super(message);
    this.name = 'ProviderProblem';
  }
}

export interface ProviderClient {
  issuer: string;
  client_id: string;
  /** Undefined for a public client, which uses PKCE only. */
  client_secret: string | undefined;
}

/** Time limit for all requests of one step: the gateway waits 10 seconds for the whole response. */
const conversationMs = 8_000;
const requestMs = 5_000;
const maxBytes = 262_144;
const clockToleranceSeconds = 30;

/** Adapts `safeFetch` to the library. All its requests must use it. */
function guardedFetch(rules: AddressRules): openid.CustomFetch {
  const end = Date.now() + conversationMs;
  return async (url, { method, headers, body }) => {
    const timeoutMs = Math.max(1, Math.min(requestMs, end - Date.now()));
    const init = { ...rules, headers, timeoutMs, maxBytes, method: method as 'GET' | 'POST' };
    const sent = body === undefined || body === null ? {} : { body: body instanceof URLSearchParams ? body.toString() : textOf(body) };
    const answer = await safeFetch(url, { ...init, ...sent });
    if (answer.truncated) throw new ProviderProblem('A response of the provider is too long', 'too_long');
    const hasNoBody = [204, 205, 304].includes(answer.status);
    return new Response(hasNoBody ? null : new Uint8Array(answer.body), { status: answer.status, headers: answer.headers });
  };
}

function textOf(body: openid.FetchBody): string {
  if (typeof body === 'string') return body;
  throw new Error('openid-client sends forms and text only');
}

/**
 * The client authentication method: `client_secret_basic`, the standard's default (OpenID Connect Core, 9), if the provider supports it.
 */
function authenticationOf(metadata: openid.ServerMetadata, secret: string | undefined): openid.ClientAuth {
  if (secret === undefined) return openid.None();
  const offered = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return offered.includes('client_secret_basic') ? openid.ClientSecretBasic(secret) : openid.ClientSecretPost(secret);
}

/** Checks that the metadata is complete, has the expected issuer, and that all endpoints are safe for us and the browser. */
function checkMetadata(given: string, metadata: openid.ServerMetadata, rules: AddressRules): void {
  if (!sameIssuer(given, metadata.issuer)) throw new ProviderProblem('The provider reports a different issuer', 'issuer_mismatch');
  const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
  for (const name of needed) {
    const address = metadata[name];
    if (typeof address !== 'string') throw new ProviderProblem(`The provider's metadata has no ${name}`, 'incomplete_metadata');
    try {
      safeAddress(address, rules);
    } catch (error) {
      throw new ProviderProblem(`The provider's ${name} cannot be used: ${errorText(error)}`, 'unsafe_endpoint');
    }
  }
}

/** A provider whose metadata has been loaded and checked. */
export class OpenIdProvider {
  private constructor(private readonly configuration: openid.Configuration) {}

  /** Loads the metadata. Throws `ProviderProblem`. */
  static async discover(client: ProviderClient, rules: AddressRules): Promise<OpenIdProvider> {
    const fetch = guardedFetch(rules);
    const insecure = rules.allowHttp ? [openid.allowInsecureRequests] : [];
    const found = await openid
      .discovery(new URL(client.issuer), client.client_id, undefined, openid.None(), { [openid.customFetch]: fetch, execute: insecure })
      .catch((error: unknown) => {
        throw problemOf(error);
      });
    const metadata = found.serverMetadata();
    checkMetadata(client.issuer, metadata, rules);
    const own = { [openid.clockTolerance]: clockToleranceSeconds };
    const configuration = new openid.Configuration(metadata, client.client_id, own, authenticationOf(metadata, client.client_secret));
    configuration[openid.customFetch] = fetch;
    // The token arrives over TLS from the provider, but a proxy may terminate TLS: verify its signature anyway.
    openid.enableNonRepudiationChecks(configuration);
    if (rules.allowHttp) openid.allowInsecureRequests(configuration);
    return new OpenIdProvider(configuration);
  }

  /** The provider's spelling, which its tokens contain and identities are stored under. */
  get issuer(): string {
    return this.configuration.serverMetadata().issuer;
  }

  /** The URL that the browser is redirected to. */
  async authorizeUrl(attempt: { redirect_uri: string; state: string; nonce: string; verifier: string }): Promise<string> {
    const { verifier, ...rest } = attempt;
    const code_challenge = await openid.calculatePKCECodeChallenge(verifier);
    const scope = 'openid email profile';
    return openid.buildAuthorizationUrl(this.configuration, { ...rest, scope, code_challenge, code_challenge_method: 'S256' }).href;
  }

  /**
   * Turns the callback URL into the user's claims. Checks state, issuer and code, then the token's signature, issuer, audience, nonce and
   * times. Throws `ProviderProblem` if any check fails.
   */
  async claimsOf(answer: URL, expected: { state: string; nonce: string; verifier: string }): Promise<Claims> {
    try {
      const tokens = await openid.authorizationCodeGrant(this.configuration, answer, {
        expectedState: expected.state,
        expectedNonce: expected.nonce,
        pkceCodeVerifier: expected.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      return pick(claims.sub, claims.email === undefined ? await this.userInfo(tokens.access_token, claims.sub) : claims);
    } catch (error) {
      throw problemOf(error);
    }
  }

  /** Many providers leave the address out of the token (OpenID Connect Core, 5.4). Rejects user info of another subject. */
  private async userInfo(access_token: string, subject: string): Promise<Record<string, unknown>> {
    if (this.configuration.serverMetadata().userinfo_endpoint === undefined) return {};
    return openid.fetchUserInfo(this.configuration, access_token, subject);
  }
}

const pick = (subject: string, { email, email_verified, given_name, family_name }: Record<string, unknown>): Claims => ({
  subject,
  email,
  email_verified,
  given_name,
  family_name,
});

const errorText = (error: unknown): string => (error instanceof UnsafeAddress ? error.message : 'it is not an address');

/** The root cause of an error: both the library and undici wrap errors. */
function rootOf(error: unknown): unknown {
  let root = error;
  for (let depth = 0; depth < 5; depth += 1) {
    const { cause } = Object(root) as { cause?: unknown };
    // `cause` may also be a parsed response; only errors have a name and a message.
    const isError = typeof cause === 'object' && cause !== null && 'message' in cause && 'name' in cause;
    if (!isError || root instanceof UnsafeAddress || root instanceof ProviderProblem) return root;
    root = cause;
  }
  return root;
}

const plainCode = (code: unknown): string => (typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : 'unknown');

const sentences: Record<string, string> = {
  ENOTFOUND: 'There is no server with this name',
  EAI_AGAIN: 'The name could not be resolved',
  ECONNREFUSED: 'The server refused the connection',
  ECONNRESET: 'The server closed the connection',
  UND_ERR_CONNECT_TIMEOUT: 'The server does not respond',
  TimeoutError: 'The server did not respond in time',
  OAUTH_TIMEOUT: 'The server did not respond in time',
  CERT_HAS_EXPIRED: 'The server’s certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The server’s certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'The server’s certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The server’s certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The server’s certificate is for another name',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'No OpenID metadata at this address',
  OAUTH_RESPONSE_IS_NOT_JSON: 'The response at this address is not OpenID metadata',
  OAUTH_PARSE_ERROR: 'The response at this address is not OpenID metadata',
  OAUTH_INVALID_RESPONSE: 'The response at this address is not OpenID metadata',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'The provider reports a different issuer',
};

/** The `error` code of an OAuth response (`access_denied`, `invalid_client`), from the body or from the challenge of a 401. */
function oauthErrorOf(error: unknown): unknown {
  const { error: code, cause } = error as { error?: unknown; cause?: unknown };
  const challenges = Array.isArray(cause) ? (cause as { parameters?: { error?: unknown } }[]) : [];
  return code ?? challenges[0]?.parameters?.error;
}

function problemOf(error: unknown): ProviderProblem {
  const root = rootOf(error);
  if (root instanceof ProviderProblem) return root;
  if (root instanceof UnsafeAddress) return new ProviderProblem(root.message, 'unsafe_address');
  const codes = [error, root].flatMap((each) => [(each as { code?: unknown }).code, (each as Error).name]).map(plainCode);
  const known = codes.find((code) => Object.hasOwn(sentences, code));
  const reason = known ?? plainCode(oauthErrorOf(error) ?? codes[0]);
  return new ProviderProblem(known ? sentences[known]! : 'The provider sent an unusable response', reason);
}
