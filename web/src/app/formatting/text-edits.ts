import type { RefObject } from 'react';
import { applied, breakLine, format, type Edit, type Format, type Selection } from './formatting';

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
