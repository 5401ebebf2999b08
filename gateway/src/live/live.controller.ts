import { AppError, markPresence, PresenceUpdate, streamEvents } from '@tandem/contracts';
import { fieldProblems } from '@tandem/platform';
import { Controller, Req, Res } from '@nestjs/common';
import { bodyOf } from '../auth/body';
import { contextOfSession, organizationOf, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { KnownTickets } from '../routes/known-tickets';
import { EventStreams } from './event-streams';
import { beginStream } from './open-stream';
import { PresenceStore } from './presence';

@Controller()
export class LiveController {
  constructor(
    private readonly streams: EventStreams,
    private readonly presence: PresenceStore,
    private readonly tickets: KnownTickets,
  ) {}

  @ForOperation(streamEvents)
  stream(@Req() request: GatewayRequest, @Res() reply: GatewayReply): void {
    const claims = request.user!;
    const organization_id = organizationOf(claims);
    const query = streamEvents.input.query.safeParse(request.query);
    if (!query.success) throw new AppError('request.invalid', { fields: fieldProblems(query.error) });
    this.streams.admit(claims);
    const response = beginStream(request, reply);
    if (response === undefined) return;
    this.streams.open(claims, organization_id, response, query.data.since_ms);
  }

  @ForOperation(markPresence)
  async markPresence(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const params = markPresence.input.params.safeParse(request.params);
    if (!params.success) throw new AppError('request.invalid', { fields: fieldProblems(params.error) });
    const { state, visit } = bodyOf(request, PresenceUpdate);
    // Users only: API tokens have no presence.
    const { sub: user_id } = request.user!;
    const organization_id = organizationOf(request.user!);
    await this.tickets.check(contextOfSession(request, request.user!), params.data.id);
    const people = await this.presence.mark({ organization_id, ticket_id: params.data.id, user_id }, state, visit);
    const data = people.filter((person) => person.user_id !== user_id);
    await reply
      .status(200)
      .header('cache-control', 'no-store')
      .send({ success: true, data, meta: { request_id: request.id } });
  }
}
