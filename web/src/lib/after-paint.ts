/** Runs work that the page does not show, like a report to the server, once the next frame has been painted. */
export function afterPaint(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run));
}
