import { Controller, Req, Res } from '@nestjs/common';
import type { GatewayReply, GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { EventStreams } from './event-streams';
import { streamEvents } from './stream-events';

@Controller()
export class LiveController {
  constructor(private readonly streams: EventStreams) {}

  @ForOperation(streamEvents)
  stream(@Req() request: GatewayRequest, @Res() reply: GatewayReply): void {
    const claims = request.user!;
    this.streams.admit(claims);
    const headers = {
      ...reply.getHeaders(),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    };
    reply.hijack();
    reply.raw.writeHead(200, headers as Record<string, string>);
    if (request.method === 'HEAD') return void reply.raw.end();
    // AllowGuard has made sure that the bearer belongs to an organization.
    this.streams.open(claims, claims.org!, reply.raw);
  }
}
