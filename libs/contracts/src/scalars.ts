import * as z from 'zod';
import { missing } from './messages';
import { ticketLimits } from './values/tickets';

const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
/**
 * Text that every part of the house can carry: no NUL (PostgreSQL refuses it), no lone surrogate (not UTF-8), no control character but
 * tab and line breaks (nobody types them, and JSON makes six bytes of each).
 */
const storable = (text: string) => !control.test(text) && text.isWellFormed();

/** Text as it was typed, blanks at both ends included: what is not finished yet. `required` is said where it is missing. */
export const draftText = (max: number, required = 'This field is required') =>
  z
    .string(missing(required))
    .max(max, `Must be at most ${max} characters long`)
    .refine(storable, 'Contains characters that cannot be stored');

/** Free text of at most `max` UTF-16 units, trimmed. */
export const text = (max: number, required?: string) => draftText(max, required).trim();

/** Free text that must not be missing or blank; `message` is what the person reads when it is. */
export const requiredText = (max: number, message: string) => text(max, message).refine((value) => value.length > 0, message);

/** Optional free text: blank becomes null (spec part 2, section 5: 'stored as null'). */
export const blankToNull = (max: number) =>
  text(max)
    .nullish()
    .transform((value) => (value ? value : null));

const invalidEmail = 'Enter a valid email address';
/**
 * Lower-cased and trimmed, then checked as an address of at most 254 characters (RFC 5321).
 *
 * @param required what the person reads where it is missing or blank
 */
export const email = (required = invalidEmail) =>
  z
    .string(missing(required))
    .max(ticketLimits.email, invalidEmail)
    .refine(storable, invalidEmail)
    .trim()
    .toLowerCase()
    .pipe(z.string().min(1, required))
    .pipe(z.email(invalidEmail));

/** In lower case, as PostgreSQL writes it: ids are compared as text, and the same one in capitals must be the same. */
export const Id = z.uuid('Not a valid id').toLowerCase();

/** ISO 8601 in UTC: the only form of time outside SQL. */
export const Timestamp = z.iso.datetime();
