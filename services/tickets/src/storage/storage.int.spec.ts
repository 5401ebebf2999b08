import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ConfigError } from '@tandem/platform';
import { S3Sandbox } from '../../test/s3-sandbox';
import { LocalStorage } from './local-storage';
import { S3Storage } from './s3-storage';
import { storageOf } from './storage';
import type { Storage } from './storage-interface';

const aKey = () => `${randomUUID()}/${randomUUID()}`;
const never = new AbortController().signal;
const streamOf = (...chunks: Buffer[]) => Readable.from(chunks, { objectMode: false });
async function* broken(size: number) {
  yield await Promise.resolve(randomBytes(size));
  throw new Error('The sender went away');
}
/** Yields some bytes, then nothing until the storage aborts. */
async function* stalled(until: AbortSignal) {
  yield randomBytes(1_000);
  await new Promise((resolve) => until.addEventListener('abort', resolve));
}

let folder: string;
const sandbox = new S3Sandbox();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-storage-'));
  await sandbox.start();
});
beforeEach(() => (sandbox.faults = {}));
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

const s3 = (overrides: object = {}) => new S3Storage({ endpoint: sandbox.endpoint, bucket: sandbox.bucket, ...sandbox.keys, ...overrides });
const storages: [string, () => Storage & { onApplicationShutdown?(): void }][] = [
  ['the local disk', () => new LocalStorage(folder)],
  ['S3', () => s3()],
];

describe.each(storages)('%s', (_name, make) => {
  const storage = { current: undefined as unknown as ReturnType<typeof make> };
  beforeAll(async () => {
    storage.current = make();
    await storage.current.open();
  });
  afterAll(() => storage.current.onApplicationShutdown?.());
  const read = async (key: string) => {
    const bytes = await storage.current.get(key);
    return bytes && buffer(bytes);
  };

  it('returns the stored bytes', async () => {
    for (const size of [1, 65_537, 5_000_000]) {
      const [key, bytes] = [aKey(), randomBytes(size)];
      await storage.current.put(key, streamOf(bytes.subarray(0, 10), bytes.subarray(10)), size, never);
      expect(Buffer.compare((await read(key))!, bytes)).toBe(0);
    }
  });
  it('returns undefined for an unknown key', async () => {
    expect(await storage.current.get(aKey())).toBeUndefined();
  });
  it('stores nothing if the source fails', async () => {
    const key = aKey();
    await expect(storage.current.put(key, Readable.from(broken(200_000), { objectMode: false }), 300_000, never)).rejects.toThrow();
    expect(await storage.current.get(key)).toBeUndefined();
  });
  it('stores nothing and destroys the source if it is aborted', async () => {
    const key = aKey();
    const over = new AbortController();
    const source = Readable.from(stalled(over.signal), { objectMode: false });
    const put = storage.current.put(key, source, 300_000, over.signal);
    setImmediate(() => over.abort());
    await expect(put).rejects.toThrow();
    expect(source.destroyed).toBe(true);
    expect(await storage.current.get(key)).toBeUndefined();
  });
  it('removes a key, whether it exists or not', async () => {
    const key = aKey();
    await storage.current.put(key, streamOf(randomBytes(9)), 9, never);
    await storage.current.remove(key);
    await storage.current.remove(key);
    expect(await storage.current.get(key)).toBeUndefined();
  });
  it('keeps concurrent files separate', async () => {
    const files = Array.from({ length: 24 }, () => ({ key: aKey(), bytes: randomBytes(100_000) }));
    await Promise.all(files.map(({ key, bytes }) => storage.current.put(key, streamOf(bytes), bytes.length, never)));
    for (const { key, bytes } of files) expect(Buffer.compare((await read(key))!, bytes)).toBe(0);
  });
});

describe('the local disk', () => {
  const local = () => new LocalStorage(folder);
  it('makes files unreadable for other users, and leaves no partial files', async () => {
    const [organization, id] = aKey().split('/') as [string, string];
    await local().put(`${organization}/${id}`, streamOf(randomBytes(9)), 9, never);
    expect(await readdir(join(folder, organization))).toEqual([id]);
    expect((await stat(join(folder, organization))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, organization, id))).mode & 0o777).toBe(0o600);
  });
  it.each(['../x', `${randomUUID()}/../../x`, '/etc/passwd', 'x', `${randomUUID()}/${randomUUID()}/x`])(
    'rejects the key %s',
    async (key) => {
      await expect(local().get(key)).rejects.toThrow('invalid file key');
      await expect(local().put(key, streamOf(randomBytes(1)), 1, never)).rejects.toThrow('invalid file key');
      await expect(local().remove(key)).rejects.toThrow('invalid file key');
    },
  );
  it('fails at startup if the folder cannot be written', async () => {
    await writeFile(join(folder, 'a-file'), '');
    await expect(new LocalStorage(join(folder, 'a-file')).open()).rejects.toThrow('cannot store files in ATTACHMENTS_DIR');
  });
});

describe('S3', () => {
  const put = (storage: Storage, size = 1_000) => storage.put(aKey(), streamOf(randomBytes(size)), size, never);
  const away = { code: 'service.unavailable', retryAfterSeconds: 5 };

  it('rejects the signature of a wrong secret, key or region', async () => {
    for (const wrong of [{ secretAccessKey: 'another-secret' }, { accessKeyId: 'SOMEBODY' }, { region: 'us-east-1' }]) {
      const storage = s3(wrong);
      await expect(put(storage)).rejects.toMatchObject(away);
      await expect(storage.get(aKey())).rejects.toMatchObject(away);
      await expect(storage.remove(aKey())).rejects.toMatchObject(away);
      storage.onApplicationShutdown();
    }
    expect(sandbox.objects.has('x')).toBe(false);
  });
  it.each([{ status: 500 }, { status: 503 }, { silent: true }])(
    'throws service.unavailable while the server is %j, and recovers',
    async (faults) => {
      // Use the short timeout only for the silent server: on a busy machine, others could exceed it too.
      const storage = s3('silent' in faults ? { idleMs: 1_500 } : {});
      sandbox.faults = faults;
      await expect(put(storage, 2_000_000)).rejects.toMatchObject(away);
      await expect(storage.get(aKey())).rejects.toMatchObject(away);
      sandbox.faults = { delayMs: 100 };
      await put(storage);
      storage.onApplicationShutdown();
    },
  );
  it('fails if a file is truncated', async () => {
    const storage = s3();
    const key = aKey();
    await storage.put(key, streamOf(randomBytes(900_000)), 900_000, never);
    sandbox.faults = { cutAfter: 1_000 };
    await expect(buffer((await storage.get(key))!)).rejects.toThrow();
    storage.onApplicationShutdown();
  });
});

describe('the choice of the storage', () => {
  const nothing = { ATTACHMENTS_DIR: 'x', S3_REGION: 'us-east-1' };
  const all = { S3_ENDPOINT: 'http://s3.test', S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'kept-in-this-test' };
  it('is the disk without S3 variables, and S3 with all of them', () => {
    expect(storageOf(nothing)).toBeInstanceOf(LocalStorage);
    expect(storageOf({ ...nothing, ...all })).toBeInstanceOf(S3Storage);
  });
  it.each(Object.keys(all))('fails if only %s is missing, and names it', (name) => {
    const half = { ...nothing, ...all, [name]: undefined };
    expect(() => storageOf(half)).toThrow(ConfigError);
    expect(() => storageOf(half)).toThrow(`${name} is missing`);
  });
});
