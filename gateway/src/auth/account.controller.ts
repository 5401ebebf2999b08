import { confirmEmail, resendConfirmation, resetPassword, signUp, type ConfirmedEmail, type OutputOf } from '@tandem/contracts';
import { Controller, Req, Res } from '@nestjs/common';
import { LoginAttempts } from '../limits/login-attempts';
import type { GatewayReply, GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { dataOf, OperationForwarder } from '../routes/operation-routes';
import { AccessTokens } from './access-token';
import { SessionCookies } from './cookies';
import { SessionWriter } from './session-writer';
import { SignUpBinding } from './sign-up-binding';

/** Account operations that need no session: sign-up, the emailed links, and the cookies that they set or clear. */
@Controller()
export class AccountController {
  constructor(
    private readonly forwarder: OperationForwarder,
    private readonly attempts: LoginAttempts,
    private readonly binding: SignUpBinding,
    private readonly tokens: AccessTokens,
    private readonly cookies: SessionCookies,
    private readonly writer: SessionWriter,
  ) {}

  /** Sets the cookie before the outcome is known: its presence must not reveal whether the address was free. */
  @ForOperation(signUp)
  async signUp(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    this.binding.begin(request, reply);
    await this.forwarder.answer(signUp, request, reply);
  }

  @ForOperation(resendConfirmation)
  async resendConfirmation(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    this.binding.attach(request);
    await this.forwarder.answer(resendConfirmation, request, reply);
  }

  @ForOperation(confirmEmail)
  async confirmEmail(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    if (!this.hasSession(request)) this.binding.attach(request);
    const answer = await this.forwarder.forward(confirmEmail, request);
    if (answer.status !== confirmEmail.status) return this.forwarder.send(reply, answer);
    const { email, issued } = dataOf<OutputOf<typeof confirmEmail>>(answer);
    if (issued !== null) {
      this.writer.write(reply, issued);
      this.binding.clear(reply);
    }
    const data: ConfirmedEmail = { email, session: issued?.session ?? null };
    await this.writer.sendData(request, reply, data);
  }

  @ForOperation(resetPassword)
  async resetPassword(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const answer = await this.forwarder.forward(resetPassword, request);
    if (answer.status === resetPassword.status) await this.attempts.forgetAccount(dataOf<{ email: string }>(answer).email);
    await this.forwarder.send(reply, answer);
  }

  /** A browser that is signed in keeps its session: a confirmation link must not replace it with another person's. */
  private hasSession(request: GatewayRequest): boolean {
    const claims = this.tokens.verifyEvenIfExpired(this.cookies.read(request, 'access'));
    return claims !== undefined && Math.min(claims.idle, claims.abs) * 1000 > Date.now();
  }
}
