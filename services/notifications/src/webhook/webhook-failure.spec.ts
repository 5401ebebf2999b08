import { UnsafeAddress } from '@tandem/platform';
import { failureOf, failureOfStatus, isOverload } from './webhook-failure';

const coded = (code: string) => Object.assign(new Error(code), { code });

it.each([
  [coded('CERT_HAS_EXPIRED'), 'The certificate has expired', 'tls', false],
  [coded('ECONNREFUSED'), 'The server refused the connection', 'network', false],
  [new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]), 'The server refused the connection', 'network', false],
  [new Error('fetch failed', { cause: coded('ENOTFOUND') }), 'The host name does not exist', 'network', false],
  [new DOMException('late', 'TimeoutError'), 'No response within 15 seconds', 'timeout', false],
  [coded('EAI_AGAIN'), 'Our DNS lookup of the host name failed', 'own_failure', true],
  [new UnsafeAddress('This address is not on the public internet'), 'This address is not on the public internet', 'refused', true],
  [coded('HPE_INVALID_CONSTANT'), 'The response is not valid HTTP', 'network', false],
  [coded('ERR_SSL_WRONG_VERSION_NUMBER'), 'The TLS handshake failed', 'tls', false],
  [coded('EWEIRD'), 'The request failed (EWEIRD)', 'network', false],
])('describes %s', (error, message, outcome, isOurs) => {
  expect(failureOf(error)).toEqual({ message, outcome, isOurs });
});

it('treats 2xx as success and describes other statuses', () => {
  expect([200, 204, 299].map(failureOfStatus)).toEqual([undefined, undefined, undefined]);
  expect(failureOfStatus(302)?.outcome).toBe('redirect');
  expect(failureOfStatus(404)?.message).toBe('The server answered 404: no page at this URL');
  expect(failureOfStatus(500)).toMatchObject({ outcome: 'server_error', message: 'The server answered 500' });
});

it('recognizes an overloaded server', () => {
  const of = (status: number) => isOverload(status, failureOfStatus(status)!);
  expect([429, 502, 503, 504, 500, 404].map(of)).toEqual([true, true, true, true, false, false]);
  expect(isOverload(null, failureOf(new DOMException('late', 'TimeoutError')))).toBe(true);
});
