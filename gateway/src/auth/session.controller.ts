import {
  AppError,
  createOrganization,
  refreshSession,
  signIn,
  signOut,
  type IssuedSession,
  type MfaChallenge,
  type Organization,
  type Problem,
  type ProblemCode,
} from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { Controller, Req, Res } from '@nestjs/common';
import { EventStreams } from '../live/event-streams';
import type { Counter } from '../limits/limits';
import { RedisLimitStorage } from '../limits/redis-limit-storage';
import { contextOf, contextOfSession, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { OperationForwarder, type OwnersAnswer } from '../routes/operation-routes';
import { AccessTokens, type SessionClaims } from './access-token';
import { SessionCookies } from './cookies';
import { CsrfTokens } from './csrf';
import { SessionWriter } from './session-writer';

const json = 'application/json; charset=utf-8';
const dataOf = <T>({ body }: OwnersAnswer) => (JSON.parse(body.toString('utf8')) as { data: T }).data;
const codeOf = ({ body }: OwnersAnswer): ProblemCode => (JSON.parse(body.toString('utf8')) as Problem).code;

/** Refused, but the password was right: such an attempt was no guess. */
const provenCodes: ProblemCode[] = ['email.not_confirmed', 'account.inactive'];

/** The four operations that touch cookies. Tokens travel in cookies only, never in a body that a script could read. */
@Controller()
export class SessionController {
  constructor(
    private readonly forwarder: OperationForwarder,
    private readonly services: Services,
    private readonly tokens: AccessTokens,
    private readonly cookies: SessionCookies,
    private readonly csrf: CsrfTokens,
    private readonly writer: SessionWriter,
    private readonly limits: RedisLimitStorage,
    private readonly streams: EventStreams,
  ) {}

  @ForOperation(signIn)
  async signIn(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const answer = await this.forwarder.ask(signIn, request);
    await this.settleAttempt(request.counted ?? [], answer);
    if (answer.status !== signIn.status) return this.forwarder.send(reply, answer);
    const outcome = dataOf<IssuedSession | MfaChallenge>(answer);
    if ('mfa_required' in outcome) return this.sendData(request, reply, 200, outcome);
    await this.sendSession(request, reply, outcome);
  }

  @ForOperation(refreshSession)
  async refresh(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const refresh_token = this.cookies.read(request, 'refresh');
    const claims = this.tokens.evenIfExpired(this.cookies.read(request, 'access'));
    if (refresh_token === undefined || claims === undefined) throw new AppError('session.expired');
    this.csrf.check(request, claims.sid);
    // A sign-out that is still on its way to identity wins over a refresh.
    if (await this.limits.hasEnded(claims.sid)) return this.refuseSession(reply, claims);
    try {
      const issued = await this.services.call(refreshSession, contextOf(request, { type: 'customer' }, null), { body: { refresh_token } });
      await this.sendSession(request, reply, issued);
    } catch (error) {
      if (!(error instanceof AppError) || (error.status !== 401 && error.status !== 422)) throw error;
      await this.refuseSession(reply, claims);
    }
  }

  /** Ends the session here and now on every replica, then at its owner; the cookies go in any case. */
  @ForOperation(signOut)
  async signOut(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const claims = request.user!;
    this.cookies.clear(reply);
    await this.endSession(claims);
    await this.services.call(signOut, contextOfSession(request, claims), {});
    await this.sendData(request, reply, 200, {});
  }

  /** The access token says which organization its bearer belongs to: it is renewed with the answer. */
  @ForOperation(createOrganization)
  async createOrganization(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const claims = request.user!;
    const answer = await this.forwarder.ask(createOrganization, request);
    if (answer.status === createOrganization.status) {
      const { id } = dataOf<Organization>(answer);
      this.cookies.write(reply, 'access', this.tokens.renew(claims, { org: id, role: 'admin' }), new Date(claims.abs * 1000));
    }
    await this.forwarder.send(reply, answer);
  }

  /**
   * Spec part 1, section 4: a success resets the count, a failure only when it is not 'Invalid login credentials'. A request that never
   * got as far as the password (bad input, a service away) is given back but resets nothing: else it would wash guesses away.
   */
  private async settleAttempt(counted: Counter[], answer: OwnersAnswer): Promise<void> {
    const code = answer.status === signIn.status ? undefined : codeOf(answer);
    if (code === 'credentials.invalid') return;
    const proven = code === undefined || provenCodes.includes(code);
    await Promise.all(
      counted.map((counter) => (proven && counter.of === 'account' ? this.limits.reset(counter) : this.limits.giveBack(counter))),
    );
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
    await this.sendData(request, reply, 200, issued.session);
  }

  private async sendData(request: GatewayRequest, reply: GatewayReply, status: number, data: unknown): Promise<void> {
    const body = JSON.stringify({ success: true, data, meta: { request_id: request.id } });
    await reply.status(status).headers({ 'content-type': json, 'cache-control': 'no-store' }).send(body);
  }
}
