import * as z from 'zod';
import { ticketLimits } from './values/tickets';

const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
/**
 * Text that every part of the house can carry: no NUL (PostgreSQL refuses it), no lone surrogate (not UTF-8), no control character but
 * tab and line breaks (nobody types them, and JSON makes six bytes of each).
 */
const storable = (text: string) => !control.test(text) && text.isWellFormed();

/** Text as it was typed, blanks at both ends included: what is not finished yet. */
export const draftText = (max: number) =>
  z.string().max(max, `Must be at most ${max} characters long`).refine(storable, 'Contains characters that cannot be stored');

/** Free text of at most `max` UTF-16 units, trimmed. */
export const text = (max: number) => draftText(max).trim();

/** Free text that must not be blank; `message` is what the person reads when it is. */
export const requiredText = (max: number, message: string) => text(max).refine((value) => value.length > 0, message);

/** Optional free text: blank becomes null (spec part 2, section 5: 'stored as null'). */
export const blankToNull = (max: number) =>
  text(max)
    .nullish()
    .transform((value) => (value ? value : null));

/** Lower-cased and trimmed (spec part 2, section 5), then checked as an address of at most 254 characters (RFC 5321). */
export const email = (message = 'Enter a valid email address') =>
  z.string().max(ticketLimits.email, message).refine(storable, message).trim().toLowerCase().pipe(z.email(message));

/** In lower case, as PostgreSQL writes it: ids are compared as text, and the same one in capitals must be the same. */
export const Id = z.uuid('Not a valid id').toLowerCase();

/** ISO 8601 in UTC: the only form of time outside SQL. */
export const Timestamp = z.iso.datetime();
