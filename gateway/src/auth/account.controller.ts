import { resetPassword } from '@tandem/contracts';
import { Controller, Req, Res } from '@nestjs/common';
import { LoginAttempts } from '../limits/login-attempts';
import type { GatewayReply, GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { dataOf, OperationForwarder } from '../routes/operation-routes';

/** Account operations without a session whose outcome changes something at the gateway, too. */
@Controller()
export class AccountController {
  constructor(
    private readonly forwarder: OperationForwarder,
    private readonly attempts: LoginAttempts,
  ) {}

  @ForOperation(resetPassword)
  async resetPassword(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const answer = await this.forwarder.ask(resetPassword, request);
    if (answer.status === resetPassword.status) await this.attempts.forgetAccount(dataOf<{ email: string }>(answer).email);
    await this.forwarder.send(reply, answer);
  }
}
