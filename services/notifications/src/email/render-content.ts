import { translator } from '@tandem/languages';
import type { EmailContent, EmailTexts } from './email-content';
import { renderHtml } from './html-part';
import { renderText } from './text-part';

/** What a template returns. */
export interface Rendered {
  subject: string;
  text: string;
  html: string;
  /** The URL that stops emails like this one: a GET shows a page, a POST unsubscribes. */
  unsubscribe?: string;
}

/** The texts of emails without a language: those of the product, and those to staff. */
export const englishTexts = (): EmailTexts => translator('email', 'en');

/** Renders both parts of an email. */
export function renderContent(content: EmailContent): Omit<Rendered, 'subject'> {
  const texts = content.texts ?? englishTexts();
  return { text: renderText({ ...content, texts }), html: renderHtml({ ...content, texts }) };
}
