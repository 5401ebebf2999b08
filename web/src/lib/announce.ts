let region: HTMLElement | undefined;
let clearing: ReturnType<typeof setTimeout> | undefined;

/** Announces a change to screen readers (politely, invisibly) that the user did not trigger. */
export function announce(text: string): void {
  if (!region?.isConnected) {
    region = document.createElement('div');
    region.className = 'sr-only';
    region.setAttribute('role', 'status');
    region.setAttribute('aria-live', 'polite');
    document.body.append(region);
  }
  region.textContent = '';
  const target = region;
  // Setting the same text twice is announced only once: empty the region first.
  setTimeout(() => (target.textContent = text), 50);
  // Otherwise a user who reads through the page finds the old announcement at its end.
  clearTimeout(clearing);
  clearing = setTimeout(() => (target.textContent = ''), 5_000);
}
