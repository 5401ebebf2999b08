import { blankToNull, email, requiredText } from './scalars';

describe('text', () => {
  const subject = requiredText(10, 'Required');
  it.each(['a\u0000b', 'a\u0001b', 'a\u001bb', 'a\u007fb', '\ud800'])(
    'rejects characters that not every service can store: %j',
    (value) => {
      expect(subject.safeParse(value).success).toBe(false);
    },
  );
  it('keeps tabs, line breaks, emoji and right-to-left text unchanged', () => {
    expect(requiredText(50, 'Required').parse('a\tb\r\nc 👩‍🚀 שלום')).toBe('a\tb\r\nc 👩‍🚀 שלום');
  });
  it('is trimmed, and blank is missing', () => {
    expect(subject.parse('  a ')).toBe('a');
    expect(subject.safeParse(' \n ').error?.issues[0]?.message).toBe('Required');
    expect(blankToNull(10).parse('  ')).toBeNull();
  });
});

describe('an address', () => {
  it('is lower-cased and trimmed', () => {
    expect(email().parse('  Ada@Example.COM ')).toBe('ada@example.com');
  });
  it.each([undefined, null, '', '  '])('that is missing is reported with the message of its field: %j', (value) => {
    expect(email('No').safeParse(value).error?.issues[0]?.message).toBe('No');
  });
  it.each(['ada', 'ada@', '@example.com', 'a b@example.com', `${'a'.repeat(250)}@example.com`])(
    'that is invalid is refused: %s',
    (value) => {
      expect(email('No').safeParse(value).error?.issues[0]?.message).toBe('Enter a valid email address');
    },
  );
});
