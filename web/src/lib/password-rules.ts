import { passwordRules } from '@tandem/contracts/values';

/** Form rules for a new password. The server checks more: it also rejects common passwords. */
export const newPasswordRules = {
  required: 'Enter a new password',
  minLength: { value: passwordRules.minLength, message: `Password must be at least ${passwordRules.minLength} characters long` },
  maxLength: { value: passwordRules.maxLength, message: `Password must be at most ${passwordRules.maxLength} characters long` },
};
export const newPasswordHint = `At least ${passwordRules.minLength} characters. Avoid common passwords.`;
