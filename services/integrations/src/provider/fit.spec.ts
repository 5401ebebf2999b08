import { beginningOf, fits, fittedComment, fittedDescription, fittedTitle, isShortened } from './fit';

const characters = (most: number) => ({ most, unit: 'characters' }) as const;
const bytes = (most: number) => ({ most, unit: 'bytes' }) as const;
const asIs = (text: string) => text;
const family = '👨‍👩‍👧‍👦';

describe('a limit', () => {
  it('counts characters or bytes, as the tool does', () => {
    expect(fits('😀😀', characters(2))).toBe(true);
    expect(fits('😀😀a', characters(2))).toBe(false);
    expect([fits('漢', bytes(3)), fits('漢', bytes(2))]).toEqual([true, false]);
    expect(fits('x'.repeat(1_000_000), null)).toBe(true);
  });
});

describe('a shortened text', () => {
  it.each([
    ['abc', 2, 'ab'],
    ['a😀', 2, 'a'],
    [`a${family}b`, 5, 'a'],
    [`a${family}b`, 1 + family.length, `a${family}`],
    ['e\u0301x', 1, ''],
    ['🇩🇪🇫🇷', 6, '🇩🇪'],
    ['\r\n', 1, ''],
    ['', 0, ''],
  ])('of %j with at most %i code units is %j', (text, most, expected) => expect(beginningOf(text, most)).toBe(expected));

  it('of one endless character is cut between its code points', () => {
    const endless = `a${'\u0301'.repeat(5_000)}`;
    expect(beginningOf(endless, 4_000)).toHaveLength(4_000);
    expect(beginningOf(`${'😀\u200d'.repeat(1_000)}`, 1_000).isWellFormed()).toBe(true);
  });
});

describe('a text that is too long', () => {
  it('ends with an ellipsis if it is a title', () => {
    expect(fittedTitle('A title', characters(7))).toBe('A title');
    expect(fittedTitle('A long title', characters(7))).toBe('A long…');
    expect(fittedTitle(`${family}${family}`, characters(8))).toBe(`${family}…`);
  });

  it('ends with a link, within the limit that includes our own lines', () => {
    const write = ({ text, lines }: { text: string | null; lines: { text: string }[] }) =>
      `${text ?? ''}|${lines.map((line) => line.text).join()}`;
    const description = { text: 'word '.repeat(100).trim(), lines: [{ label: 'Ticket', text: 'A-1' }], whole: 'https://t/tickets/1' };
    const written = fittedDescription(description, characters(100), write);
    expect(written).toMatch(/^(?:word )+wor…\n\nFull text in Tandem: https:\/\/t\/tickets\/1\|A-1$/);
    expect(written.length).toBeLessThanOrEqual(100);
    expect(written.length).toBeGreaterThan(90);
    expect(isShortened(written)).toBe(true);
    expect(isShortened('Full text, in Tandem')).toBe(false);
    expect(isShortened(null)).toBe(false);
    expect(() => fittedDescription(description, characters(20), write)).toThrow(expect.objectContaining({ problem: 'refused' }));
  });

  it('keeps the last line of a comment, which identifies it', () => {
    const ending = { line: '— via Tandem', whole: 'https://t/1' };
    expect(fittedComment('Hello', ending, characters(100), asIs)).toBe('Hello\n\n— via Tandem');
    expect(fittedComment('Hello', undefined, characters(100), asIs)).toBe('Hello');
    const cut = fittedComment('a'.repeat(200), ending, characters(100), asIs);
    expect(cut).toMatch(/^a+…\n\nFull text in Tandem: https:\/\/t\/1\n\n— via Tandem$/);
    expect(cut).toHaveLength(100);
  });

  it('is measured as it is sent, escaped', () => {
    const escape = (text: string) => text.replaceAll('#', String.raw`\#`);
    expect(fittedComment('#'.repeat(60), undefined, characters(100), escape)).toBe(`${String.raw`\#`.repeat(49)}…`);
  });
});
