/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Runs inside the page, from before its first script. */
export interface PaintProbe {
  painted(): Promise<{ paintedMs: number; files: number; scriptBytes: number }>;
}

/** Sent to the browser as text, so it must not refer to anything outside. */
export function installPaintProbe(): void {
  // Observes the document instead of checking every frame, which would itself take a third of a slow processor.
  const painted = new Promise<number>((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('main a[aria-label^="Total tickets"]') || !document.querySelector('main [role=img]')) return;
      observer.disconnect();
      // The task after the next frame: the frame has been painted by then.
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  const probe: PaintProbe = {
    async painted() {
      const paintedMs = await painted;
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const scripts = entries.filter(({ name, responseEnd }) => name.endsWith('.js') && responseEnd > 0 && responseEnd < paintedMs);
      return { paintedMs, files: scripts.length, scriptBytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) };
    },
  };
  Object.assign(globalThis, { paintProbe: probe });
}
