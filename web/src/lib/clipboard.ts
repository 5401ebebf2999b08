import { notify } from './notify';

/** Puts a text on the clipboard and says so; a browser may refuse (no https, no permission), and then the person copies by hand. */
export async function copyText(text: string, said = 'Copied to clipboard!'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify.success(said);
  } catch {
    notify.error('The browser did not allow copying. Select the text and copy it yourself.');
  }
}
