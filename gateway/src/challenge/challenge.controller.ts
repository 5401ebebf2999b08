import { readChallenge } from '@tandem/contracts';
import { Controller, Req, Res } from '@nestjs/common';
import type { GatewayReply, GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { Challenges } from './challenges';

@Controller()
export class ChallengeController {
  constructor(private readonly challenges: Challenges) {}

  @ForOperation(readChallenge)
  async read(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const data = await this.challenges.create();
    await reply
      .status(200)
      .header('cache-control', 'no-store')
      .send({ success: true, data, meta: { request_id: request.id } });
  }
}
