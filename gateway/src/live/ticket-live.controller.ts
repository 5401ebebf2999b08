import { followTicket, readPublicTicket } from '@tandem/contracts';
import { normalizeIp } from '@nestjs/throttler';
import { Controller, Req, Res } from '@nestjs/common';
import { OrganizationOfRequest } from '../host/organization-of-request';
import type { GatewayReply, GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { OperationForwarder } from '../routes/operation-routes';
import { beginStream } from './open-stream';
import { TicketStreams, type Following } from './ticket-streams';

@Controller()
export class TicketLiveController {
  constructor(
    private readonly streams: TicketStreams,
    private readonly organizations: OrganizationOfRequest,
    private readonly forwarder: OperationForwarder,
  ) {}

  /** A client that may not read the ticket gets the same error as when it reads the ticket. */
  @ForOperation(followTicket)
  async follow(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const organization_id = (await this.organizations.find(followTicket, request))!;
    const ticket_id = (request.params as { id: string }).id.toLowerCase();
    const address = normalizeIp(request.ip);
    const following = this.streams.follow(organization_id, ticket_id, address);
    try {
      const answer = await this.forwarder.forward(readPublicTicket, request);
      if (answer.status === readPublicTicket.status) return this.open(following, { ticket_id, address }, request, reply);
      following.drop();
      await this.forwarder.send(reply, answer);
    } catch (error) {
      following.drop();
      throw error;
    }
  }

  private open(following: Following, who: { ticket_id: string; address: string }, request: GatewayRequest, reply: GatewayReply): void {
    // No await between this check and `open`, so that concurrent requests cannot exceed the limit.
    this.streams.admit(who.ticket_id, who.address);
    const response = beginStream(request, reply);
    if (response === undefined) following.drop();
    else following.open(response);
  }
}
