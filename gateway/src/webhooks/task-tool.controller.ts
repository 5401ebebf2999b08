import { receiveWebhook } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { Controller, Req, Res } from '@nestjs/common';
import { CountedBy } from '../limits/limit.guard';
import { bytesOf, contextOf, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';

/** Hop-by-hop and credential headers that must not be forwarded. */
const notPassedOn = new Set(['cookie', 'authorization', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'host']);

/** Inbound webhooks of task tools: forwards the bytes and other headers unchanged, because the service verifies the signature. */
@Controller()
export class TaskToolController {
  constructor(private readonly services: Services) {}

  @ForOperation(receiveWebhook, { raw: true, bodyLimitBytes: 5 * 1024 * 1024 })
  @CountedBy('webhook')
  async receive(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const params = request.params as { provider: string; connectionId: string };
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined && !notPassedOn.has(name)) headers[name] = [value].flat().join(', ');
    }
    const body = { headers, body_base64: (bytesOf(request) ?? Buffer.alloc(0)).toString('base64') };
    const data = await this.services.call(receiveWebhook, contextOf(request, { type: 'task-tool' }, null), { params, body });
    await reply.status(receiveWebhook.status).send({ success: true, data, meta: { request_id: request.id } });
  }
}
