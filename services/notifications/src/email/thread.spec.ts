import { threadOf } from './thread';

const at = (n: number) => new Date(Date.UTC(2026, 10, 20) + n * 1_000).toISOString();
const mail = (n: number, references?: string[]) => ({ message_id: `<m${n}@x>`, at: at(n), ...(references ? { references } : {}) });

it('starts a thread without known emails', () => expect(threadOf([])).toEqual({ in_reply_to: null, references: [] }));
it('replies to the latest email, and references all earlier ones in order', () =>
  expect(threadOf([mail(3), mail(1, ['<m0@x>']), mail(2, ['<m0@x>', '<m1@x>'])])).toEqual({
    in_reply_to: '<m3@x>',
    references: ['<m0@x>', '<m1@x>', '<m2@x>', '<m3@x>'],
  }));
it('references the first and the latest 20 emails of a long conversation', () => {
  const { references } = threadOf(Array.from({ length: 60 }, (_, n) => mail(n)));
  expect(references).toHaveLength(21);
  expect(references[0]).toBe('<m0@x>');
  expect(references.at(-1)).toBe('<m59@x>');
  expect(references[1]).toBe('<m40@x>');
});
it.each(['<a@b>\r\nBcc: x@y.example', 'a@b', '<a b@c>', '<a@b><c@d>', `<${'a'.repeat(300)}@b>`, '<é@b.example>', ''])(
  'omits %j, which is not a Message-ID',
  (message_id) => expect(threadOf([{ message_id, at: at(1), references: [message_id] }])).toEqual({ in_reply_to: null, references: [] }),
);
