import { AppError, listApiTokenRequests, listApiTokens } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { fieldProblems } from '@tandem/platform';
import { Controller, Req, Res } from '@nestjs/common';
import { contextOfSession, organizationOf, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { ApiTokenRequestLog } from './api-token-request-log';

/** The id of an entry in a Redis stream. */
const cursorForm = /^\d{1,15}-\d{1,15}$/;

@Controller()
export class ApiTokenController {
  constructor(
    private readonly services: Services,
    private readonly log: ApiTokenRequestLog,
  ) {}

  @ForOperation(listApiTokenRequests)
  async listRequests(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const params = listApiTokenRequests.input.params.safeParse(request.params);
    const query = listApiTokenRequests.input.query.safeParse(request.query);
    if (!params.success) throw new AppError('request.invalid', { fields: fieldProblems(params.error) });
    if (!query.success) throw new AppError('request.invalid', { fields: fieldProblems(query.error) });
    const { cursor, limit } = query.data;
    if (cursor !== undefined && !cursorForm.test(cursor))
      throw new AppError('request.invalid', { fields: [{ path: 'cursor', code: 'invalid', message: 'Invalid cursor' }] });
    const claims = request.user!;
    const tokens = await this.services.call(listApiTokens, contextOfSession(request, claims), {});
    if (!tokens.some(({ id }) => id === params.data.id)) throw new AppError('api_token.not_found');
    const data = await this.log.read({ id: params.data.id, organization_id: organizationOf(claims) }, limit, cursor);
    await reply
      .status(200)
      .header('cache-control', 'private, no-store')
      .send({ success: true, data, meta: { request_id: request.id } });
  }
}
