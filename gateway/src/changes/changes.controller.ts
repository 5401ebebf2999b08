import { AppError, streamChanges } from '@tandem/contracts';
import { fieldProblems } from '@tandem/platform';
import { Controller, Req, Res } from '@nestjs/common';
import { beginStream } from '../live/open-stream';
import { contextOfCaller, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { ChangeStreams, type StreamCaller } from './change-streams';

/** The client then reconnects, and its token, network and limits are checked again. */
const maxStreamMs = 60 * 60_000;

@Controller()
export class ChangesController {
  constructor(private readonly streams: ChangeStreams) {}

  @ForOperation(streamChanges)
  async stream(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const { 'last-event-id': lastEventId } = request.headers;
    const sent = lastEventId === undefined ? {} : { after: lastEventId };
    const query = streamChanges.input.query.safeParse({ ...(request.query as object), ...sent });
    if (!query.success) throw new AppError('request.invalid', { fields: fieldProblems(query.error) });
    const { after, include_internal_notes } = query.data;
    const caller = callerOf(request);
    this.streams.admit(caller);
    // Read before the stream starts, so that a failure is an ordinary response.
    const first = await this.streams.read(caller.ctx, after, include_internal_notes);
    this.streams.admit(caller);
    const response = beginStream(request, reply);
    if (response !== undefined) this.streams.open(caller, include_internal_notes, first, response);
  }
}

function callerOf(request: GatewayRequest): StreamCaller {
  const { organization_id, ...ctx } = contextOfCaller(request)!;
  if (organization_id === null) throw new AppError('organization.required');
  const { apiToken, user } = request;
  const ends = apiToken
    ? [apiToken.expires_at, apiToken.valid_until].flatMap((time) => (time === null ? [] : [Date.parse(time)]))
    : [user!.idle * 1000, user!.abs * 1000];
  return {
    ctx: { ...ctx, organization_id },
    until: Math.min(Date.now() + maxStreamMs, ...ends),
    ...(user && { access_version: user.ver }),
  };
}
