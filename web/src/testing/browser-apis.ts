/** Browser APIs that jsdom lacks. A separate module, because test files share the window and these can be defined only once. */
import * as React from 'react';
import { FakeEventSource } from './event-source';

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
  setPointerCapture: () => undefined,
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
// axe tests with a canvas whether a text is an icon. jsdom has none, and prints an error at each attempt.
HTMLCanvasElement.prototype.getContext = () => null;
if (typeof CSS === 'undefined') Object.assign(globalThis, { CSS: { escape: (text: string) => text } });

// For its warnings, React's development build captures a stack for the first 10,000 elements per second: a tenth of the tests' time.
const internals = (React as Record<string, unknown>).__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE;
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => undefined });
