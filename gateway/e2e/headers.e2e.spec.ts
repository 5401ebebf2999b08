import { createHash } from 'node:crypto';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, startForTest } from '@tandem/testing';
import { gateway } from '../src/gateway.module';
import { anIpAddress, codeOf, startTestApp, type TestApp } from './test-app';
import { Browser } from './client';

const html = '<!doctype html><html><head><title>Tandem</title><script>theme()</script></head><body><div id="root"></div></body></html>';

describe('response headers', () => {
  let app: TestApp;
  let secure: Browser;
  let web: string;

  beforeAll(async () => {
    web = mkdtempSync(join(tmpdir(), 'tandem-web-'));
    mkdirSync(join(web, 'assets'));
    writeFileSync(join(web, 'index.html'), html);
    writeFileSync(join(web, 'favicon.svg'), '<svg/>');
    writeFileSync(join(web, 'assets/app-1a2b3c.js'), `console.log(${JSON.stringify('x'.repeat(5_000))})`);
    writeFileSync(join(web, '.secret'), 'no');
    writeFileSync(
      join(web, 'preload-links.json'),
      JSON.stringify({
        '/compare': ['/assets/d-4.js'],
        '/ticket-status/check': ['/assets/a-1.js'],
        '/ticket-status/:id': ['/assets/b-2.js', '/assets/c-3.js'],
      }),
    );
    writeFileSync(
      join(web, 'first-html.json'),
      JSON.stringify({
        product: { '/compare': '<h1>Compare</h1>' },
        portal: {},
        'portal-logo': {},
        heads: {},
        styles: { product: { '/compare': 'h1{margin:0}' }, portal: {} },
      }),
    );
    app = await startTestApp({ WEB_ROOT: web });
    const https = await startForTest(gateway, { ...app.env, PUBLIC_URL: 'https://tandem.example' });
    secure = new Browser(https.url, 'tandem.example', { 'x-forwarded-for': anIpAddress() });
  });
  afterAll(() => rmSync(web, { recursive: true }));

  const page = { headers: { accept: 'text/html,*/*' } };

  it.each(['/tickets', '//', '//favicon.svg', '//api/docs', '/nothing', '//health/live'])(
    'of %s include a request ID and the security headers',
    async (path) => {
      const { headers } = await app.browser().get(path, path.startsWith('//') ? page : {});
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{16,}$/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      const csp = headers.get('content-security-policy')!;
      expect(csp).toContain("script-src 'self'");
      expect(csp).not.toMatch(/script-src[^;]*unsafe/);
      expect(csp).toContain("frame-ancestors 'none'");
      expect(csp).toContain("object-src 'none'");
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('strict-transport-security')).toBeNull();
    },
  );

  it('include HSTS and __Host- cookies over HTTPS', async () => {
    const { headers } = await secure.get('/tickets');
    expect(headers.get('strict-transport-security')).toMatch(/max-age=31536000/);
    const email = await app.account();
    const answer = await secure.post('/auth/sign-in', { email, password: 'correct horse 7 staple' });
    const cookies = answer.headers.getSetCookie();
    expect(cookies.map((line) => line.split('=')[0]).sort()).toEqual([
      '__Host-tandem_csrf',
      '__Host-tandem_refresh',
      '__Host-tandem_session',
    ]);
    for (const line of cookies) {
      expect(line).toMatch(/; Path=\/(;|$)/);
      expect(line).toMatch(/; Secure/);
      expect(line).not.toMatch(/Domain=/i);
      expect(line.includes('HttpOnly')).toBe(!line.startsWith('__Host-tandem_csrf'));
    }
  });

  it('never contain the request ID that a client sent', async () => {
    const { headers } = await app.browser().get('/tickets', { headers: { 'x-request-id': 'mine' } });
    expect(headers.get('x-request-id')).not.toBe('mine');
  });

  it('contain the same request ID as the body', async () => {
    const answer = await app.browser().get('/tickets');
    expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
  });

  it('prevent shared caching of API responses', async () => {
    const owner = await app.signUpOwner();
    expect((await owner.browser.get('/tickets')).headers.get('cache-control')).toMatch(/private|no-store/);
  });

  describe('the web app', () => {
    it.each(['text/html,*/*', '*/*', 'application/json', ''])(
      'serves one page at every path, for any Accept header (%j)',
      async (accept) => {
        for (const [path, status] of [
          ['//', 200],
          ['//tickets', 200],
          ['//ticket-status/abc?email=a%40b.c', 200],
          ['//index.html', 200],
          ['//no/such/page', 404],
          ['//docs/unknown', 404],
          ['//old.php', 404],
        ] as const) {
          const answer = await app.browser().get(path, { headers: { accept } });
          expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, status, 'no-cache']);
          expect([path, answer.headers.get('content-type'), answer.text]).toEqual([
            path,
            'text/html; charset=utf-8',
            expect.stringMatching(/<title>.*Tandem<\/title>/),
          ]);
        }
      },
    );

    it('responds to HEAD like GET without a body, and with 304 if the client has the page', async () => {
      // Another page is served while identity does not answer, for example during its first requests.
      await eventually(async () => {
        const head = await app.browser().fetch('HEAD', '//submit-ticket');
        expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'text/html; charset=utf-8', '']);
        const etag = head.headers.get('etag')!;
        expect((await app.browser().get('//submit-ticket', { headers: { 'if-none-match': etag } })).status).toBe(304);
      });
    });

    it('preloads the modules of the page in the Link header', async () => {
      const linkOf = async (path: string) => (await app.browser().get(path, page)).headers.get('link');
      expect(await linkOf('//ticket-status/check')).toBe('</assets/a-1.js>; rel=modulepreload');
      expect(await linkOf('//ticket-status/0190?email=a%40b.c')).toBe(
        '</assets/b-2.js>; rel=modulepreload, </assets/c-3.js>; rel=modulepreload',
      );
      expect(await linkOf('//ticket-status/0190/more')).toBeNull();
      expect(await linkOf('//tickets')).toBeNull();
    });

    it('requests the modules with low priority if the page is shown before them', async () => {
      const answer = await app.browser().get('//compare', page);
      expect(answer.headers.get('link')).toBe('</assets/d-4.js>; rel=modulepreload; fetchpriority=low');
      expect(answer.text).toContain('<style>h1{margin:0}</style>');
    });

    it('is compressed like its first response, once Brotli has found its smallest size', async () => {
      const headers = { ...page.headers, 'accept-encoding': 'gzip, br' };
      const first = await app.browser().get('//compare', { headers });
      const isSmallest = ({ headers: sent }: typeof first) => sent.get('content-encoding') === 'br' && sent.get('content-length') !== null;
      let answer = first;
      while (!isSmallest(answer)) answer = await app.browser().get('//compare', { headers });
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'br']);
      expect(answer.headers.get('vary')).toContain('accept-encoding');
      expect([answer.text, answer.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')]);
      const plain = await app.browser().get('//compare', { headers: { ...page.headers, 'accept-encoding': 'identity' } });
      expect([plain.headers.get('content-encoding'), plain.text]).toEqual([null, first.text]);
    });

    it('may run the inline scripts of the build, by their hash', async () => {
      const hash = createHash('sha256').update('theme()').digest('base64');
      const policyOf = async (path: string) => (await app.browser().get(path, page)).headers.get('content-security-policy');
      expect(await policyOf('//compare')).toContain(`;script-src 'self' 'sha256-${hash}';`);
      expect(await policyOf('//assets/app-1a2b3c.js')).toContain(";script-src 'self';");
    });

    it('serves hashed files compressed and immutable', async () => {
      const answer = await app.browser().get('//assets/app-1a2b3c.js', { headers: { 'accept-encoding': 'br' } });
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(answer.headers.get('content-encoding')).toBe('br');
      expect(answer.text).toContain('console.log');
    });

    it('is never returned for a missing script, an API path or another method', async () => {
      for (const [path, call] of [
        ['//assets/old-9z.js', page],
        ['//api/nothing', page],
        ['//health/nothing', page],
      ] as const) {
        expect([path, codeOf(await app.browser().get(path, call))]).toEqual([path, '404 route.not_found']);
      }
      expect(codeOf(await app.browser().post('//tickets'))).toBe('404 route.not_found');
    });

    it('serves no files outside of its folder and no hidden files', async () => {
      for (const path of [
        '//.secret',
        '//..%2f..%2fetc%2fpasswd',
        '//%2e%2e/%2e%2e/etc/hosts.conf',
        '//assets/..%2f.secret',
        '//assets/%00.js',
        '//%ff.js',
      ]) {
        const { status, text } = await app.browser().get(path, page);
        expect([path, status >= 400 && status < 500, text.includes('<svg') || text === 'no']).toEqual([path, true, false]);
      }
    });
  });
});
