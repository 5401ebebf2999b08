import { randomBytes } from 'node:crypto';
import { AppError, beginOidc, finishOidc, type Context, type InputOf, type IssuedSession, type OutputOf } from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { hashToken, newToken, Secrets, type AddressRules, type Logger, type ServiceConfig } from '@tandem/platform';
import { Controller, Inject } from '@nestjs/common';
import { hashPassword } from '../account/password';
import { joinTeam } from '../team/member.store';
import type { IdentityTables } from '../schema';
import { issueSession } from '../session/session.service';
import { countSignIn } from '../session/sign-in.metrics';
import {
  nameOf,
  outboundRules,
  redirectUriOf,
  safeRedirect,
  sameHash,
  secretPurpose,
  verifiedEmail,
  verifierPurpose,
  type Claims,
} from './oidc';
import {
  findActiveConnectionAcrossOrganizations,
  findConnection,
  findConnectionForShare,
  findMemberByEmailForUpdate,
  findUserOfSubject,
  insertAttempt,
  insertIdentity,
  isLinked,
  createConfirmedAccount,
  consumeAttempt,
  type Attempt,
  type ConnectionRow,
} from './oidc.store';
import { OpenIdProvider, ProviderProblem } from './openid-provider';

type IdentityTx = Tx<IdentityTables>;

/** Sign-in with the organization's OpenID provider: redirect and callback. */
@Controller()
export class OidcService {
  private readonly rules: AddressRules;

  constructor(
    private readonly db: Database<IdentityTables>,
    private readonly secrets: Secrets,
    @Inject('CONFIG') private readonly config: ServiceConfig,
    @Inject('LOG') private readonly log: Logger,
  ) {
    this.rules = outboundRules(config);
  }

  @Handles(beginOidc)
  async beginOidc(_ctx: Context, { body }: InputOf<typeof beginOidc>): Promise<OutputOf<typeof beginOidc>> {
    const { subdomain, binding } = body;
    const connection = await this.db.asSystem('OpenID sign-in: find the organization by its subdomain', (tx) =>
      findActiveConnectionAcrossOrganizations(tx, subdomain),
    );
    if (!connection) throw new AppError('oidc.not_connected');
    const { organization_id } = connection;
    const [state, nonce, verifier] = [newToken(), newToken(), newToken()];
    const redirect_uri = redirectUriOf(this.config.PUBLIC_URL, organization_id);
    const authorize_url = await this.talk(connection, 'oidc.unreachable', (provider) =>
      provider.authorizeUrl({ redirect_uri, state, nonce, verifier }),
    );
    const sealed_verifier = this.secrets.seal(verifierPurpose, verifier);
    const attempt = { organization_id, nonce, sealed_verifier, state_hash: hashToken(state), binding_hash: binding };
    await this.db.asSystem('OpenID sign-in: the user is not signed in yet', (tx) =>
      insertAttempt(tx, { ...attempt, redirect: safeRedirect(body.redirect) }),
    );
    return { authorize_url };
  }

  @Handles(finishOidc)
  finishOidc(ctx: Context, { body }: InputOf<typeof finishOidc>): Promise<OutputOf<typeof finishOidc>> {
    return countSignIn('oidc', () => this.finish(ctx, body));
  }

  private async finish(ctx: Context, body: InputOf<typeof finishOidc>['body']): Promise<OutputOf<typeof finishOidc>> {
    const state = new URLSearchParams(body.query).get('state') ?? '';
    // In a separate transaction: an attempt is used up regardless of its outcome.
    const attempt = await this.db.asSystem('OpenID sign-in: find the attempt by its state', (tx) => consumeAttempt(tx, hashToken(state)));
    if (!attempt || !sameHash(attempt.binding_hash, hashToken(body.binding))) throw new AppError('oidc.failed');
    const { organization_id } = attempt;
    if (organization_id !== body.organization_id) throw new AppError('oidc.failed');
    const connection = await this.db.forTenant({ organization_id }, (tx) => findConnection(tx, organization_id));
    if (!connection?.is_active) throw new AppError('oidc.failed');
    const claims = await this.claimsOf(connection, attempt, state, body.query);
    return { issued: await this.completeSignIn({ ...ctx, organization_id }, connection, claims), redirect: attempt.redirect };
  }

