let region: HTMLElement | undefined;

/** Says something to screen readers, politely, without showing it: changes that arrive by themselves. */
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
  // A region that gets the same text twice is silent the second time: empty it first.
  setTimeout(() => (target.textContent = text), 50);
}
