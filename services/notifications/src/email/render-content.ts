import type { EmailContent } from './email-content';
import { renderHtml } from './html-part';
import { renderText } from './text-part';

/** What a template returns. */
export interface Rendered {
  subject: string;
  text: string;
  html: string;
  /** The URL that stops mails like this one: a GET shows a page, a POST unsubscribes. */
  unsubscribe?: string;
}

/** Renders both parts of a mail. */
export const renderContent = (content: EmailContent): Omit<Rendered, 'subject'> => ({
  text: renderText(content),
  html: renderHtml(content),
});
