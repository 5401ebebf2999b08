import { useLayoutEffect } from 'react';

/**
 * Replaces the HTML that came with the page (gateway/src/site/first-html.ts) with the app, once it shows the same page. What was typed
 * before is moved to the fields of the same names, with the focus, and the button that was pressed last is pressed in the app.
 */
export function replaceFirstHtml(): void {
  const first = document.getElementById('first-html');
  if (!first) return;
  for (const field of first.querySelectorAll<Field>('input, textarea')) {
    const own = counterpartOf(field) as Field | undefined;
    if (own?.value === '' && field.type !== 'radio' && field.value !== '') enter(own, field.value);
  }
  const focused = counterpartOf(document.activeElement);
  const pressed = counterpartOf(first.querySelector('[data-pressed]')); // before-app.js
  first.remove();
  focused?.focus();
  pressed?.click();
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Whether the browser still shows that HTML. */
export const hasFirstHtml = (): boolean => document.getElementById('first-html') !== null;

/** For pages that have such HTML. Before the first paint, so that no frame shows both or neither. */
export const useFirstHtml = (): void => useLayoutEffect(replaceFirstHtml, []);

/** The app's element for one of the first HTML, by its name or text, counted among equals. */
function counterpartOf(element: Element | null): HTMLElement | undefined {
  const equals = (root: string) =>
    [...document.querySelectorAll<HTMLElement>(`#${root} :is(a, button, input, textarea)`)].filter(
      (each) => element && labelOf(each) === labelOf(element),
    );
  return equals('root')[equals('first-html').indexOf(element as HTMLElement)];
}

const labelOf = (element: Element) => element.getAttribute('name') ?? element.getAttribute('aria-label') ?? element.textContent;

/** Sets the value as typing does: React overrides the property, and listens to the event. */
function enter(field: Field, value: string): void {
  const { prototype } = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
