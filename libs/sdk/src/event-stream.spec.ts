import { readEventStream } from './event-stream';

async function read(...chunks: string[]) {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
  const messages: unknown[] = [];
  for await (const message of readEventStream(body)) messages.push(message);
  return messages;
}

const text = 'id: 1\ndata: {"a": "☕"}\n\ndata: two\ndata:lines\nretry: 5\nevent: x\n\nid: 3\n\n: beat\n\n';
const expected = [{ id: '1', data: '{"a": "☕"}' }, { id: '1', data: 'two\nlines' }, { id: '3', data: '' }, undefined];

it('server-sent events are read with any line ending', async () => {
  expect(await read(text)).toEqual(expected);
  expect(await read(text.replaceAll('\n', '\r\n'))).toEqual(expected);
  expect(await read(`${text.replaceAll('\n', '\r')}:\n`)).toEqual([...expected, undefined]);
});

it('server-sent events are read from chunks of any size, even if one ends in the middle of a character or of CRLF', async () => {
  const bytes = Buffer.from(text.replaceAll('\n', '\r\n'));
  for (const size of [1, 2, 3, 7]) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
        controller.close();
      },
    });
    const messages: unknown[] = [];
    for await (const message of readEventStream(body)) messages.push(message);
    expect(messages).toEqual(expected);
  }
});

it('a message that is cut off is dropped', async () => {
  expect(await read('id: 1\ndata: whole\n\nid: 2\ndata: ha')).toEqual([{ id: '1', data: 'whole' }]);
});
