/** A visitor identified by the site's token. The server verifies the token; here it is only decoded to show the name. */
export interface Identity {
  token: string;
  email: string;
  name: string | null;
}

export function readIdentity(token: unknown): Identity | undefined {
  if (typeof token !== 'string' || token.length > 4_000) return undefined;
  try {
    const payload = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/');
    const bytes = Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0));
    const { email, name } = JSON.parse(new TextDecoder().decode(bytes)) as { email?: unknown; name?: unknown };
    if (typeof email !== 'string' || email === '') return undefined;
    return { token, email: email.trim().toLowerCase(), name: typeof name === 'string' && name !== '' ? name : null };
  } catch {
    return undefined;
  }
}
