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
