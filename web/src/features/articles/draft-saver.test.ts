import { dropUnsentWork } from '../../lib/session-cleanup';
import { draftSaver } from './draft-saver';
import { anArticle } from './testing';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A server that cannot be reached until `isOnline` is set. */
const aServer = () => {
  const server = {
    isOnline: false,
    sent: [] as object[],
    calls: {
      send: async (changes: object, version: number) => {
        server.sent.push(changes);
        return server.isOnline ? { data: anArticle({ version: version + 1 }) } : { error: new TypeError('no connection') };
      },
      readLatest: async () => undefined,
    },
  };
  return server;
};
const offline = async () => {
  const [server, article] = [aServer(), anArticle({ title: 'Refunds' })];
  const saver = draftSaver(article.id, article, server.calls);
  saver.change({ title: 'Refund a payment' });
  await jest.advanceTimersByTimeAsync(1_000);
  expect([server.sent, saver.read().state]).toEqual([[{ title: 'Refund a payment' }], 'offline']);
  return { server, article, saver };
};

it('is sent again until the server has it', async () => {
  const { server, saver } = await offline();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(server.sent).toHaveLength(2);
  server.isOnline = true;
  await jest.advanceTimersByTimeAsync(5_000);
  expect([server.sent.length, saver.read().state]).toEqual([3, 'saved']);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(server.sent).toHaveLength(3);
});

it('is the same for an editor that is opened again, so that the two do not take each other for a colleague', async () => {
  const { server, article, saver } = await offline();
  const again = draftSaver(article.id, article, server.calls);
  expect([again, again.read().fields.title]).toEqual([saver, 'Refund a payment']);
  server.isOnline = true;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(server.sent).toHaveLength(2);
  expect(draftSaver(article.id, article, server.calls)).not.toBe(saver);
});

it('is not sent after the session has ended', async () => {
  const { server, article, saver } = await offline();
  dropUnsentWork();
  server.isOnline = true;
  expect(await saver.save()).toBe(false);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(server.sent).toHaveLength(1);
  expect(draftSaver(article.id, article, server.calls).read().fields.title).toBe('Refunds');
});

it('sends one save at a time, so that it does not take its own change for a colleague’s', async () => {
  let version = 1;
  const sent: object[] = [];
  const send = async (changes: object, expected: number) => {
    sent.push(changes);
    const isCurrent = expected === version;
    if (isCurrent) version++;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return isCurrent ? { data: anArticle({ version: expected + 1 }) } : { error: { status: 412, data: { code: 'version.conflict' } } };
  };
  const saver = draftSaver('slow', anArticle({ version }), { send, readLatest: async () => undefined });
  saver.change({ body: 'Open it.' });
  await jest.advanceTimersByTimeAsync(1_000);
  // Typed and published while the first part is still being saved.
  saver.change({ body: 'Open it. Choose Refund.' });
  const saved = saver.save();
  await jest.advanceTimersByTimeAsync(300);
  expect(await saved).toBe(true);
  expect([sent, saver.read().state]).toEqual([[{ body: 'Open it.' }, { body: 'Open it. Choose Refund.' }], 'saved']);
});
