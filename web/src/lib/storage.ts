/** The browser's storage, which may be forbidden, full or wiped at any time: then nothing is remembered, and nothing breaks. */
export const storage = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key: string, value: string): void {
    try {
      localStorage.setItem(key, value);
    } catch {
      // A full or forbidden storage only costs the convenience.
    }
  },
  remove(key: string): void {
    try {
      localStorage.removeItem(key);
    } catch {
      // As above.
    }
  },
};

/** The widget's code was copied in this browser: the set-up checklist takes the widget for placed. */
export const widgetCopiedKey = (organizationId: string): string => `widget-copied:${organizationId}`;
