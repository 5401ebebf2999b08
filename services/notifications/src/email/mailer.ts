import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import type { NotificationsConfig } from '../config';

export interface OutgoingMail {
  message_id: string;
  to: string;
  from: { name: string; address: string };
  reply_to?: string;
  /** Envelope sender, which receives bounces; defaults to the From address. */
  bounce_to?: string;
  /** Signs the mail for the organization's own domain instead of the mail domain. */
  signature?: { domainName: string; keySelector: string; privateKey: string };
  in_reply_to: string | null;
  references: string[];
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

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
 * From domain as aligned. Mails from addresses outside this domain are not signed.
 */
function signatureOf({ MAIL_DOMAIN, DKIM_SELECTOR, DKIM_PRIVATE_KEY }: NotificationsConfig) {
  if (!DKIM_SELECTOR || !DKIM_PRIVATE_KEY) return undefined;
  return {
    options: { domainName: MAIL_DOMAIN, keySelector: DKIM_SELECTOR, privateKey: DKIM_PRIVATE_KEY, headerFieldNames: signedHeaders },
    signs: (address: string) => `.${address.slice(address.lastIndexOf('@') + 1).toLowerCase()}`.endsWith(`.${MAIL_DOMAIN}`),
  };
}

/**
 * The only file that uses SMTP. All timeouts together stay below `claimSeconds`, so a claim never expires while its worker is still
 * sending.
 */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly transport;
  private readonly signature;

  constructor(@Inject('CONFIG') config: NotificationsConfig) {
    this.signature = signatureOf(config);
    this.transport = createTransport({
      url: config.SMTP_URL,
      pool: true,
      maxConnections: 10,
      connectionTimeout: 5_000,
      greetingTimeout: 5_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    } as Parameters<typeof createTransport>[0]);
  }

  /** Resolves once the server has accepted the mail. Otherwise throws nodemailer's error, with `responseCode` if the server replied. */
  async send(mail: OutgoingMail): Promise<void> {
    await this.transport.sendMail({
      messageId: mail.message_id,
      from: mail.from,
      to: { name: '', address: mail.to },
      ...(mail.reply_to === undefined ? {} : { replyTo: mail.reply_to }),
      ...(mail.in_reply_to === null ? {} : { inReplyTo: mail.in_reply_to }),
      ...(mail.references.length === 0 ? {} : { references: mail.references }),
      envelope: { from: mail.bounce_to ?? mail.from.address, to: mail.to },
      ...this.signatureOf(mail),
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      headers: mail.headers,
    });
  }

  private signatureOf({ signature, from }: OutgoingMail) {
    if (signature) return { dkim: { ...signature, headerFieldNames: signedHeaders } };
    return this.signature?.signs(from.address) ? { dkim: this.signature.options } : {};
  }

  onApplicationShutdown() {
    this.transport.close();
  }
}
