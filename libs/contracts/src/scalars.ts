import * as z from 'zod';
import { missing } from './messages';
import { ticketLimits } from './values/tickets';

const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
/**
 * Text that all parts of the system can store: no NUL (PostgreSQL rejects it), no lone surrogate (not UTF-8), no control character except
 * tab and line breaks (people do not type them, and JSON needs six bytes for each).
 */
const storable = (text: string) => !control.test(text) && text.isWellFormed();

/** Text exactly as typed, including leading and trailing spaces, for unfinished input. `required` is the message if it is missing. */
export const draftText = (max: number, required = 'This field is required') =>
  z
    .string(missing(required))
    .max(max, `Must be at most ${max} characters long`)
    .refine(storable, 'Contains characters that cannot be stored');

/** Free text of at most `max` UTF-16 units, trimmed. */
export const text = (max: number, required?: string) => draftText(max, required).trim();

/** Free text that must not be missing or blank; `message` is the error message if it is. */
export const requiredText = (max: number, message: string) => text(max, message).refine((value) => value.length > 0, message);

/** Optional free text: blank becomes null. */
export const blankToNull = (max: number) =>
  text(max)
    .nullish()
    .transform((value) => (value ? value : null));

const invalidEmail = 'Enter a valid email address';
/**
 * Lower-cased and trimmed, then checked as an address of at most 254 characters (RFC 5321).
 *
 * @param required the message if it is missing or blank
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

const enterPassword = 'Enter your current password';
/** The signed-in user's password, required again before sensitive changes, in case another person uses the open session. */
export const currentPassword = z.string(missing(enterPassword)).min(1, enterPassword).max(1024);

/** In lower case, as PostgreSQL writes UUIDs: ids are compared as strings, so an upper-case id must be normalized. */
export const Id = z.uuid('Not a valid id').toLowerCase();

/** ISO 8601 in UTC: the only format for times outside SQL. */
export const Timestamp = z.iso.datetime();
