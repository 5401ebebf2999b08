import { acceptInvitation, createOrganization, extendSession, type Operation } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import { contextOfSession, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { OperationForwarder } from '../routes/operation-routes';
import { SessionWriter } from './session-writer';

/**
 * Operations that make a user a member of an organization. Organization and role are claims of the access token, so it is renewed with
 * the response.
 */
@Controller()
export class MembershipController {
  constructor(
    private readonly forwarder: OperationForwarder,
    private readonly services: Services,
    private readonly writer: SessionWriter,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  @ForOperation(createOrganization)
  createOrganization(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    return this.join(createOrganization, request, reply);
  }

  @ForOperation(acceptInvitation)
  acceptInvitation(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    return this.join(acceptInvitation, request, reply);
  }

  private async join(operation: Operation, request: GatewayRequest, reply: GatewayReply): Promise<void> {
    const answer = await this.forwarder.forward(operation, request);
    if (answer.status === operation.status) await this.renew(request, reply);
    await this.forwarder.send(reply, answer);
  }

  /**
   * Identity returns the current claims, including whether a second factor is required. If the call fails, the membership is still saved;
   * the old token has fewer rights until the browser refreshes.
   */
  private async renew(request: GatewayRequest, reply: GatewayReply): Promise<void> {
    try {
      this.writer.write(reply, await this.services.call(extendSession, contextOfSession(request, request.user!), {}));
    } catch (err) {
      this.log.warn({ err, request_id: request.id }, 'Renewing the session after joining an organization failed');
    }
  }
}
