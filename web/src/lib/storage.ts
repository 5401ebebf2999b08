/** localStorage, which may be blocked, full or cleared at any time: then values are not stored, and nothing breaks. */
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
      // If storage is full or blocked, only convenience is lost.
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

/** Set when a user opened the portal from the setup checklist. */
export const portalOpenedKey = (organizationId: string): string => `portal-opened:${organizationId}`;
/** Set when the widget code was copied in this browser: the setup checklist then counts the widget as installed. */
export const widgetCopiedKey = (organizationId: string): string => `widget-copied:${organizationId}`;
