import type { Widget, WidgetOfKey } from '../host/widget-of-key';
import type { GatewayReply, GatewayRequest } from '../request';
import { WidgetController } from './widget.controller';

/** The frame-ancestors of a widget with these stored sites; the settings would reject some of them. */
async function ancestorsOf(allowed_sites: string[]): Promise<string | undefined> {
  const headers = new Map<string, unknown>([['content-security-policy', "default-src 'self'; frame-ancestors 'none'; object-src 'none'"]]);
  const raw = {
    getHeader: (name: string) => headers.get(name),
    setHeader: (name: string, value: unknown) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  const reply = { raw, header: () => reply, sendFile: () => Promise.resolve() };
  const widgets = { find: () => Promise.resolve({ allowed_sites } as unknown as Widget) } as unknown as WidgetOfKey;
  const controller = new WidgetController({ WEB_ROOT: '/' }, widgets);
  await controller.frame('acme', { id: 'r' } as GatewayRequest, reply as unknown as GatewayReply);
  return /frame-ancestors ([^;]+)/.exec(String(headers.get('content-security-policy')))?.[1];
}

it('allows every site to embed the page only if no site is configured', async () => {
  expect(await ancestorsOf([])).toBe('*');
  expect(await ancestorsOf(['https://a.example', "'none'; script-src *"])).toBe("'self' https://a.example");
});
it('allows no site to embed it if all configured values are invalid', async () => {
  expect(await ancestorsOf(['*', 'https://a.example; script-src *', ''])).toBe("'self'");
});
