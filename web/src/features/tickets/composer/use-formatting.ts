import { isInline, pictureMarkdown } from '@tandem/contracts/values';
import type { RefObject } from 'react';
import { nameOfFile, refusalOf } from '../../../lib/uploads';
import {
  applied,
  breakLine,
  format,
  insertPictures,
  uniqueNames,
  withoutPicture,
  type Edit,
  type Format,
  type Selection,
} from './formatting';
import type { Composing } from './use-composer';

/**
 * Applies an edit to the text box. Where the browser supports it, the edit is inserted like typed input, so that the browser's undo reverts
 * it; the change event then updates the text.
 */
function applyEdit(element: HTMLTextAreaElement, edit: Edit, write: (text: string) => void) {
  element.focus();
  element.setSelectionRange(edit.from, edit.to);
  const command = edit.insert === '' ? 'delete' : 'insertText';
  const isDone = typeof document.execCommand === 'function' && document.execCommand(command, false, edit.insert);
  const select = () => element.setSelectionRange(edit.select.from, edit.select.to);
  // Immediately, because the user's next key may already move the cursor. Only text that React has yet to render needs the delay.
  if (isDone) return select();
  write(applied(element.value, edit));
  setTimeout(select);
}

/** Sets the cursor after React has rendered the text that it belongs to. */
export const placeCursor = (box: RefObject<HTMLTextAreaElement | null>, at?: number) =>
  setTimeout(() => {
    box.current?.focus();
    if (at !== undefined) box.current?.setSelectionRange(at, at);
  });

/** Edits the text of a box at its cursor or selection. */
export function useTextEdits(box: RefObject<HTMLTextAreaElement | null>, write: (text: string) => void) {
  const edit = (make: (selection: Selection) => Edit | undefined): boolean => {
    const element = box.current;
    const made = element && make({ text: element.value, from: element.selectionStart, to: element.selectionEnd });
    if (made) applyEdit(element, made, write);
    return Boolean(made);
  };
  return {
    edit,
    format: (as: Format) => void edit((selection) => format(selection, as)),
    breakLine: () => edit(breakLine),
  };
}

/** Formats the selection, and shows pasted and dropped pictures where the cursor is. */
export function useFormatting(box: RefObject<HTMLTextAreaElement | null>, { uploads, write, latestText }: Composing) {
  const { edit, ...edits } = useTextEdits(box, (text) => write({ text }));
  return {
    ...edits,
    addFiles: (files: File[]) => {
      const names = uniqueNames(
        files.map(({ name }) => nameOfFile(name)),
        uploads.uploads.map(({ name }) => name),
      );
      const named = files.map((file, index) => (file.name === names[index] ? file : new File([file], names[index]!, { type: file.type })));
      uploads.add(named);
      const pictures = named.filter((file) => isInline(file.type) && refusalOf(file) === undefined);
      if (pictures.length > 0)
        edit((selection) =>
          insertPictures(
            selection,
            pictures.map(({ name }) => name),
          ),
        );
    },
    removeFile: (key: string) => {
      const name = uploads.uploads.find((upload) => upload.key === key)?.name;
      uploads.remove(key);
      if (name !== undefined && latestText().includes(pictureMarkdown(name))) write({ text: withoutPicture(latestText(), name) });
    },
  };
}
