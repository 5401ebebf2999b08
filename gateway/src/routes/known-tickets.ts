import { AppError, Id, readNotifications, readTicket, type Context, type Operation } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { Injectable } from '@nestjs/common';
import { bytesOf, type GatewayRequest } from '../request';

/** Tickets are never deleted, so entries never become wrong. The bounds limit memory. */
const knownMs = 5 * 60_000;
const capacity = 5_000;

/** The ticket that an operation of another service is about. That service does not know which tickets exist. */
export function foreignTicketOf(operation: Operation, request: GatewayRequest): unknown {
  if (operation === readNotifications) return ticketIn(bytesOf(request));
  if (operation.owner === 'tickets' || !operation.path.startsWith('/tickets/:id/')) return undefined;
  return (request.params as { id?: string }).id;
}

function ticketIn(body: Buffer | undefined): unknown {
  try {
    return (JSON.parse(body?.toString('utf8') ?? '') as { ticket_id?: unknown } | null)?.ticket_id;
  } catch {
    return undefined; // the service rejects the body
  }
}

/** Returns 404 for tickets outside the caller's organization, if the operation's service cannot check that itself. */
@Injectable()
export class KnownTickets {
  readonly #known = new Map<string, number>();
  constructor(private readonly services: Services) {}

  /**
   * Throws `ticket.not_found`. Malformed ids pass, since the service rejects them. While tickets is unavailable every id passes: the
   * service has no data about an unknown one.
   */
  async check(ctx: Context, ticket_id: unknown): Promise<void> {
    const id = Id.safeParse(ticket_id);
    if (!id.success || ctx.organization_id === null) return;
    const key = `${ctx.organization_id} ${id.data.toLowerCase()}`;
    if ((this.#known.get(key) ?? 0) > Date.now()) return;
    try {
      await this.services.call(readTicket, ctx, { params: { id: id.data } });
      this.#remember(key);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'service.unavailable') throw error;
    }
  }

  #remember(key: string): void {
    this.#known.delete(key);
    const oldest = this.#known.size >= capacity ? this.#known.keys().next().value : undefined;
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, Date.now() + knownMs);
  }
}
