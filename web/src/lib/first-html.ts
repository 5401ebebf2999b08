import { useLayoutEffect } from 'react';

/**
 * Replaces the HTML that came with the page (gateway/src/site/first-html.ts) with the app, once it shows the same page. What was typed
 * before is moved to the fields of the same names, with the focus.
 */
export function replaceFirstHtml(): void {
  const first = document.getElementById('first-html');
  if (!first) return;
  const fields = [...first.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input[name], textarea[name]')];
  const { activeElement } = document;
  first.remove();
  for (const { name, value, type } of fields) {
    if (type === 'radio' || value === '') continue;
    const field = fieldOf(name);
    if (field?.value === '') enter(field, value);
  }
  if (activeElement !== null && first.contains(activeElement)) fieldOf(activeElement.getAttribute('name'))?.focus();
}

/** Whether the browser still shows that HTML. */
export const hasFirstHtml = (): boolean => document.getElementById('first-html') !== null;

/** For pages that have such HTML. Before the first paint, so that no frame shows both or neither. */
export const useFirstHtml = (): void => useLayoutEffect(replaceFirstHtml, []);

const fieldOf = (name: string | null) =>
  document.querySelector<HTMLInputElement | HTMLTextAreaElement>(`#root [name="${CSS.escape(name ?? '')}"]`) ?? undefined;

/** Sets the value as typing does: React overrides the property, and listens to the event. */
function enter(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  const { prototype } = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
