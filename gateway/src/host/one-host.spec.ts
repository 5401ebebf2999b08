import { assertOneHost } from './one-host';

const request = (hosts: string[], url = '/') => ({ url, rawHeaders: ['Accept', '*/*', ...hosts.flatMap((host) => ['hOsT', host])] });

describe('the host of a request', () => {
  it.each([
    ['one Host header', request(['acme.localhost'])],
    ['no Host header, as HTTP/1.0 allows', request([])],
    ['the same host in the address, in any case', request(['acme.localhost:3000'], 'http://ACME.localhost:3000/a?b')],
    ['a header whose value is "host"', { url: '/', rawHeaders: ['X-Name', 'Host', 'Host', 'acme.localhost'] }],
  ])('is accepted with %s', (_what, raw) => expect(() => assertOneHost(raw)).not.toThrow());

  it.each([
    ['two Host headers', request(['acme.localhost', 'evil.example'])],
    ['the same Host header twice', request(['acme.localhost', 'acme.localhost'])],
    ['another host in the URL', request(['acme.localhost'], 'http://evil.example/')],
    ['user information in the address', request(['acme.localhost'], 'http://acme.localhost@evil.example/')],
    ['a host in the address only', request([], 'https://acme.localhost/')],
  ])('is refused with %s', (_what, raw) =>
    expect(() => assertOneHost(raw)).toThrow(expect.objectContaining({ code: 'request.malformed' })),
  );
});