  private claimsOf(connection: ConnectionRow, attempt: Attempt, state: string, query: string): Promise<Claims> {
    const verifier = this.secrets.open(verifierPurpose, attempt.sealed_verifier);
    const answer = new URL(redirectUriOf(this.config.PUBLIC_URL, connection.organization_id));
    answer.search = query;
    return this.talk(connection, 'oidc.failed', (provider) => provider.claimsOf(answer, { state, nonce: attempt.nonce, verifier }));
  }

  /** Runs a request to the provider. The log gets the reason of a failure, the caller only `code`. */
  private async talk<T>(
    connection: ConnectionRow,
    code: 'oidc.failed' | 'oidc.unreachable',
    ask: (provider: OpenIdProvider) => Promise<T>,
  ): Promise<T> {
    const { organization_id, issuer, client_id, sealed_client_secret: sealed } = connection;
    const client_secret = sealed === null ? undefined : this.secrets.open(secretPurpose, sealed);
    try {
      return await ask(await OpenIdProvider.discover({ issuer, client_id, client_secret }, this.rules));
    } catch (error) {
      if (!(error instanceof ProviderProblem)) throw error;
      this.log.warn({ organization_id, reason: error.reason }, code);
      throw new AppError(code);
    }
  }

  /**
   * Reads the connection and opens the session in one transaction, so that disconnecting the provider happens either before or after both.
   */
  private async completeSignIn(
    ctx: Context & { organization_id: string },
    connection: ConnectionRow,
    claims: Claims,
  ): Promise<IssuedSession> {
    // Before the transaction, because hashing is slow; no password will ever match this hash.
    const password_hash = connection.auto_join ? await hashPassword(randomBytes(32).toString('base64url')) : undefined;
    return this.db.forTenant(ctx, async (tx) => {
      const latest = await findConnectionForShare(tx, connection.organization_id);
      if (!latest?.is_active || latest.issuer !== connection.issuer || latest.client_id !== connection.client_id)
        throw new AppError('oidc.failed');
      const user_id = await personOf(tx, ctx, connection, claims, latest.auto_join ? password_hash : undefined);
      return issueSession(tx, ctx, user_id, { idp: connection.issuer });
    });
  }
}

/** The user of the claims. On the first sign-in they are linked by address or, if `password_hash` is given, get a new account. */
async function personOf(
  tx: IdentityTx,
  ctx: Context & { organization_id: string },
  { organization_id, issuer }: ConnectionRow,
  claims: Claims,
  password_hash: string | undefined,
): Promise<string> {
  const identity = { organization_id, issuer, subject: claims.subject };
  const known = await findUserOfSubject(tx, identity);
  if (known) return activeOf(known);
  const email = verifiedEmail(claims);
  if (email === undefined) throw new AppError('oidc.not_a_member');
  const member = await findMemberByEmailForUpdate(tx, organization_id, email);
  if (!member)
    return password_hash === undefined ? refuseUnlessLinked(tx, identity) : join(tx, ctx, identity, { ...claims, email, password_hash });
  const user_id = activeOf(member);
  // If the provider reassigns an address to another person (another subject), it must not open the first person's account.
  if (await isLinked(tx, { organization_id, issuer, user_id })) return refuseUnlessLinked(tx, identity);
  await insertIdentity(tx, { ...identity, user_id });
  return user_id;
}

interface Identity {
  organization_id: string;
  issuer: string;
  subject: string;
}

function activeOf({ user_id, is_active }: { user_id: string; is_active: boolean }): string {
  if (!is_active) throw new AppError('account.inactive');
  return user_id;
}

/** A concurrent sign-in of the same user may have linked or created them in the meantime. */
async function refuseUnlessLinked(tx: IdentityTx, identity: Identity): Promise<string> {
  const linked = await findUserOfSubject(tx, identity);
  if (!linked) throw new AppError('oidc.not_a_member');
  return activeOf(linked);
}

/**
 * Creates an account and a membership as an agent. An existing confirmed account with this address is never taken over, in any
 * organization.
 */
async function join(
  tx: IdentityTx,
  ctx: Context & { organization_id: string },
  identity: Identity,
  person: Omit<Claims, 'email'> & { email: string; password_hash: string },
): Promise<string> {
  const { email, password_hash } = person;
  const names = { first_name: nameOf(person.given_name), last_name: nameOf(person.family_name) };
  const user_id = await createConfirmedAccount(tx, { email, password_hash, ...names });
  if (user_id === undefined) return refuseUnlessLinked(tx, identity);
  const { organization_id } = identity;
  await joinTeam(tx, ctx, { organization_id, user_id, role: 'agent' }, user_id);
  await insertIdentity(tx, { ...identity, user_id });
  return user_id;
}
