import { oneLine, plainText } from './text';

it('turns any input into one line', () => {
  expect(oneLine('Hello\r\nBcc: everybody@example.com')).toBe('Hello Bcc: everybody@example.com');
  expect(oneLine('a\u0000b\u0085c\u2028d')).toBe('abc d');
});
it('keeps names of all languages, and emoji whole', () => {
  expect(oneLine('مرحبا 李 小龙 👩‍👩‍👧 é')).toBe('مرحبا 李 小龙 👩‍👩‍👧 é');
  expect(oneLine(`${'x'.repeat(118)}👍👍`)).toBe(`${'x'.repeat(118)}…`);
});
it('removes characters that change the direction of the following text', () =>
  expect(oneLine('invoice\u202efdp.exe\u2066')).toBe('invoicefdp.exe'));
it('keeps the lines of a text', () => expect(plainText('a\r\nb\rc\n\td\u0007')).toBe('a\nb\nc\n\td'));
