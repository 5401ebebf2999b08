import { notify } from './notify';
import { t } from './staff-texts';

/** Copies a text and confirms it with a toast. If the browser refuses (no https, no permission), asks the user to copy manually. */
export async function copyText(text: string, copiedMessage = t('lib.copied_to_clipboard')): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify.success(copiedMessage);
  } catch {
    notify.error(t('lib.browser_blocked_copying'));
  }
}
