import { safeAddress, safeFetch, UnsafeAddress, type AddressRules } from '@tandem/platform';
import * as openid from 'openid-client';
import { sameIssuer, type Claims } from './oidc';

/** The only file that knows `openid-client`: what we ask an organization's provider, and what we believe of its answers. */

/** The provider cannot be used. The message is for the admin who connects it: what failed, never what the other side wrote. */
export class ProviderProblem extends Error {
  /** `reason` is for our log: a code of the library's, a name of the system's. */
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
  /** None for a public client: PKCE alone then. */
  client_secret: string | undefined;
}

/** All requests of one step together: the gateway waits 10 seconds for the whole answer. */
const conversationMs = 8_000;
const requestMs = 5_000;
const maxBytes = 262_144;
const clockToleranceSeconds = 30;

/** `safeFetch` in the library's form. Nothing that the library sends goes another way. */
function guardedFetch(rules: AddressRules): openid.CustomFetch {
  const end = Date.now() + conversationMs;
  return async (url, { method, headers, body }) => {
    const timeoutMs = Math.max(1, Math.min(requestMs, end - Date.now()));
    const init = { ...rules, headers, timeoutMs, maxBytes, method: method as 'GET' | 'POST' };
    const sent = body === undefined || body === null ? {} : { body: body instanceof URLSearchParams ? body.toString() : textOf(body) };
    const answer = await safeFetch(url, { ...init, ...sent });
    if (answer.truncated) throw new ProviderProblem('An answer of the provider is too long', 'too_long');
    const bodiless = [204, 205, 304].includes(answer.status);
    return new Response(bodiless ? null : new Uint8Array(answer.body), { status: answer.status, headers: answer.headers });
  };
}

function textOf(body: openid.FetchBody): string {
  if (typeof body === 'string') return body;
  throw new Error('openid-client sends forms and text only');
}

/** How a client proves itself where its provider has several ways; the first of the standard (OpenID Connect Core, 9) where it is offered. */
function authenticationOf(metadata: openid.ServerMetadata, secret: string | undefined): openid.ClientAuth {
  if (secret === undefined) return openid.None();
  const offered = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return offered.includes('client_secret_basic') ? openid.ClientSecretBasic(secret) : openid.ClientSecretPost(secret);
}

/** What a provider must say of itself, and where it must not lead us or a browser. */
function checkMetadata(given: string, metadata: openid.ServerMetadata, rules: AddressRules): void {
  if (!sameIssuer(given, metadata.issuer))
    throw new ProviderProblem('The provider calls itself by another issuer than the one given', 'issuer_mismatch');
  const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
  for (const name of needed) {
    const address = metadata[name];
    if (typeof address !== 'string') throw new ProviderProblem(`The provider's metadata has no ${name}`, 'incomplete_metadata');
    try {
      safeAddress(address, rules);
    } catch (error) {
      throw new ProviderProblem(`The provider's ${name} cannot be used: ${sentenceOf(error)}`, 'unsafe_endpoint');
    }
  }
}

/** A provider that has been asked who it is, and has answered what we need. */
export class OpenIdProvider {
  private constructor(private readonly configuration: openid.Configuration) {}

  /** Asks for the metadata. Throws `ProviderProblem`. */
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
    // The token comes over TLS from the provider itself, but TLS may end before it: its signature is checked all the same.
    openid.enableNonRepudiationChecks(configuration);
    if (rules.allowHttp) openid.allowInsecureRequests(configuration);
    return new OpenIdProvider(configuration);
  }

  /** As the provider spells it: what its tokens say, and what identities are kept under. */
  get issuer(): string {
    return this.configuration.serverMetadata().issuer;
  }

  /** Where the browser goes. */
  async authorizeUrl(attempt: { redirect_uri: string; state: string; nonce: string; verifier: string }): Promise<string> {
    const { verifier, ...rest } = attempt;
    const code_challenge = await openid.calculatePKCECodeChallenge(verifier);
    const scope = 'openid email profile';
    return openid.buildAuthorizationUrl(this.configuration, { ...rest, scope, code_challenge, code_challenge_method: 'S256' }).href;
  }

  /**
   * Turns what the provider has put behind our address into the claims of the person: state, issuer, code, then the token's signature,
   * issuer, audience, nonce and times. Throws `ProviderProblem` for whatever is not as it must be.
   */
  async claimsOf(answer: URL, expected: { state: string; nonce: string; verifier: string }): Promise<Claims> {
    try {
      const tokens = await openid.authorizationCodeGrant(this.configuration, answer, {
        expectedState: expected.state,
        expectedNonce: expected.nonce,
        pkceCodeVerifier: expected.verifier,
        idTokenExpected: true,
      });
      const said = tokens.claims()!;
      return pick(said.sub, said.email === undefined ? await this.userInfo(tokens.access_token, said.sub) : said);
    } catch (error) {
      throw problemOf(error);
    }
  }

  /** Many providers keep the address out of the token (OpenID Connect Core, 5.4). What is not of the same subject is refused. */
  private async userInfo(access_token: string, subject: string): Promise<Record<string, unknown>> {
    if (this.configuration.serverMetadata().userinfo_endpoint === undefined) return {};
    return openid.fetchUserInfo(this.configuration, access_token, subject);
  }
}

const pick = (subject: string, { email, email_verified, given_name, family_name }: Record<string, unknown>): Claims => ({
  ...{ subject, email, email_verified, given_name, family_name },
});

const sentenceOf = (error: unknown): string => (error instanceof UnsafeAddress ? error.message : 'it is no address');

/** What lies at the bottom of an error: the library wraps, and so does undici. */
function rootOf(error: unknown): unknown {
  let root = error;
  for (let depth = 0; depth < 5; depth += 1) {
    const { cause } = Object(root) as { cause?: unknown };
    // What the library saw in an answer stands there too; only errors have a name and a message.
    const isError = typeof cause === 'object' && cause !== null && 'message' in cause && 'name' in cause;
    if (!isError || root instanceof UnsafeAddress || root instanceof ProviderProblem) return root;
    root = cause;
  }
  return root;
}

const plainCode = (code: unknown): string => (typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : 'unknown');

const sentences: Record<string, string> = {
  ENOTFOUND: 'There is no server of this name',
  EAI_AGAIN: 'The name could not be looked up just now',
  ECONNREFUSED: 'The server refuses the connection',
  ECONNRESET: 'The server broke the connection off',
  UND_ERR_CONNECT_TIMEOUT: 'The server does not answer',
  TimeoutError: 'The server does not answer in time',
  OAUTH_TIMEOUT: 'The server does not answer in time',
  CERT_HAS_EXPIRED: 'The certificate of the server has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the server is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the server is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate of the server cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the server is for another name',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'There is no OpenID metadata at this address',
  OAUTH_RESPONSE_IS_NOT_JSON: 'What is at this address is no OpenID metadata',
  OAUTH_PARSE_ERROR: 'What is at this address is no OpenID metadata',
  OAUTH_INVALID_RESPONSE: 'What is at this address is no OpenID metadata',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'The provider calls itself by another issuer than the one given',
};

/** `error` of an OAuth answer (`access_denied`, `invalid_client`), which stands in the body or in the challenge of a 401. */
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
  return new ProviderProblem(known ? sentences[known]! : 'The provider gave an answer that cannot be used', reason);
}
