import { passwordRules } from '@tandem/contracts/values';

/** The rules of a new password for a form; the server has the last word (it knows the common ones). */
export const newPasswordRules = {
  required: 'Enter a new password',
  minLength: { value: passwordRules.minLength, message: `Password must be at least ${passwordRules.minLength} characters long` },
  maxLength: { value: passwordRules.maxLength, message: `Password must be at most ${passwordRules.maxLength} characters long` },
};
export const newPasswordHint = `At least ${passwordRules.minLength} characters, and not one that everybody uses.`;
