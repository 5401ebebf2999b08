import { surveyRatingLabels, surveyRatings } from '@tandem/contracts';
import { letterHtml } from './letter-html';
import { letterText } from './letter-text';
import type { Look } from './look';

export interface LetterLink {
  label: string;
  href: string;
  note?: string;
}

/** One letter: all mails are one, in the order of its members. Each text in it is text, whoever typed it. */
export interface Letter {
  look: Look;
  /** The first line of what can be answered. */
  delimiter?: string;
  /** What lists of mails show beside the subject; the first paragraph unless said. */
  preview?: string;
  heading: string;
  paragraphs: string[];
  /** What somebody wrote, whole, in lines. */
  said?: string;
  /** Names of files that came with it. */
  files?: string[];
  /** What is to be known at a glance. */
  fact?: { label: string; value: string };
  links: LetterLink[];
  /** Where the customer says what they thought of it. */
  survey?: string;
  closing?: string;
  /** A page beside the matter itself, after the closing words. */
  choice?: LetterLink;
}

/** The five answers of a survey, each one click. */
export const ratingsOf = (survey: string): { rating: number; label: string; href: string }[] =>
  surveyRatings.map((rating) => ({ rating, label: surveyRatingLabels[rating]!, href: `${survey}&rating=${rating}` }));
export const surveyQuestion = 'How satisfied are you with the support you received?';

/** Both parts of a mail. */
export const write = (letter: Letter): { text: string; html: string } => ({ text: letterText(letter), html: letterHtml(letter) });
