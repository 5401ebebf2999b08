import { createLogger, type Logger } from '@tandem/platform';
import { eventually, startFlakyProxy, testEnv, testServers } from '@tandem/testing';
import { Nats, type NatsOptions } from './nats';

const log = createLogger('test', 'fatal');
const unreachable = 'nats://127.0.0.1:1';

describe('the connection to NATS', () => {
  let options: NatsOptions;
  const open: Nats[] = [];
  beforeEach(async () => {
    const env = (await testEnv({ TICKETS_DATABASE_URL: 'none' })) as Record<string, string>;
    options = { NATS_URL: testServers().natsUrl, NATS_STREAM: env['NATS_STREAM']!, EVENTS_PREFIX: env['EVENTS_PREFIX']! };
  });
  afterEach(async () => {
    for (const nats of open.splice(0)) await nats.close();
  });
  const connect = (more: Partial<NatsOptions> = {}) => {
    const nats = new Nats({ ...options, ...more }, 'test', log);
    open.push(nats);
    return nats;
  };

  it('is shared by all callers', async () => {
    const nats = connect();
    const [one, other] = await Promise.all([nats.connected(), nats.connected()]);
    expect(one.nc).toBe(other.nc);
    expect(nats.up).toBe(true);
    await expect(nats.check()).resolves.toBeUndefined();
  });

  it('creates the stream once, with the subjects of its prefix', async () => {
    const nats = connect();
    const [first, second] = [await nats.ensureStream(), await nats.ensureStream()];
    expect(second.created).toBe(first.created);
    const { jsm } = await nats.connected();
    const { config } = await jsm.streams.info(options.NATS_STREAM);
    expect(config.subjects).toEqual([`${options.EVENTS_PREFIX}.>`]);
  });

  it('applies limits to an existing stream, and leaves it unchanged without any', async () => {
    await connect().ensureStream();
    const limited = connect({ NATS_STREAM_REPLICAS: 1, NATS_STREAM_MAX_BYTES: 2_000_000 });
    await limited.ensureStream();
    await connect().ensureStream();
    const { jsm } = await limited.connected();
    const { config } = await jsm.streams.info(options.NATS_STREAM);
    expect(config).toMatchObject({ max_bytes: 2_000_000, discard: 'new', num_replicas: 1, subjects: [`${options.EVENTS_PREFIX}.>`] });
  });

  it('creates the stream again after it was deleted', async () => {
    const nats = connect();
    const first = await nats.ensureStream();
    const { jsm } = await nats.connected();
    await jsm.streams.delete(options.NATS_STREAM);
    expect((await nats.ensureStream()).created).not.toBe(first.created);
  });

  it('reports an outage, and calls the listeners after each reconnection until they unsubscribe', async () => {
    const proxy = await startFlakyProxy(options.NATS_URL);
    const nats = connect({ NATS_URL: proxy.url });
    await nats.connected();
    let reconnected = 0;
    const unsubscribe = nats.onReconnect(() => (reconnected += 1));
    proxy.cut();
    await eventually(() => expect(nats.up).toBe(false));
    await expect(nats.check()).rejects.toThrow('Not connected to NATS');
    proxy.restore();
    await eventually(() => expect(reconnected).toBe(1));
    await eventually(() => nats.check());
    unsubscribe();
    proxy.cut();
    await eventually(() => expect(nats.up).toBe(false));
    proxy.restore();
    await eventually(() => nats.check());
    expect(reconnected).toBe(1);
    await nats.close();
    await proxy.close();
  });

  it('is established as soon as a server that was down at the start is up', async () => {
    const proxy = await startFlakyProxy(options.NATS_URL);
    proxy.cut();
    const nats = connect({ NATS_URL: proxy.url });
    const connected = nats.connected();
    await expect(nats.check()).rejects.toThrow('Not connected to NATS');
    proxy.restore();
    await expect(connected).resolves.toBeDefined();
    await nats.close();
    await proxy.close();
  });

  it('stops connecting when it is closed, even twice', async () => {
    const nats = connect({ NATS_URL: unreachable });
    const connected = nats.connected();
    const rejected = expect(connected).rejects.toThrow('The connection to NATS is closed');
    await nats.close();
    await rejected;
    await expect(nats.close()).resolves.toBeUndefined();
  });

  it('closes without composing the stack trace of the close', async () => {
    const nats = connect();
    await nats.connected();
    const { prepareStackTrace, stackTraceLimit } = Error;
    const composed: { message: string; frames: number }[] = [];
    Error.prepareStackTrace = ({ message }, frames) => {
      composed.push({ message, frames: frames.length });
      return message;
    };
    try {
      await nats.close();
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
    }
    expect(composed.filter(({ message }) => message === 'close trace')).toEqual([{ message: 'close trace', frames: 0 }]);
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  });

  it('signs in with the credentials in the URL, and keeps trying while the server rejects them', async () => {
    const url = new URL(options.NATS_URL);
    expect(url.password).not.toBe('');
    url.password = 'wrong p@ss/word';
    const warned = Promise.withResolvers<{ err: Error }>();
    const logger = { warn: (fields: { err: Error }) => warned.resolve(fields) } as unknown as Logger;
    const nats = new Nats({ ...options, NATS_URL: url.href }, 'test', logger);
    const rejected = expect(nats.connected()).rejects.toThrow('The connection to NATS is closed');
    expect((await warned.promise).err.message).toMatch(/authorization/i);
    expect(nats.up).toBe(false);
    await nats.close();
    await rejected;
  });
});
