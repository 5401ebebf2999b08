/** The CSRF token: a readable cookie next to the HttpOnly session cookies, sent as a header with every unsafe method. */
export const csrfToken = (): string | undefined => /(?:^|;\s*)(?:__Host-)?tandem_csrf=([^;]+)/.exec(document.cookie)?.[1];

/** Whether this browser may have a session: without the cookie no request is needed. */
export const mayHaveSession = (): boolean => csrfToken() !== undefined;
