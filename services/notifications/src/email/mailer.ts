import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import type { NotificationsConfig } from '../config';

export interface OutgoingMail {
  message_id: string;
  to: string;
  sender_name: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

/** The only file that knows SMTP. Time-outs together stay below `claimSeconds`, so that a claim never ends under a living worker. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly transport;

  constructor(@Inject('CONFIG') private readonly config: NotificationsConfig) {
    this.transport = createTransport({
      url: config.SMTP_URL,
      pool: true,
      maxConnections: 5,
      connectionTimeout: 5_000,
      greetingTimeout: 5_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    } as Parameters<typeof createTransport>[0]);
  }

  /** Resolves once the server has accepted the mail; otherwise throws nodemailer's error, with `responseCode` where the server answered. */
  async send(mail: OutgoingMail): Promise<void> {
    await this.transport.sendMail({
      messageId: mail.message_id,
      from: { name: mail.sender_name, address: this.config.MAIL_FROM },
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      headers: mail.headers,
    });
  }

  onApplicationShutdown() {
    this.transport.close();
  }
}
