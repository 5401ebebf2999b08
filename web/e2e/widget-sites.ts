import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Content-Security-Policies of sites; `origin` is ours. The widget works under all but the last, whose owner must add a directive. */
export const policies = (origin: string): Record<string, string> => ({
  'no policy': '',
  "without 'unsafe-inline'": `default-src 'self'; script-src 'self' ${origin}; style-src 'self'; frame-src ${origin}`,
  'with nonce and strict-dynamic': `default-src 'self'; script-src 'nonce-r4nd0m' 'strict-dynamic'; style-src 'self'; frame-src ${origin}`,
  'with Trusted Types': `require-trusted-types-for 'script'; trusted-types 'none'; script-src ${origin}; frame-src ${origin}; style-src 'self'`,
  "of 'self' alone": "default-src 'self'",
});

export interface Site {
  /** Address of the page; browsers treat it as a different site than ours. */
  address: (page: { policy?: string; attributes?: Record<string, string>; before?: string }) => string;
  origin: string;
  close: () => Promise<void>;
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;');

/** A fake customer website: one page with the widget tag, on another port and, as 127.0.0.1, of another site. */
export async function openSite(widget: string, host = '127.0.0.1'): Promise<Site> {
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://site').searchParams;
    const policy = query.get('policy') ?? '';
    const attributes = JSON.parse(query.get('attributes') ?? '{}') as Record<string, string>;
    const dataAttributes = Object.entries(attributes).map(([name, value]) => `data-${name}="${escaped(value)}"`);
    const nonce = policy.includes('nonce-') ? 'nonce="r4nd0m"' : '';
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...(policy ? { 'content-security-policy': policy } : {}) });
    response.end(
      `<!doctype html><html lang="en"><head><title>Shop</title></head><body><main><h1>Shop</h1><p>Coffee for everybody.</p>` +
        `<button id="own">Ask us</button></main>${query.get('before') ?? ''}` +
        `<script async ${nonce} src="${widget}" ${dataAttributes.join(' ')}></script></body></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    address: ({ policy = '', attributes = {}, before = '' }) =>
      `${origin}/?${new URLSearchParams({ policy, attributes: JSON.stringify(attributes), before })}`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
