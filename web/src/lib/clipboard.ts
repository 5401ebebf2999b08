import { notify } from './notify';

/** Copies a text and confirms it with a toast. If the browser refuses (no https, no permission), asks the user to copy manually. */
export async function copyText(text: string, copiedMessage = 'Copied to clipboard!'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify.success(copiedMessage);
  } catch {
    notify.error('Your browser blocked copying. Select the text and copy it.');
  }
}
