import * as parts from './undici';

it('has the classes of undici, complete without its index', () => {
  const { request } = parts.Pool.prototype;
  const undici = jest.requireActual<typeof import('undici')>('undici');
  const { Agent, buildConnector, Client, Pool } = undici;
  expect(parts).toEqual({ Agent, buildConnector, Client, Pool });
  expect(request).toBe(undici.Dispatcher.prototype.request);
});
