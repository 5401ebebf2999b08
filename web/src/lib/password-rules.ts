import { passwordRules } from '@tandem/contracts/values';
import { t } from './staff-texts';

/** Form rules for a new password. The server checks more: it also rejects common passwords. */
export const newPasswordRules = {
  required: t('lib.enter_new_password'),
  minLength: { value: passwordRules.minLength, message: t('lib.password_is_too_short', { min: passwordRules.minLength }) },
  maxLength: { value: passwordRules.maxLength, message: t('lib.password_is_too_long', { max: passwordRules.maxLength }) },
};
export const newPasswordHint = t('lib.password_hint', { min: passwordRules.minLength });
