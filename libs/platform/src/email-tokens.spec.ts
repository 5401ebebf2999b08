import { EmailTokens } from './email-tokens';

const tokens = new EmailTokens(['a test secret'], 'Mail.Example');
const others = new EmailTokens(['another secret'], 'mail.example');
const acme = { organization_id: '01900000-0000-7000-8000-00000000000a', subdomain: 'acme' };
const globex = { organization_id: '01900000-0000-7000-8000-00000000000b', subdomain: null };
const ticket = '01900000-0000-7000-8000-0000000000c1';
const mail = '01900000-0000-7000-8000-0000000000d1';
const localPart = (address: string) => address.slice(0, address.indexOf('@'));

it('gives an organization an address below the mail domain', () => {
  expect(tokens.supportAddress(acme)).toBe('support@acme.mail.example');
  expect(tokens.supportAddress(globex)).toBe(`support@${globex.organization_id}.mail.example`);
});
it('reads its own tokens in upper and lower case', () => {
  const reply = tokens.replyAddress(acme, ticket);
  expect(localPart(reply).length).toBeLessThanOrEqual(64);
  expect(reply).toBe(reply.toLowerCase());
  expect(tokens.ticketOf(acme.organization_id, localPart(reply))).toBe(ticket);
  expect(tokens.ticketOf(acme.organization_id, localPart(reply).toUpperCase())).toBe(ticket);
  expect(tokens.bouncedMailOf(acme.organization_id, localPart(tokens.bounceAddress(acme, mail)))).toBe(mail);
});
it('rejects tokens of another organization, purpose or key, and changed ones', () => {
  const token = localPart(tokens.replyAddress(acme, ticket));
  expect(tokens.ticketOf(globex.organization_id, token)).toBeUndefined();
  expect(others.ticketOf(acme.organization_id, token)).toBeUndefined();
  expect(tokens.ticketOf(acme.organization_id, localPart(tokens.bounceAddress(acme, ticket)).replace('bounce', 'support'))).toBeUndefined();
  for (let i = 'support+'.length; i < token.length; i++) {
    const changed = token.slice(0, i) + (token[i] === 'a' ? 'b' : 'a') + token.slice(i + 1);
    expect(tokens.ticketOf(acme.organization_id, changed)).toBeUndefined();
  }
  for (const broken of ['support', 'support+', 'support+a', `${token}a`, token.slice(0, -1)])
    expect(tokens.ticketOf(acme.organization_id, broken)).toBeUndefined();
});
it('reads tokens of every secret in its list, so that old emails can be answered after a rotation', () => {
  const rotated = new EmailTokens(['the next secret', 'a test secret'], 'mail.example');
  expect(rotated.ticketOf(acme.organization_id, localPart(tokens.replyAddress(acme, ticket)))).toBe(ticket);
  expect(rotated.bouncedMailOf(acme.organization_id, localPart(tokens.bounceAddress(acme, mail)))).toBe(mail);
  expect(rotated.readMessageId(tokens.messageId(mail, ticket))).toEqual({ ticket_id: ticket, email_id: mail });
  expect(tokens.ticketOf(acme.organization_id, localPart(rotated.replyAddress(acme, ticket)))).toBeUndefined();
});
it('creates Message-IDs that it can read, and reads no others', () => {
  const id = tokens.messageId(mail, ticket);
  expect(id).toMatch(/^<t\.[^@\s]+@mail\.example>$/);
  expect(tokens.readMessageId(` ${id} `)).toEqual({ ticket_id: ticket, email_id: mail });
  expect(tokens.readMessageId(tokens.messageId(mail, null))).toEqual({ ticket_id: null, email_id: mail });
  expect(others.readMessageId(id)).toBeUndefined();
  expect(tokens.readMessageId(id.replace(mail, ticket))).toBeUndefined();
  expect(tokens.readMessageId('<CA+x@mail.gmail.com>')).toBeUndefined();
});
it('refuses a token with the right number of letters but another number of bytes', () => {
  const id = tokens.messageId(mail, ticket);
  expect(tokens.readMessageId(id.replace('mail.example', 'mail.exampl\u00e9'))).toBeUndefined();
  const support = localPart(tokens.replyAddress(acme, ticket));
  const bounce = localPart(tokens.bounceAddress(acme, mail));
  for (let i = 0; i < support.length; i++) {
    // A case-insensitive pattern may match the long s (U+017F) and the Kelvin sign (U+212A) as letters of the alphabet.
    for (const letter of ['\u00e9', '\u017f', '\u212a']) {
      expect(tokens.ticketOf(acme.organization_id, support.slice(0, i) + letter + support.slice(i + 1))).toBeUndefined();
      expect(tokens.bouncedMailOf(acme.organization_id, bounce.slice(0, i) + letter + bounce.slice(i + 1))).toBeUndefined();
    }
  }
});
it('returns the label of an address below the mail domain, and of no other', () => {
  expect(tokens.labelOf('Support+x@ACME.mail.example')).toBe('acme');
  for (const address of ['support@mail.example', 'support@a.b.mail.example', 'support@acme.evil.example', 'support@acmemail.example'])
    expect(tokens.labelOf(address)).toBeUndefined();
});
