import { useEffect, useLayoutEffect, useRef } from 'react';
import { createExternalStore } from './external-store';
import { storage } from './storage';

/** Actions by key: `j`, `Enter`, `?`, or a sequence of two: `g d`. An action without a key has a name, for the command palette. */
export type Keymap = Record<string, (() => void) | undefined>;

const bindings: { current: Keymap }[] = [];
const chordMs = 1_200;
let pending: { key: string; at: number } | undefined;

/** Checkboxes do not count as text input. */
const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && target.type === 'checkbox');
/** Open popups, and a select that is about to open: it is busy while its options load. */
const overlays = '[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[role=combobox][aria-busy=true]';
const overlayOpen = () => document.querySelector(overlays) !== null;
/** Whether a key belongs to the field that it was pressed in, or to an open popup. */
export const isKeyTaken = ({ target }: KeyboardEvent): boolean => typing(target) || overlayOpen();
/** Links and buttons handle Enter themselves. */
const ownsEnter = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('a,button,[role=button],[role=combobox],summary') !== null;

function find(name: string): (() => void) | undefined {
  // The component that was mounted last (a detail over its list) takes precedence.
  for (let index = bindings.length - 1; index >= 0; index -= 1) {
    const action = bindings[index]?.current[name];
    if (action) return action;
  }
  return undefined;
}

/** Whether the page has an action for this key now. */
export const hasAction = (name: string): boolean => find(name) !== undefined;

/** Runs an action as its key does, even while single keys are off. */
export function runAction(name: string): void {
  find(name)?.();
}

const isStep = (key: string) => /^[jk]$/.test(key);
let isStepHeld = false;
const waitingForRelease = new Set<() => void>();

function onKeyUp({ key }: KeyboardEvent): void {
  // Released with Shift, the key is a capital letter.
  if (/^[jk]$/i.test(key)) releaseStep();
}
function releaseStep(): void {
  isStepHeld = false;
  const waiting = [...waitingForRelease];
  waitingForRelease.clear();
  for (const run of waiting) run();
}

/** Whether `j` or `k` is held: rows then move under a resting pointer. */
export const isStepping = (): boolean => isStepHeld;

/** Runs `run` once `j` and `k` are released, immediately if they are not held. Returns a function that cancels it. */
export function whenStepReleased(run: () => void): () => void {
  if (!isStepHeld) run();
  else waitingForRelease.add(run);
  return () => void waitingForRelease.delete(run);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || (event.repeat === true && !isStep(event.key))) return;
  if (event.ctrlKey || event.metaKey || event.altKey || isKeyTaken(event) || !singleKeys.get()) return;
  if (event.key === 'Enter' && ownsEnter(event.target)) return;
  const chord = pending && Date.now() - pending.at < chordMs ? `${pending.key} ${event.key}` : event.key;
  pending = undefined;
  const action = find(chord);
  if (action) {
    event.preventDefault();
    if (isStep(chord)) isStepHeld = true;
    action();
  } else if (bindings.some(({ current }) => Object.keys(current).some((name) => name.startsWith(`${event.key} `)))) {
    pending = { key: event.key, at: Date.now() };
  }
}

function listen(change: 'addEventListener' | 'removeEventListener'): void {
  document[change]('keydown', onKeyDown as EventListener);
  document[change]('keyup', onKeyUp as EventListener);
  // The key may be released in another window.
  window[change]('blur', releaseStep);
}

/** Binds keys while the component is mounted. Inactive while typing, in dialogs and menus, and if the user turned single keys off. */
export function useHotkeys(keymap: Keymap): void {
  const current = useRef(keymap);
  useLayoutEffect(() => {
    current.current = keymap;
  });
  useEffect(() => {
    if (bindings.length === 0) listen('addEventListener');
    bindings.push(current);
    return () => {
      bindings.splice(bindings.indexOf(current), 1);
      if (bindings.length > 0) return;
      listen('removeEventListener');
      isStepHeld = false;
    };
  }, []);
}

// ---- the setting (WCAG 2.1.4: single keys can be turned off) ----------------------------------------------------

const singleKeys = createExternalStore(() => storage.get('single-keys') !== 'off');

export function switchSingleKeys(on: boolean): void {
  if (on) storage.remove('single-keys');
  else storage.set('single-keys', 'off');
  singleKeys.set(on);
}
export const useSingleKeys = (): boolean => singleKeys.use();

/** Name of the modifier key in hints: ⌘ on a Mac, Ctrl elsewhere. */
export const modKey = /Mac|iPhone|iPad/.test(typeof navigator === 'undefined' ? '' : navigator.platform) ? '⌘' : 'Ctrl';
