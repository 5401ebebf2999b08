import { eventually, type EventuallyOptions } from './eventually';
import { testServers } from './servers';

/** An email as the mail catcher shows it (deploy/local/mail-store.ts). */
export interface Mail {
  id: string;
  message_id: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  /** Every http(s) address in text and HTML, without duplicates, in reading order. */
  links: string[];
  received_at: string;
  /** Header names are in lower case. */
  headers: Record<string, string>;
}

export interface MailFilter {
  /** One address, compared case-insensitively. All tests of a run share the mailbox: use unique addresses. */
  to: string;
  /** The exact subject, or a pattern that matches it. */
  subject?: string | RegExp;
}

/** The emails that the services under test have sent, by real SMTP. */
export const mailbox = {
  /** The emails received so far, newest first. */
  async find({ to, subject }: MailFilter): Promise<Mail[]> {
    // An idle connection would keep Jest's worker running after its last test file.
    const headers = { connection: 'close' };
    const response = await fetch(`${testServers().mailboxUrl}/api/messages?to=${encodeURIComponent(to)}`, { headers });
    if (!response.ok) throw new Error(`The mailbox answered ${response.status}`);
    const mails = (await response.json()) as Mail[];
    const matches = (mail: Mail) =>
      subject === undefined || (typeof subject === 'string' ? mail.subject === subject : subject.test(mail.subject));
    return mails.filter(matches);
  },

  /** The newest match, as soon as there is one. */
  async waitFor(filter: MailFilter, options?: EventuallyOptions): Promise<Mail> {
    return eventually(async () => {
      const [mail] = await this.find(filter);
      if (!mail)
        throw new Error(`No mail to ${filter.to}${filter.subject === undefined ? '' : ` with the subject ${String(filter.subject)}`}`);
      return mail;
    }, options);
  },
};
