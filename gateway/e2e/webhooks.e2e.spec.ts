import { codeOf, startTestApp, type TestApp } from './test-app';

describe('an inbound webhook', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  const send = (path: string, raw: string | Buffer, type = 'application/json') =>
    app.browser().send('POST', `/hooks/task-tool/${path}`, { raw, headers: { 'content-type': type, origin: 'https://app.clickup.com' } });

  it('is passed to its owner from any origin, in any content type and without a session', async () => {
    const id = crypto.randomUUID();
    for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
      expect(codeOf(await send(`clickup/${id}`, Buffer.from([0, 255, 1]), type))).toBe('404 task_tool.unknown');
    }
    expect(codeOf(await send('nobody/1', '{}'))).toMatch(/^(404 task_tool.unknown|422 request.invalid)$/);
  });

  it('may be up to 5 MB long', async () => {
    const id = crypto.randomUUID();
    expect(codeOf(await send(`clickup/${id}`, Buffer.alloc(4_900_000, 65)))).toBe('404 task_tool.unknown');
    expect(codeOf(await send(`clickup/${id}`, Buffer.alloc(5_300_000, 65)))).toBe('413 request.too_large');
  });
});
