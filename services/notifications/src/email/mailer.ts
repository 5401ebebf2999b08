import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { withClientSpan } from '@tandem/platform';
import type { SendMailOptions } from 'nodemailer';
import type { NotificationsConfig } from '../config';
import { MailServerSlots, sendOnce, sendThrough, type OwnMailServer } from '../mail-server/own-mail-server';
import { smtpTransport } from '../mail-server/smtp-transport';
import { claimSeconds } from './email';

export interface OutgoingMail {
  message_id: string;
  to: string;
  /** The To header of a copy, which names the main recipient. Only `to` receives this email. */
  copy_of?: string;
  /** The Cc header; each of these addresses receives its own copy. */
  cc?: string[];
  from: { name: string; address: string };
  reply_to?: string;
  /** Envelope sender, which receives bounces; defaults to the From address. */
  bounce_to?: string;
  /** Signs the email for the organization's own domain instead of the mail domain. */
  signature?: { domainName: string; keySelector: string; privateKey: string };
  /** The organization's own server sends the email instead of the product's. */
  server?: OwnMailServer;
  in_reply_to: string | null;
  references: string[];
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

/** Time limit of an organization's own server for connecting, signing in and sending together. */
const ownServerMs = 20_000;
/**
 * The same for the product's server, with all attempts of nodemailer's pool. A claim leaves 15 seconds to compose the email and to record the
 * outcome; when it expires, another worker sends the email again.
 */
const sendMs = (claimSeconds - 15) * 1_000;
/** Some gateways of clouds drop a connection without notice that was idle for four minutes; servers wait for five (RFC 5321, 4.5.3.2.7). */
const idleMs = 120_000;

/** Nodemailer's own list lacks `List-Unsubscribe-Post`: without a signature over it, mail programs offer no one-click link (RFC 8058, 4). */
const signedHeaders = [
  'From',
  'Sender',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'To',
  'Cc',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'In-Reply-To',
  'References',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
].join(':');

/**
 * DKIM (RFC 6376) for the mail domain: one DNS record serves every organization's address below it, because DMARC treats the parent of the
 * From domain as aligned. Emails from addresses outside this domain are not signed.
 */
function signatureOf({ MAIL_DOMAIN, DKIM_SELECTOR, DKIM_PRIVATE_KEY }: NotificationsConfig) {
  if (!DKIM_SELECTOR || !DKIM_PRIVATE_KEY) return undefined;
  return {
    options: { domainName: MAIL_DOMAIN, keySelector: DKIM_SELECTOR, privateKey: DKIM_PRIVATE_KEY, headerFieldNames: signedHeaders },
    signs: (address: string) => `.${address.slice(address.lastIndexOf('@') + 1).toLowerCase()}`.endsWith(`.${MAIL_DOMAIN}`),
  };
}

/** Sends every email, through the product's server or an organization's own. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly transport;
  private readonly signature;
  private readonly slots = new MailServerSlots();

  constructor(@Inject('CONFIG') private readonly config: NotificationsConfig) {
    this.signature = signatureOf(config);
    this.transport = smtpTransport({
      url: config.SMTP_URL,
      pool: true,
      maxConnections: 10,
      connectionTimeout: 5_000,
      greetingTimeout: 5_000,
      idleTimeout: idleMs,
      // Also closes idle connections, and must therefore be longer than `idleTimeout`; `sendMs` limits the time of an email.
      socketTimeout: idleMs + sendMs,
    });
  }

  /**
   * Resolves once the server has accepted the email. Otherwise throws nodemailer's error, with `responseCode` if the server replied, or
   * `MailServerFailed` if the organization's own server fails for every email.
   */
  async send(mail: OutgoingMail): Promise<void> {
    const { server } = mail;
    const message = this.messageOf(mail);
    await withClientSpan('SMTP send', { 'server.address': server?.host ?? new URL(this.config.SMTP_URL).hostname }, async () => {
      if (!server) await this.sendThroughPool(message);
      else await this.slots.run(server.organization_id, () => sendThrough(server, message, this.ownServerOptions(ownServerMs)));
    });
  }

  /** Sends while a user waits. Returns the server's response; throws what the connection or the server reports. */
  async test(mail: OutgoingMail, timeoutMs: number): Promise<string> {
    const message = this.messageOf(mail);
    if (mail.server) return sendOnce(mail.server, message, this.ownServerOptions(timeoutMs));
    const signal = AbortSignal.timeout(timeoutMs);
    const { response } = (await this.transport.sendMail({ ...message, signal })) as { response: string };
    return response;
  }

  private async sendThroughPool(message: SendMailOptions): Promise<void> {
    const signal = AbortSignal.timeout(sendMs);
    try {
      await this.transport.sendMail({ ...message, signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new Error(`The mail server did not accept the email within ${sendMs / 1_000} seconds`, { cause: error });
    }
  }

  private ownServerOptions(timeoutMs: number) {
    return { allowPrivate: this.config.ALLOW_PRIVATE_OUTBOUND, timeoutMs };
  }

  private messageOf(mail: OutgoingMail): SendMailOptions {
    return {
      messageId: mail.message_id,
      from: mail.from,
      to: { name: '', address: mail.copy_of ?? mail.to },
      ...(mail.cc === undefined ? {} : { cc: mail.cc.map((address) => ({ name: '', address })) }),
      ...(mail.reply_to === undefined ? {} : { replyTo: mail.reply_to }),
      ...(mail.in_reply_to === null ? {} : { inReplyTo: mail.in_reply_to }),
      ...(mail.references.length === 0 ? {} : { references: mail.references }),
      envelope: { from: mail.bounce_to ?? mail.from.address, to: mail.to },
      ...this.signatureOf(mail),
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      headers: mail.headers,
    };
  }

  private signatureOf({ signature, from, server }: OutgoingMail) {
    if (server) return {};
    if (signature) return { dkim: { ...signature, headerFieldNames: signedHeaders } };
    return this.signature?.signs(from.address) ? { dkim: this.signature.options } : {};
  }

  onApplicationShutdown() {
    this.transport.close();
  }
}
