import type { FieldProblem, UpdateProfile } from '@tandem/contracts';
import { commonPasswords } from './common-passwords';

/** The same message whether the address is new, unconfirmed or taken, so that it does not reveal which (docs/product-rules.md#sign-in). */
export const checkYourEmail = 'Please check your email to confirm your account.';

/** The same message whether or not the account exists. */
export const checkForReset = 'If that address has an account, we have just sent a link to it.';
/** The same message for free and taken addresses: an email is sent to both. */
export const checkNewAddress = 'We’ve sent an email to that address. Open its link to start signing in with it.';

/** How long the emailed links work. */
export const confirmationHours = 24;
export const resetHours = 1;
export const emailChangeHours = 24;
/** Unconfirmed accounts are deleted after this time: the sign-up was abandoned, or not made by the owner of the address. */
export const unconfirmedDays = 30;
/** Maximum number of emails per hour that unauthenticated forms may send to one address. */
export const mailsPerHour = 5;
export const mailWindowSeconds = 3_600;
/**
 * Minimum response time of every request that depends on whether an address is known. Known and unknown addresses run different statements,
 * and the response time must not reveal which. Far longer than either takes on an idle machine.
 */
export const minResponseMs = 150;

const leet: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' };
const unleet = (text: string): string => text.replace(/[013457@$!]/g, (character) => leet[character] ?? character);
/** Strips the digits and symbols that people add before and after a word to satisfy password rules. */
const core = (text: string): string => text.replace(/^[^a-z]+|[^a-z]+$/g, '');

/**
 * Why a new password is rejected, apart from its length: it is very common, has fewer than three different characters, or is derived from
 * the address or the product's name.
 *
 * @param path the form field of the password
 */
export function passwordProblem(password: string, email: string, path = 'password'): FieldProblem | undefined {
  const refusal = (code: string, message: string): FieldProblem => ({ path, code, message });
  const lower = password.toLowerCase();
  const bare = core(lower);
  if ([lower, bare, core(unleet(lower)), unleet(bare)].some((form) => commonPasswords.has(form)) || new Set(lower).size < 3) {
    return refusal('password_common', 'This password is too common. Choose another one.');
  }
  const local = email.slice(0, email.lastIndexOf('@'));
  if ([email, local, 'tandem'].some((word) => lower === word || (bare !== '' && bare === core(word)))) {
    return refusal('password_context', 'Choose a password that isn’t based on your email address or our name.');
  }
  return undefined;
}

/** The same for a password change; also rejects the current password. */
export function changedPasswordProblem(current: string, next: string, email: string): FieldProblem | undefined {
  if (next === current) {
    return { path: 'new_password', code: 'password_same', message: 'Choose a password that differs from the current one.' };
  }
  return passwordProblem(next, email, 'new_password');
}

/**
 * The first name for the greeting of an email to an unconfirmed address. An unauthenticated client typed it, so it must not contain
 * anything that mail clients turn into a link, nor a message in place of a name.
 */
export const salutationName = (first_name: string | null): string | null =>
  first_name !== null && first_name.length <= 40 && /^\p{L}[\p{L}\p{M}' -]*$/u.test(first_name) ? first_name : null;

/** Only the fields that differ from the saved ones. */
export function changedProfile(before: Required<UpdateProfile>, changes: UpdateProfile): UpdateProfile {
  const changed: UpdateProfile = {};
  if (changes.signature !== undefined && changes.signature !== before.signature) changed.signature = changes.signature;
  if (changes.first_name !== undefined && changes.first_name !== before.first_name) changed.first_name = changes.first_name;
  if (changes.last_name !== undefined && changes.last_name !== before.last_name) changed.last_name = changes.last_name;
  return changed;
}

/** Makes `work` take at least `ms`, whether it succeeds or fails. */
export async function withMinimumTime<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work(), new Promise((resolve) => setTimeout(resolve, ms))]);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
