import { articleLimits } from '@tandem/contracts';
import { draftFromTicket, uniqueFileName, withoutCustomer } from './article';

const ticket = {
  ticket_number: 'NOR-7',
  subject: 'Refund for Ada',
  description: 'I paid twice.\n\nAda Byron, ada@example.com' as string | null,
  customer_name: 'Ada Byron' as string | null,
  customer_email: 'ada@example.com',
  cc: ['boss@example.com'],
};
const replies = (...contents: string[]) => contents.map((content) => ({ content }));
const clean = (text: string, changed: Partial<typeof ticket> = {}) => withoutCustomer(text, { ...ticket, ...changed });

describe('a draft from a ticket', () => {
  it('quotes the question and continues with the replies, without name and addresses', () => {
    expect(draftFromTicket(ticket, replies('Hi Ada,\nopen **Billing**.', 'We refunded it.'))).toEqual({
      title: 'Refund for',
      body: '> I paid twice.\n>\n> …, …\n\nHi,\nopen **Billing**.\n\nWe refunded it.',
    });
  });

  it('leaves out pictures, and replies of which nothing remains', () => {
    const { body } = draftFromTicket({ ...ticket, description: null }, replies('![Cup](cup.png)', 'Look: ![a](b.png) here', '  '));
    expect(body).toBe('Look: here');
  });

  it('has the ticket number as its title if nothing else remains', () => {
    expect(draftFromTicket({ ...ticket, subject: 'ada@example.com' }, []).title).toBe('Ticket NOR-7');
  });

  it('fits the limits, without half of a surrogate pair', () => {
    const long = { ...ticket, subject: '😀'.repeat(200), description: 'x'.repeat(articleLimits.body) };
    const { title, body } = draftFromTicket(long, replies('y'));
    expect([title.length <= articleLimits.title, title.isWellFormed()]).toEqual([true, true]);
    expect(body).toHaveLength(articleLimits.body);
  });
});

describe('the texts of a draft', () => {
  it.each<[string, string, string]>([
    ['a full name', 'Dear Ada Byron, thanks', 'Dear, thanks'],
    ['a full name with a line break', 'from Ada\nByron today', 'from\n… today'],
    ['the first name in capital letters', 'ADA wrote', '… wrote'],
    ['the last name', 'Ms Byron wrote', 'Ms … wrote'],
    ['a genitive', "Ada's account", "…'s account"],
    ['a name at the end', 'Thanks, Ada', 'Thanks,'],
    ['an address', 'Write to ADA@example.com.', 'Write to ….'],
    ['a link to an address', '[me](mailto:ada@example.com)', '[me](mailto:…)'],
    ['an address in copy', 'boss@example.com agrees', '… agrees'],
  ])('do not contain %s', (_, text, expected) => expect(clean(text)).toBe(expected));

  it.each(['Canada and Adam', 'Ada_1', 'pada@example.com', 'boss@example.company', 'xboss@example.com'])('keep other words: %s', (text) =>
    expect(clean(text)).toBe(text),
  );

  it('keep what looks like a short name, and everything if the customer has no name', () => {
    expect(clean('Al and Bo go', { customer_name: 'Al Bo' })).toBe('Al and Bo go');
    expect(clean('Hello Ada', { customer_name: null })).toBe('Hello Ada');
  });

  it('lose names in other scripts and with characters of patterns', () => {
    expect(clean('Здравствуйте, Ольга! Ольгаша', { customer_name: 'Ольга' })).toBe('Здравствуйте,! Ольгаша');
    expect(clean('Mr (Max) wrote', { customer_name: '(Max)' })).toBe('Mr … wrote');
  });
});

describe('the name of a picture', () => {
  it('is changed only if another picture has it', () => {
    expect(uniqueFileName('cup.png', [])).toBe('cup.png');
    expect(uniqueFileName('cup.png', ['cup.png'])).toBe('cup-2.png');
    expect(uniqueFileName('cup.png', ['cup.png', 'cup-2.png'])).toBe('cup-3.png');
    expect(uniqueFileName('cup', ['cup'])).toBe('cup-2');
    expect(uniqueFileName('.png', ['.png'])).toBe('.png-2');
  });

  it('stays short enough', () => {
    const name = `${'a'.repeat(196)}.png`;
    expect(uniqueFileName(name, [name])).toBe(`${'a'.repeat(194)}-2.png`);
  });
});
