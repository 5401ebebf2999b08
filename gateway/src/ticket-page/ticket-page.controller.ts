import { createHash } from 'node:crypto';
import {
  AppError,
  readTicket,
  readTicketPage,
  ticketPagePartNames,
  ticketPageParts,
  type Context,
  type Operation,
  type Ticket,
  type TicketPagePart,
} from '@tandem/contracts';
import { matchesTag, Services, splitAnswer, type ForwardResponse } from '@tandem/messaging';
import { fieldProblems } from '@tandem/platform';
import { Controller, Req, Res } from '@nestjs/common';
import { contextOfSession, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';

/** A slower part is left out: the page must not wait for the slowest service. */
const partTimeoutMs = 3_000;

type Query = Record<string, string | number>;
/** The JSON of one part; undefined if its service did not answer or returned an error. */
type PartJson = Buffer | undefined;
const nullJson = Buffer.from('null');

/** Parts that depend on the ticket: returns the query, or undefined if the part is null without a call. */
const queryFromTicket: Partial<Record<TicketPagePart, (ticket: Ticket) => Query | undefined>> = {
  sla: ({ response_due_at, resolution_due_at }) => ((response_due_at ?? resolution_due_at) ? {} : undefined),
  survey: ({ resolved_at, status }) => (resolved_at !== null || status === 'closed' ? {} : undefined),
  customer_tickets: ({ customer_email }) => ({ customer_email }),
};

/**
 * Composes the page of a ticket from the services that own its parts. Their responses are joined as bytes, without parsing or validating
 * them again.
 */
@Controller()
export class TicketPageController {
  constructor(private readonly services: Services) {}

  @ForOperation(readTicketPage)
  async read(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const params = readTicketPage.input.params.safeParse(request.params);
    if (!params.success) throw new AppError('request.invalid', { fields: fieldProblems(params.error) });
    const ctx = contextOfSession(request, request.user!);
    // Throws `ticket.not_found` for an unknown id and for one of another organization.
    const ticket = this.services.call(readTicket, ctx, { params: params.data });
    const [known, ...parts] = await Promise.all([
      ticket,
      ...ticketPagePartNames.map((part) => this.load(ctx, part, params.data.id, ticket)),
    ]);
    await send(request, reply, compose(known, parts));
  }

  private async load(ctx: Context, part: TicketPagePart, id: string, ticket: Promise<Ticket>): Promise<PartJson> {
    const { operation, query: fixed = {} }: { operation: Operation; query?: Query } = ticketPageParts[part];
    const dependent = queryFromTicket[part];
    const query = dependent ? dependent(await ticket) : {};
    if (query === undefined) return nullJson;
    const path = operation.path.replace(':id', id) + searchOf({ ...fixed, ...query });
    try {
      return partJson(operation, await this.services.forward(operation, ctx, { path, headers: {}, timeoutMs: partTimeoutMs }));
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }
}

function searchOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search.toString()}`;
}

function partJson(operation: Operation, { status, body }: ForwardResponse): PartJson {
  if (status !== operation.status) return undefined;
  const { data, pagination } = splitAnswer(body);
  return operation.paginated ? Buffer.concat([Buffer.from('{"items":'), data, Buffer.from(`,"pagination":${pagination}}`)]) : data;
}

/** The JSON of the page; `parts` in the order of `ticketPagePartNames`. */
function compose(ticket: Ticket, parts: readonly PartJson[]): Buffer {
  const unavailable = ticketPagePartNames.filter((_, index) => parts[index] === undefined);
  const members = ticketPagePartNames.flatMap((part, index) => [Buffer.from(`,"${part}":`), parts[index] ?? nullJson]);
  const end = `,"unavailable":${JSON.stringify(unavailable)}}`;
  return Buffer.concat([Buffer.from(`{"ticket":${JSON.stringify(ticket)}`), ...members, Buffer.from(end)]);
}

/** The tag is weak because the request id in `meta` differs between two answers with the same content. */
async function send(request: GatewayRequest, reply: GatewayReply, data: Buffer): Promise<void> {
  const tag = `"${createHash('sha256').update(data).digest('base64url')}"`;
  void reply.header('etag', `W/${tag}`).header('cache-control', 'private, no-cache');
  if (matchesTag(tag, request.headers['if-none-match'])) return void (await reply.status(304).send());
  const meta = JSON.stringify({ request_id: request.id });
  await reply
    .status(readTicketPage.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(Buffer.concat([Buffer.from('{"success":true,"data":'), data, Buffer.from(`,"meta":${meta}}`)]));
}
