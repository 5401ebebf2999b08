import { Controller, Inject } from '@nestjs/common';
import {
  AppError,
  deleteMailbox,
  listInboundMails,
  mailboxChanged,
  readMailIn,
  readOriginalMail,
  saveMailbox,
  type Context,
  type InboundMail,
  type InputOf,
  type Mailbox,
  type OriginalMail,
  type OutputOf,
  type Page,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { EmailTokens, Secrets, type ServiceConfig } from '@tandem/platform';
import type { TicketsSchema, TicketsTx } from '../schema';
import { checkTicket } from '../ticket/ticket.service';
import { withImap } from './imap';
import {
  deleteConnection,
  findConnection,
  findInboundMails,
  findMailbox,
  findOriginal,
  findSubdomain,
  saveConnection,
  type Connection,
} from './mailbox.store';

/** The purpose with which mailbox passwords are encrypted. */
export const mailboxPurpose = 'mailbox';

/** Time limit for the connection test, while a user waits in the form. */
const connectionTestMs = 20_000;

/** An organization's mail address, its connected mailbox, and received emails. */
@Controller()
export class MailboxService {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly secrets: Secrets,
    private readonly tokens: EmailTokens,
    @Inject('CONFIG') private readonly config: ServiceConfig,
  ) {}

  @Handles(readMailIn)
  read(ctx: Context): Promise<OutputOf<typeof readMailIn>> {
    const organization_id = organizationOf(ctx);
    return this.db.forTenant(ctx, async (tx) => {
      const subdomain = await findSubdomain(tx, organization_id);
      const address = this.tokens.supportAddress({ organization_id, subdomain });
      return { address, mailbox: (await findMailbox(tx, organization_id)) ?? null };
    });
  }

  /** Tests the connection before saving it; outside a transaction, because the mail server may be slow. */
  @Handles(saveMailbox)
  async save(ctx: Context, { body }: InputOf<typeof saveMailbox>): Promise<Mailbox> {
    const organization_id = organizationOf(ctx);
    const before = await this.db.forTenant(ctx, (tx) => findConnection(tx, organization_id));
    const password = body.password ?? this.#storedFor(before, body);
    const { password: _, ...wanted } = { ...body, host: body.host.toLowerCase() };
    if (body.is_active)
      await withImap({ ...wanted, password }, { allowPrivate: this.config.ALLOW_PRIVATE_OUTBOUND }, connectionTestMs, () =>
        Promise.resolve(),
      );
    const row = { organization_id, id: before?.id ?? newId(), ...wanted, sealed_password: this.secrets.seal(mailboxPurpose, password) };
    return this.db.forTenant(ctx, (tx) => this.#keep(tx, ctx, row));
  }

  @Handles(deleteMailbox)
  remove(ctx: Context): Promise<Record<string, never>> {
    return this.db.forTenant(ctx, async (tx) => {
      const gone = await deleteConnection(tx, organizationOf(ctx));
      if (!gone) throw new AppError('mailbox.not_connected');
      await emit(tx, ctx, mailboxChanged, gone.id, { what: 'disconnected', username: gone.username, host: gone.host });
      return {};
    });
  }

  @Handles(listInboundMails)
  list(ctx: Context, { query }: InputOf<typeof listInboundMails>): Promise<Page<InboundMail>> {
    return this.db.forTenant(ctx, (tx) => findInboundMails(tx, organizationOf(ctx), query));
  }

  @Handles(readOriginalMail)
  readOriginal(ctx: Context, { params, query }: InputOf<typeof readOriginalMail>): Promise<OriginalMail> {
    return this.db.forTenant(ctx, async (tx) => {
      await checkTicket(tx, params.id);
      const original = await findOriginal(tx, params.id, query.comment_id ?? null);
      if (!original) throw new AppError('email.not_found');
      return original;
    });
  }

  /** The stored password, only for the same server and user: otherwise a user who may change the server could have it sent to another. */
  #storedFor(before: Connection | undefined, { host, port, username }: InputOf<typeof saveMailbox>['body']): string {
    const isSame = before?.host === host.toLowerCase() && before.port === port && before.username === username;
    if (!isSame) throw new AppError('request.invalid', { fields: [{ path: 'password', code: 'required', message: 'Enter the password' }] });
    return this.secrets.open(mailboxPurpose, before.sealed_password);
  }

  async #keep(tx: TicketsTx, ctx: Context, row: Parameters<typeof saveConnection>[1]): Promise<Mailbox> {
    await saveConnection(tx, row);
    const { username, host } = row;
    await emit(tx, ctx, mailboxChanged, row.id, { what: 'connected', username, host });
    return (await findMailbox(tx, row.organization_id))!;
  }
}

function organizationOf({ organization_id }: Context): string {
  if (organization_id === null) throw new AppError('organization.required');
  return organization_id;
}
