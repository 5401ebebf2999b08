import { threadOf } from './thread';

const at = (n: number) => new Date(Date.UTC(2026, 10, 20) + n * 1_000).toISOString();
const mail = (n: number, references?: string[]) => ({ message_id: `<m${n}@x>`, at: at(n), ...(references ? { references } : {}) });

it('begins a thread where nothing is known', () => expect(threadOf([])).toEqual({ in_reply_to: null, references: [] }));
it('answers the latest mail, and refers to all before it in their order', () =>
  expect(threadOf([mail(3), mail(1, ['<m0@x>']), mail(2, ['<m0@x>', '<m1@x>'])])).toEqual({
    in_reply_to: '<m3@x>',
    references: ['<m0@x>', '<m1@x>', '<m2@x>', '<m3@x>'],
  }));
it('names the first and the latest 20 of a long conversation', () => {
  const { references } = threadOf(Array.from({ length: 60 }, (_, n) => mail(n)));
  expect(references).toHaveLength(21);
  expect(references[0]).toBe('<m0@x>');
  expect(references.at(-1)).toBe('<m59@x>');
  expect(references[1]).toBe('<m40@x>');
});
it.each(['<a@b>\r\nBcc: x@y.example', 'a@b', '<a b@c>', '<a@b><c@d>', `<${'a'.repeat(300)}@b>`, '<é@b.example>', ''])(
  'does not repeat %j, which is no Message-ID',
  (message_id) => expect(threadOf([{ message_id, at: at(1), references: [message_id] }])).toEqual({ in_reply_to: null, references: [] }),
);
