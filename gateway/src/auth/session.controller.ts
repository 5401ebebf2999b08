import {
  AppError,
  extendSession,
  refreshSession,
  signIn,
  signOut,
  startDemo,
  verifyMfa,
  type IssuedSession,
  type MfaChallenge,
  type ProblemCode,
} from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { Controller, Req, Res } from '@nestjs/common';
import { EventStreams } from '../live/event-streams';
import { LoginAttempts, type AttemptOutcome } from '../limits/login-attempts';
import { RedisLimitStorage } from '../limits/redis-limit-storage';
import { contextOf, contextOfSession, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { codeOf, dataOf, OperationForwarder } from '../routes/operation-routes';
import { AccessTokens, type SessionClaims } from './access-token';
import { SessionCookies } from './cookies';
import { CsrfTokens } from './csrf';
import { idleSecondsIn } from './idle-seconds';
import { SessionWriter } from './session-writer';

/** Rejections after a correct password: such an attempt was not a guess. */
const provenCodes: ProblemCode[] = ['email.not_confirmed', 'account.inactive'];

/** Creates, refreshes and ends sessions. Tokens are in cookies only, never in a body that a script could read. */
@Controller()
export class SessionController {
  constructor(
    private readonly forwarder: OperationForwarder,
    private readonly services: Services,
    private readonly tokens: AccessTokens,
    private readonly cookies: SessionCookies,
    private readonly csrf: CsrfTokens,
    private readonly writer: SessionWriter,
    private readonly attempts: LoginAttempts,
    private readonly limits: RedisLimitStorage,
    private readonly streams: EventStreams,
  ) {}

  /** If a second factor is required, nothing is proved yet: no cookies are set, and earlier guesses stay counted. */
  @ForOperation(signIn)
  async signIn(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const answer = await this.forwarder.forward(signIn, request);
    if (answer.status !== signIn.status) {
      await this.attempts.recordOutcome(request, outcomeOfRefusal(codeOf(answer)));
      return this.forwarder.send(reply, answer);
    }
    const outcome = dataOf<IssuedSession | MfaChallenge>(answer);
    if ('mfa_required' in outcome) {
      await this.attempts.recordOutcome(request, 'unfinished');
      return this.writer.sendData(request, reply, outcome);
    }
    await this.attempts.recordOutcome(request, 'proven');
    await this.sendSession(request, reply, outcome);
  }

  /** The request does not contain the account: wrong codes count against the client's address here, and against the account in identity. */
  @ForOperation(verifyMfa)
  async verifyMfa(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const answer = await this.forwarder.forward(verifyMfa, request);
    if (answer.status !== verifyMfa.status) {
      await this.attempts.recordOutcome(request, codeOf(answer) === 'mfa.code_invalid' ? 'guessed' : 'unfinished');
      return this.forwarder.send(reply, answer);
    }
    const issued = dataOf<IssuedSession>(answer);
    await this.attempts.recordOutcome(request, 'proven', issued.session.profile.email);
    await this.sendSession(request, reply, issued);
  }

  @ForOperation(startDemo)
  async startDemo(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const answer = await this.forwarder.forward(startDemo, request);
    if (answer.status !== startDemo.status) return this.forwarder.send(reply, answer);
    await this.sendSession(request, reply, dataOf<IssuedSession>(answer));
  }

  @ForOperation(refreshSession)
  async refresh(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const refresh_token = this.cookies.read(request, 'refresh');
    const claims = this.tokens.verifyEvenIfExpired(this.cookies.read(request, 'access'));
    if (refresh_token === undefined || claims === undefined) throw new AppError('session.expired');
    this.csrf.check(request, claims.sid);
    const idle_seconds = idleSecondsIn(request);
    // A sign-out that has not reached identity yet takes precedence over a refresh.
    if (await this.limits.hasEnded(claims.sid)) return this.refuseSession(reply, claims);
    try {
      const anonymous = contextOf(request, { type: 'customer' }, null);
      const issued = await this.services.call(refreshSession, anonymous, { body: { refresh_token, idle_seconds } });
      await this.sendSession(request, reply, issued);
    } catch (error) {
      if (!(error instanceof AppError) || (error.status !== 401 && error.status !== 422)) throw error;
      await this.refuseSession(reply, claims);
    }
  }

  /** Also renews the access token, because it contains the session's deadline. */
  @ForOperation(extendSession)
  async extend(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const answer = await this.forwarder.forward(extendSession, request);
    if (answer.status !== extendSession.status) return this.forwarder.send(reply, answer);
    await this.sendSession(request, reply, dataOf<IssuedSession>(answer));
  }

  /** Ends the session on every replica immediately, then at identity; the cookies are cleared even if that fails. */
  @ForOperation(signOut)
  async signOut(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const claims = request.user!;
    this.cookies.clear(reply);
    // The next user of this computer must not find API responses in the browser's cache.
    void reply.header('clear-site-data', '"cache"');
    await this.endSession(claims);
    await this.services.call(signOut, contextOfSession(request, claims), {});
    await this.writer.sendData(request, reply, {});
  }

  private async endSession({ sid }: SessionClaims): Promise<void> {
    this.streams.endSession(sid);
    await this.limits.endSession(sid);
  }

  private async refuseSession(reply: GatewayReply, claims: SessionClaims): Promise<never> {
    this.cookies.clear(reply);
    await this.endSession(claims);
    throw new AppError('session.expired');
  }

  private async sendSession(request: GatewayRequest, reply: GatewayReply, issued: IssuedSession): Promise<void> {
    this.writer.write(reply, issued);
    await this.writer.sendData(request, reply, issued.session);
  }
}

/**
 * Only a wrong password stays counted: other rejections after a correct password reset the count. A request that failed before the password
 * was compared (invalid input, unavailable service) was not an attempt.
 */
function outcomeOfRefusal(code: ProblemCode): AttemptOutcome {
  if (code === 'credentials.invalid') return 'guessed';
  return provenCodes.includes(code) ? 'proven' : 'unfinished';
}
