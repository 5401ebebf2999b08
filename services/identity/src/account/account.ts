import type { FieldProblem, UpdateProfile } from '@tandem/contracts';
import { commonPasswords } from './common-passwords';

/** Spec part 1, section 2. Said to everybody, whether the address was new, waiting for its confirmation, or taken. */
export const checkYourEmail = 'Please check your email to confirm your account.';

/** The same to everybody, whether or not there is such an account. */
export const checkForReset = 'If that address has an account, we have just sent a link to it.';
/** The same for a free and for a taken address: both are mailed. */
export const checkNewAddress = 'We have just sent a message to that address. Follow its link, and you sign in with it from then on.';

/** How long a mailed link works. */
export const confirmationHours = 24;
export const resetHours = 1;
export const emailChangeHours = 24;
/** An account whose address nobody has confirmed for so long was never wanted, or not by the owner of the address. */
export const unconfirmedDays = 30;
/** What strangers' forms may send to one address in an hour. */
export const mailsPerHour = 5;
export const mailWindowSeconds = 3_600;
/**
 * Whatever a stranger may ask about an address is answered no sooner than this: known and unknown addresses cost different statements, and the clock must
 * not tell which. Far above what either needs on an idle machine.
 */
export const evenAnswerMs = 150;

const leet: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' };
const unleet = (text: string): string => text.replace(/[013457@$!]/g, (character) => leet[character] ?? character);
/** Without the figures and signs that people put before and after a word to please a rule. */
const core = (text: string): string => text.replace(/^[^a-z]+|[^a-z]+$/g, '');

/**
 * Why a new password is refused beyond its length, if it is: it is among the first that anybody tries, made of one or two characters,
 * or made of the address or of the product's name.
 *
 * @param path the field that it was typed into
 */
export function passwordProblem(password: string, email: string, path = 'password'): FieldProblem | undefined {
  const refusal = (code: string, message: string): FieldProblem => ({ path, code, message });
  const lower = password.toLowerCase();
  const bare = core(lower);
  if ([lower, bare, core(unleet(lower)), unleet(bare)].some((form) => commonPasswords.has(form)) || new Set(lower).size < 3) {
    return refusal('password_common', 'This password is too common. Please choose another one.');
  }
  const local = email.slice(0, email.lastIndexOf('@'));
  if ([email, local, 'tandem'].some((word) => lower === word || (bare !== '' && bare === core(word)))) {
    return refusal('password_context', 'Please choose a password that is not made of your email address or our name.');
  }
  return undefined;
}

/** The same of a password that takes the place of another. */
export function changedPasswordProblem(current: string, next: string, email: string): FieldProblem | undefined {
  if (next === current) {
    return { path: 'new_password', code: 'password_same', message: 'Please choose a password other than the current one.' };
  }
  return passwordProblem(next, email, 'new_password');
}

/**
 * The name by which a mail to an unconfirmed address may greet: a stranger typed it, so nothing that a mail program would make a
 * link of, and no message in the place of a name.
 */
export const salutationName = (first_name: string | null): string | null =>
  first_name !== null && first_name.length <= 40 && /^\p{L}[\p{L}\p{M}' -]*$/u.test(first_name) ? first_name : null;

/** What a change of names really changes. */
export function changedNames(before: Required<UpdateProfile>, changes: UpdateProfile): UpdateProfile {
  const changed: UpdateProfile = {};
  if (changes.first_name !== undefined && changes.first_name !== before.first_name) changed.first_name = changes.first_name;
  if (changes.last_name !== undefined && changes.last_name !== before.last_name) changed.last_name = changes.last_name;
  return changed;
}

/** Lets work take at least `ms`: neither its success nor its failure shows sooner. */
export async function noSoonerThan<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work(), new Promise((resolve) => setTimeout(resolve, ms))]);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
