import { cleanup, configure, getConfig } from '@testing-library/react';
import { toast } from 'sonner';
import { clearSessionEnd } from '../app/session-end';
import { setProblemTexts } from '../lib/problem';
import { dropUnsentWork } from '../lib/session-cleanup';
import { setUiLanguage } from '../lib/ui-texts';
import { backend } from './backend';
import './browser-apis';
import { delayResponses, dropDelayed } from './delays';
import { FakeEventSource } from './event-source';
import { server } from './server';

const { getElementError } = getConfig();
configure({
  // Pages load their code when they are first shown, which can take several seconds on a busy machine.
  asyncUtilTimeout: 20_000,
  // While `waitFor` repeats a query, each error would print the whole page; `waitFor` adds the printed page to the last error only.
  getElementError(message, container) {
    if (!isRepeating(getConfig())) return getElementError(message, container);
    return Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' });
  },
});

// The Testing Library does this when it is loaded, which is once per worker and not once per test file.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

// Sonner adds its style sheet when it is loaded.
for (const sheet of document.querySelectorAll('style')) sheet.remove();

/** The real timer, because a test may install fake ones. */
const nextTask = setTimeout;

/** Set by `waitFor` during a query that it repeats. */
function isRepeating(config: object): boolean {
  return '_disableExpensiveErrorDiagnostics' in config && config._disableExpensiveErrorDiagnostics === true;
}

beforeAll(() => {
  server.listen({ onUnhandledFrame: 'error' });
  delayResponses();
});
beforeEach(() => {
  backend.reset();
  localStorage.clear();
  // Settings of the previous test, also of one in another file of this worker: a widget's frame leaves its language.
  setUiLanguage();
  setProblemTexts();
  dropUnsentWork();
  window.innerWidth = 1440;
});
afterEach(async () => {
  // Toasts outlive the page that showed them: dismiss them, or the next test would find them.
  toast.dismiss();
  cleanup();
  // Drafts, unsent changes and the reason for the end of a session outlive it, too.
  dropUnsentWork();
  clearSessionEnd();
  dropDelayed();
  sessionStorage.clear();
  // Code that awaited one of the requests just aborted, or a message to other tabs, must not run in the middle of the next test.
  await new Promise((resolve) => nextTask(resolve));
  server.resetHandlers();
  FakeEventSource.closeAll();
  for (const element of document.querySelectorAll('#site')) element.remove();
});
afterAll(() => server.close());
