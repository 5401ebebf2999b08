/** The cookies of one browser. */
export class Browser {
  readonly cookies = new Map<string, string>();

  /** Stores the cookies that a response sets. */
  accept(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
  }

  /** The headers, and with a body the content of a request in the session. */
  request(body?: object, headers: Record<string, string> = {}): { headers: Record<string, string>; body?: string } {
    const session = {
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-csrf-token': decodeURIComponent(this.cookies.get('tandem_csrf') ?? ''),
    };
    // A request with a JSON content type and without a body is refused.
    return body
      ? { headers: { 'content-type': 'application/json', ...session, ...headers }, body: JSON.stringify(body) }
      : { headers: { ...session, ...headers } };
  }
}

/** Sends a request in the browser's session; throws unless it succeeds. */
export async function call<T>(origin: string, browser: Browser, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${origin}/api/v1${path}`, { method, ...browser.request(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: T }).data;
}

/** A browser in which the admin of the demo organization has signed in. */
export async function demoSignIn(origin: string): Promise<Browser> {
  const browser = new Browser();
  const body = { email: 'admin@demo.test', password: 'tandem-demo-1' };
  const answer = await fetch(`${origin}/api/v1/auth/sign-in`, { method: 'POST', ...browser.request(body) });
  if (answer.status !== 200) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`);
  browser.accept(answer);
  return browser;
}
