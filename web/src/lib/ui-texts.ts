/**
 * The texts of shared components and messages. They are in English on staff pages, which load no catalog; customer pages replace them with
 * those of their language (keys `ui.…` of the catalog `portal`).
 */
export const englishUiTexts = {
  optional: 'Optional',
  try_again: 'Try Again',
  loading: 'Loading',
  error: 'Error',
  notifications: 'Notifications',
  just_now: 'just now',
  back_home: 'Back to home',
  offline: 'Offline. Your text is saved',
  waiting_list: 'Sent when you are back online',
  waiting: '{label} is sent when you’re back online',
  withdraw: 'Withdraw',
  withdraw_label: 'Withdraw: {label}',
  attach: 'Attach files',
  attached: 'Attached files',
  drop: 'Drop files to attach them',
  uploading: 'Uploading {name}',
  retry: 'Try again',
  retry_label: 'Try again: {name}',
  remove: 'Remove',
  remove_label: 'Remove {name}',
  file_attached: '{name} is attached',
  file_empty: 'The file is empty',
  file_too_large: 'Files can be up to {size} MB',
  too_many_files: 'At most {count} files',
  upload_failed: 'Couldn’t upload the file',
  upload_lost: 'The connection was lost. Check it and try again.',
  crash: 'Something went wrong',
  crash_text: 'An unexpected error occurred. Please try refreshing the page or contact support if the problem persists.',
  refresh: 'Refresh Page',
};

export type UiTextKey = keyof typeof englishUiTexts;
type Values = Record<string, string | number>;

interface UiLanguage {
  /** For `Intl`. */
  locale: string;
  translate: (key: UiTextKey, values: Values) => string;
}

/** The English text with its values, also for parts that translate only some of these texts. */
export const englishUiText: UiLanguage['translate'] = (key, values) =>
  englishUiTexts[key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

const inEnglish: UiLanguage = { locale: 'en-US', translate: englishUiText };
let current = inEnglish;

/** Without an argument: English, as on staff pages. */
export function setUiLanguage(language: UiLanguage = inEnglish): void {
  current = language;
}
export const uiText = (key: UiTextKey, values: Values = {}): string => current.translate(key, values);
/** `en-US` on staff pages. */
export const uiLocale = (): string => current.locale;
