import { surveyRatings } from '@tandem/contracts';
import type { TextKey, Translate } from '@tandem/languages';
import type { Theme } from './theme';

/** The texts of emails to customers, in one language. */
export type EmailTexts = Translate<TextKey<'email'>>;

export interface EmailLink {
  label: string;
  href: string;
}

/** A value with its name and its change from an earlier period. */
export interface EmailFigure {
  label: string;
  value: string;
  change?: FigureChange;
}
export interface FigureChange {
  /** Empty if nothing has changed. */
  arrow: '▲' | '▼' | '';
  /** States the change, and whether it is good or bad, without the arrow and the color. */
  text: string;
  tone: 'good' | 'bad' | 'neutral';
}

/** A chart of horizontal bars: one row per label, one column per series. */
export interface EmailChart {
  heading: string;
  /** The chart in one sentence. */
  summary: string;
  series: string[];
  /** `share` is the length of the bar, from 0 to 1. Without rows only the summary is shown. */
  rows: { label: string; bars: { share: number; value: string }[] }[];
}

/** A text that the email repeats, in a separate block. */
export interface EmailQuote {
  label: string;
  title?: string;
  text?: string;
  /** An internal note has the color that notes have in the app. */
  isNote?: boolean;
}

/** A row of the table of tickets: its link and its text. */
export interface EmailTicket {
  number: string;
  subject: string;
  href: string;
  lines: string[];
}

/** Content of an email, in display order. All strings are plain text and are escaped when rendered. */
export interface EmailContent {
  theme: Theme;
  /** The language of the email, and the texts around its content. Default: English. */
  texts?: EmailTexts;
  /** The reply delimiter, the first line of an email that can be answered. */
  delimiter?: string;
  /** The preview line that mail clients show next to the subject; defaults to the last paragraph. */
  preview?: string;
  /** Omitted if an author's message is the email. */
  heading?: string;
  /** The person whose message this is. */
  author?: { name: string; from: string };
  paragraphs?: string[];
  /** A complete message from a person, with its line breaks. */
  message?: string;
  /** The same from staff, in Markdown. The plain-text part contains it as it was written. */
  markdown?: string;
  /** Names of the files attached to that message. `action` is the page that has them. */
  files?: string[];
  quote?: EmailQuote;
  /** The ticket's new status, with its name. */
  status?: string;
  /** Values with their names. */
  facts?: { label: string; value: string }[];
  figures?: EmailFigure[];
  charts?: EmailChart[];
  tickets?: EmailTicket[];
  /** The one button. */
  action?: EmailLink;
  /** URL of the survey page. */
  survey?: string;
  closing?: string;
  /** A link to a related page, after the closing text. */
  footerLink?: EmailLink;
}

/** The five survey ratings, each with a link that answers in one click. */
export const surveyLinks = (survey: string, texts: EmailTexts): { rating: number; label: string; href: string }[] =>
  surveyRatings.map((rating) => ({ rating, label: texts(`rating.${rating}`), href: `${survey}&rating=${rating}` }));
