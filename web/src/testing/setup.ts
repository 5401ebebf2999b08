import { cleanup, configure } from '@testing-library/react';
import { toast } from 'sonner';
import { dropUnsentWork } from '../lib/session-cleanup';
import { backend } from './backend';
import { FakeEventSource } from './event-source';
import { server } from './server';

// Pages load their code when they are first shown, which can take more than a second on a busy machine.
configure({ asyncUtilTimeout: 5_000 });

// Browser APIs that jsdom lacks.
Object.defineProperty(window, 'matchMedia', {
  value: (query: string) => ({
    matches: query.includes('min-width') && Number(/\d+/.exec(query)?.[0]) <= window.innerWidth,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }),
});
Object.assign(Element.prototype, {
  scrollIntoView: () => undefined,
  scrollTo(this: Element, to: number | ScrollToOptions, top = 0) {
    this.scrollTop = typeof to === 'number' ? top : (to.top ?? 0);
  },
  hasPointerCapture: () => false,
  releasePointerCapture: () => undefined,
});
Object.assign(globalThis, {
  EventSource: FakeEventSource,
  ResizeObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
});
// Long lists render only the visible rows: this window shows fifty rows of 80 px.
Object.defineProperties(HTMLElement.prototype, {
  offsetHeight: { configurable: true, get: () => 80 },
  clientHeight: { configurable: true, get: () => 4_000 },
  clientWidth: { configurable: true, get: () => 1_000 },
});
if (typeof CSS === 'undefined') Object.assign(globalThis, { CSS: { escape: (text: string) => text } });

// Sonner adds its style sheet when it is loaded.
for (const sheet of document.querySelectorAll('style')) sheet.remove();

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  backend.reset();
  localStorage.clear();
  // Settings of the previous test.
  dropUnsentWork();
  window.innerWidth = 1440;
});
afterEach(() => {
  // Toasts outlive the page that showed them: dismiss them, or the next test would find them.
  toast.dismiss();
  cleanup();
  // Drafts and unsent changes outlive it, too.
  dropUnsentWork();
  sessionStorage.clear();
  server.resetHandlers();
  FakeEventSource.closeAll();
});
afterAll(() => server.close());
