/** A signed-in user with the cookies and the CSRF token of a real sign-in, as in a browser. */
export interface SignedIn {
  /** Must be sent with every call. */
  headers: Record<string, string>;
}

export async function signIn(origin: string, { email, password }: { email: string; password: string }): Promise<SignedIn> {
  const answer = await fetch(`${origin}/api/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (answer.status !== 200) throw new Error(`sign-in of ${email}: ${answer.status} ${await answer.text()}`);
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
  const csrf = cookies.find((cookie) => cookie.startsWith('tandem_csrf='))?.slice('tandem_csrf='.length);
  if (csrf === undefined) throw new Error(`sign-in set no CSRF cookie: ${cookies.map((cookie) => cookie.split('=')[0]).join(', ')}`);
  // Browsers do not send the refresh token to ordinary paths.
  const sent = cookies.filter((cookie) => !cookie.startsWith('tandem_refresh='));
  return { headers: { cookie: sent.join('; '), 'x-csrf-token': decodeURIComponent(csrf) } };
}
