import { cleanLines, stripControls, stripDirections } from './text';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCharCode(from + i)).join('');

describe('control characters', () => {
  it('are removed, except tab and line breaks', () => {
    expect(stripControls(`a${range(0, 0x1f)}b${range(0x7f, 0x9f)}c`)).toBe('a\t\n\rbc');
    expect(stripControls('\u001b[31mred')).toBe('[31mred');
  });
  it('leave the text of all scripts and emoji unchanged', () => {
    const text = 'Grüße مرحبا 李小龙 👩‍👩‍👧 é\u00a0\u200d\u200f';
    expect(stripControls(text)).toBe(text);
  });
  it('include halves of surrogate pairs, which cannot be encoded', () => expect(stripControls('a\ud800b')).toBe('a\ufffdb'));
});

it('line breaks of all kinds become line feeds', () => expect(cleanLines('a\r\nb\rc\nd\u2028e\u2029f\u0000')).toBe('a\nb\nc\nd\ne\nf'));

it('overrides of the direction are removed, and marks are not', () =>
  expect(stripDirections('invoice\u202egpj.exe\u2066\u200f')).toBe('invoicegpj.exe\u200f'));
