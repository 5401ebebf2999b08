import { Controller, Inject } from '@nestjs/common';
import {
  AppError,
  deleteMailServer,
  readMailServer,
  saveMailServer,
  sendTestEmail,
  type InputOf,
  type MailServer,
  type ProblemCode,
  type TenantContext,
  type TestEmail,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { EmailTokens, Secrets, type Logger } from '@tandem/platform';
import type { NotificationsConfig } from '../config';
import { routeOf, type ComposeInput } from '../email/compose';
import { findOrganization } from '../email/email.store';
import { Mailer, type OutgoingMail } from '../email/mailer';
import { testEmail } from '../email/templates/test-email';
import { oneLine } from '../email/text';
import { organizationTheme } from '../email/theme';
import type { NotificationsSchema } from '../schema';
import { mailServerPurpose } from './mail-server';
import { failureOf } from './mail-server-failure';
import { announceMailServer } from './mail-server-health';
import {
  deleteMailServer as deleteRow,
  findMailServer,
  releaseEmails,
  saveMailServer as saveRow,
  type MailServerRow,
} from './mail-server.store';
import type { OwnMailServer } from './own-mail-server';

/** Below the ten seconds after which the gateway gives up the call. */
const testMs = 8_000;

type Route = ReturnType<typeof routeOf>;
/** The caller's own address, and the organization as emails show it. */
interface Recipient {
  to: string;
  organization: NonNullable<ComposeInput['organization']>;
}

/** The organization's own SMTP server, and test emails. */
@Controller()
export class MailServerService {
  constructor(
    private readonly db: Database<NotificationsSchema>,
    private readonly secrets: Secrets,
    private readonly tokens: EmailTokens,
    private readonly mailer: Mailer,
    @Inject('CONFIG') private readonly config: NotificationsConfig,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  @Handles(readMailServer)
  async read(ctx: TenantContext): Promise<MailServer | null> {
    const row = await this.db.readTenant(ctx, (tx) => findMailServer(tx, ctx.organization_id));
    return row ? shown(row) : null;
  }

  /** Sends the test before saving, outside a transaction: a server that fails is never in use, and the previous one stays. */
  @Handles(saveMailServer)
  async save(ctx: TenantContext, { body }: InputOf<typeof saveMailServer>): Promise<MailServer> {
    const { organization_id } = ctx;
    const host = body.host.toLowerCase();
    const { port, security, from_address } = body;
    if (security === 'none' && !this.config.ALLOW_PRIVATE_OUTBOUND) throw invalid('security', 'Use TLS or STARTTLS');
    const before = await this.db.readTenant(ctx, (tx) => findMailServer(tx, organization_id));
    const auth =
      body.username === '' ? undefined : { user: body.username, pass: body.password ?? this.storedFor(before, { ...body, host }) };
    const server: OwnMailServer = { organization_id, host, port, security, from_address, auth };
    const route: Route = { sent_by: 'mail_server', address: from_address, server, bounce_to: from_address };
    await this.test(ctx, route, 'mail_server.test_failed');
    const sealed_password = auth ? this.secrets.seal(mailServerPurpose, auth.pass) : null;
    return this.db.forTenant(ctx, async (tx) => {
      const row = await saveRow(tx, { organization_id, host, port, security, username: auth?.user ?? null, sealed_password, from_address });
      await releaseEmails(tx, organization_id);
      await announceMailServer(tx, ctx, 'saved', row);
      return shown(row);
    });
  }

  @Handles(deleteMailServer)
  async delete(ctx: TenantContext): Promise<Record<string, never>> {
    return this.db.forTenant(ctx, async (tx) => {
      const gone = await deleteRow(tx, ctx.organization_id);
      if (!gone) throw new AppError('mail_server.not_found');
      await releaseEmails(tx, ctx.organization_id);
      await announceMailServer(tx, ctx, 'deleted', gone);
      return {};
    });
  }

  @Handles(sendTestEmail)
  sendTest(ctx: TenantContext): Promise<TestEmail> {
    return this.test(ctx, undefined, 'email.test_failed');
  }

  /** Sends only to the caller's own address, so that tests cannot reach others. Without a route, it uses that of emails to customers. */
  private async test(ctx: TenantContext, wanted: Route | undefined, problem: ProblemCode): Promise<TestEmail> {
    const { to, organization } = await this.recipientOf(ctx, problem);
    const id = newId();
    const open = (purpose: string, sealed: string) => this.secrets.open(purpose, sealed);
    const route = wanted ?? routeOf(organization, { tokens: this.tokens, open }, id);
    const { address, sent_by, server, ...rest } = route;
    const team = oneLine(organization.name, 80);
    const theme = organizationTheme(team, organization.branding, this.config.PUBLIC_URL);
    const mail: OutgoingMail = {
      ...testEmail({ from: address, sent_by, theme }),
      message_id: this.tokens.messageId(id, null),
      to,
      from: { name: `${team} Support`, address },
      reply_to: this.tokens.supportAddress(organization),
      ...rest,
      ...(server ? { server } : {}),
      in_reply_to: null,
      references: [],
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', 'X-Tandem-Loop': organization.organization_id },
    };
    try {
      const response = await this.mailer.test(mail, testMs);
      return { to, from: address, sent_by, response: oneLine(response, 300) };
    } catch (error) {
      throw this.failed(error, server, problem);
    }
  }

  private failed(error: unknown, server: OwnMailServer | undefined, problem: ProblemCode): AppError {
    this.log.warn({ err: error, host: server?.host }, 'A test email was not sent');
    if (!server) {
      const { response } = error as { response?: string };
      const answer = response === undefined ? 'It did not answer.' : `It answered: “${oneLine(response, 300)}”`;
      return new AppError(problem, { detail: `Our server did not accept the test email. ${answer}`, cause: error });
    }
    const { field, message } = failureOf(error, server);
    const fields = field === null ? {} : { fields: [{ path: field, code: 'refused', message }] };
    return new AppError(problem, { detail: message, ...fields, cause: error });
  }

  private recipientOf(ctx: TenantContext, problem: ProblemCode): Promise<Recipient> {
    const { organization_id, actor } = ctx;
    return this.db.forTenant(ctx, async (tx) => {
      const user_id = actor.type === 'user' ? actor.user_id : '';
      const member = await tx
        .selectFrom('members')
        .select('email')
        .where('organization_id', '=', organization_id)
        .where('user_id', '=', user_id)
        .executeTakeFirst();
      const organization = member && (await findOrganization(tx, organization_id, [], null))[0];
      // The events with the member and the organization have not arrived yet.
      if (!organization) throw new AppError(problem, { detail: 'Your account is still being set up. Try again in a minute.' });
      return { to: member.email, organization };
    });
  }

  /** The stored password, only for the same server and user: otherwise a changed server would get it. */
  private storedFor(before: MailServerRow | undefined, wanted: Pick<MailServerRow, 'host' | 'port' | 'security' | 'username'>): string {
    const same = (['host', 'port', 'security', 'username'] as const).every((key) => before?.[key] === wanted[key]);
    if (!same || before?.sealed_password == null) throw invalid('password', 'Enter the password');
    return this.secrets.open(mailServerPurpose, before.sealed_password);
  }
}

const invalid = (path: string, message: string) => new AppError('request.invalid', { fields: [{ path, code: 'required', message }] });

const shown = ({ host, port, security, username, from_address, failing_since, last_error, tested_at }: MailServerRow): MailServer => ({
  host,
  port,
  security,
  username,
  from_address,
  failing_since,
  last_error,
  tested_at,
});
