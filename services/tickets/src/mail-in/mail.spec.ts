import { EmailTokens } from '@tandem/platform';
import {
  ticketReferences,
  commentContent,
  copiedTo,
  truncate,
  classify,
  canonicalMailbox,
  parseRecipient,
  senderOf,
  selectFiles,
  ticketSubject,
} from './mail';
import type { ParsedMail } from './parsed-mail';
import { mostSpecific } from './mail-receiver';

const domain = 'mail.test';
const tokens = new EmailTokens(['a shared secret'], domain);
const organization_id = '018f0000-0000-7000-8000-000000000001';
const other_id = '018f0000-0000-7000-8000-000000000002';
const ticket_id = '018f0000-0000-7000-8000-0000000000a1';
const second_id = '018f0000-0000-7000-8000-0000000000a2';
const email_id = '018f0000-0000-7000-8000-0000000000e1';
const at = { organization_id, subdomain: 'acme' };
const envelope = { organization_id, to_address: 'support@acme.mail.test', envelope_from: 'carla@example.com' };

const aMail = (overrides: Partial<ParsedMail> = {}): ParsedMail => ({
  message_id: '<1@example.com>',
  in_reply_to: [],
  references: [],
  from: { address: 'carla@example.com', name: 'Carla' },
  recipients: [],
  cc: [],
  subject: 'The printer is on fire',
  sent_at: null,
  text: 'It began at noon.',
  reply: 'It began at noon.',
  language: null,
  quoted_text: null,
  html: null,
  files: [],
  automatic: null,
  suppresses_replies: false,
  loop: null,
  bounce: null,
  ...overrides,
});
const aBounce = (original_message_id: string | null) => ({
  bounce: {
    permanent: true,
    is_final: true,
    status: '5.1.1',
    recipient: 'gone@example.com',
    diagnostic: 'no such user',
    original_message_id,
  },
  automatic: 'delivery report',
});
const classified = (mail: Partial<ParsedMail>, more: Partial<typeof envelope> = {}) =>
  classify(aMail(mail), { ...envelope, ...more }, tokens, domain);
const references = (mail: Partial<ParsedMail>, more: Partial<typeof envelope> = {}) =>
  ticketReferences(aMail(mail), { ...envelope, ...more }, tokens);

describe('the addresses of an organization', () => {
  it('are support, and support and bounce with a token, ignoring case', () => {
    const reply = tokens.replyAddress(at, ticket_id);
    expect(parseRecipient(tokens, organization_id, 'SUPPORT@acme.mail.test')).toEqual({ for: 'anything' });
    expect(parseRecipient(tokens, organization_id, reply.toUpperCase())).toEqual({ for: 'ticket', ticket_id });
    expect(parseRecipient(tokens, organization_id, tokens.bounceAddress(at, email_id))).toEqual({ for: 'bounce', email_id });
  });
  it.each(['sales@acme.mail.test', 'support+abc@acme.mail.test', 'bounce@acme.mail.test', 'support+@acme.mail.test', '@acme.mail.test'])(
    'do not include %s',
    (address) => expect(parseRecipient(tokens, organization_id, address)).toBeUndefined(),
  );
  it('do not accept the tokens of another organization', () => {
    expect(parseRecipient(tokens, other_id, tokens.replyAddress(at, ticket_id))).toBeUndefined();
    expect(parseRecipient(tokens, other_id, tokens.bounceAddress(at, email_id))).toBeUndefined();
  });
  it('are reduced to the most specific one if an email has several', () => {
    const to = (to_address: string, kind: 'anything' | 'ticket' | 'bounce') => ({ organization_id, to_address, for: kind });
    expect(mostSpecific([to('a', 'anything'), to('b', 'ticket'), to('c', 'bounce'), to('d', 'ticket')])?.to_address).toBe('b');
    expect(mostSpecific([])).toBeUndefined();
  });
});

it.each([
  ['Carla+1@Example.com', 'carla@example.com'],
  ['carla+a+b@example.com', 'carla@example.com'],
  ['"a@b+c"@example.com', '"a@b@example.com'],
  ['+@example.com', '@example.com'],
  ['nobody', 'nobody'],
])('the mailbox of %s is %s', (address, mailbox) => expect(canonicalMailbox(address)).toBe(mailbox));

describe('classification', () => {
  it.each([
    [{ loop: organization_id }, 'loop'],
    [{ loop: other_id }, 'loop'],
    [{ from: { address: 'support@acme.mail.test', name: null } }, 'loop'],
    [{ from: { address: 'support@mail.test', name: null } }, 'loop'],
  ])('ignores our own emails: %j', (mail, reason) => expect(classified(mail)).toEqual({ kind: 'ignored', reason }));
  it('does not mistake an address with a similar ending for ours', () =>
    expect(classified({ from: { address: 'a@notmail.test', name: null } })).toMatchObject({ kind: 'message', sender: 'a@notmail.test' }));
  it('identifies the bounced email by the token of the address', () =>
    expect(classified(aBounce(null), { to_address: tokens.bounceAddress(at, email_id), envelope_from: '' })).toEqual({
      kind: 'bounce',
      email_id,
      address: 'gone@example.com',
      permanent: true,
      is_final: true,
      status: '5.1.1',
      diagnostic: 'no such user',
    }));
  it('identifies the bounced email by our Message-ID in the report', () =>
    expect(classified(aBounce(tokens.messageId(email_id, ticket_id)))).toMatchObject({ kind: 'bounce', email_id }));
  it('treats a report without details as temporary', () =>
    expect(classified({}, { to_address: tokens.bounceAddress(at, email_id) })).toMatchObject({
      kind: 'bounce',
      email_id,
      permanent: false,
      address: null,
    }));
  it('ignores reports about other emails, and out-of-office replies to the address for reports', () => {
    expect(classified(aBounce('<somebody@else>'))).toEqual({ kind: 'ignored', reason: 'unknown_bounce' });
    expect(classified({ automatic: 'Auto-Submitted' }, { to_address: tokens.bounceAddress(at, email_id) })).toEqual({
      kind: 'ignored',
      reason: 'automatic',
    });
  });
  it('refuses an email without a sender', () => {
    expect(classified({ from: null }, { envelope_from: '' })).toEqual({ kind: 'refused', reason: 'no_sender' });
    expect(senderOf(aMail({ from: null }), envelope)).toBe('carla@example.com');
  });
});

describe('ticket references', () => {
  it('are sorted: tokens, then Message-IDs (the newest first), then the number', () => {
    const mail = {
      recipients: ['team@example.com', tokens.replyAddress(at, second_id)],
      in_reply_to: ['<3@example.com>'],
      references: ['<1@example.com>', tokens.messageId(email_id, ticket_id), '<3@example.com>'],
      subject: 'Re: [acm-0007] Fire',
    };
    expect(references(mail, { to_address: tokens.replyAddress(at, ticket_id) })).toEqual([
      { by: 'token', ticket_id },
      { by: 'token', ticket_id: second_id },
      { by: 'reference', message_id: '<3@example.com>' },
      { by: 'reference', ticket_id },
      { by: 'reference', message_id: '<1@example.com>' },
      { by: 'number', ticket_number: 'ACM-0007' },
    ]);
  });
  it('exclude Message-IDs with a wrong signature and tokens of another organization', () => {
    const forged = tokens.messageId(email_id, ticket_id).replace(/\.[0-9a-f]{16}@/, '.0000000000000000@');
    expect(
      references({ in_reply_to: [forged], recipients: [tokens.replyAddress({ ...at, organization_id: other_id }, ticket_id)] }),
    ).toEqual([{ by: 'reference', message_id: forged }]);
  });
});

describe('the text in the conversation', () => {
  it('is the new text in a reply, and the whole text in a new ticket', () => {
    const mail = aMail({ text: 'Yes.\n\n> Is it on?', reply: 'Yes.', quoted_text: '> Is it on?' });
    expect(commentContent(mail, { whole: false })).toEqual({ text: 'Yes.', has_original: true });
    expect(commentContent(mail, { whole: true })).toEqual({ text: 'Yes.\n\n> Is it on?', has_original: false });
  });
  it('is truncated to the maximum length of a comment, between characters', () => {
    const { text, has_original } = commentContent(aMail({ reply: '🔥'.repeat(60_000) }), { whole: false });
    expect([text.length <= 100_000, text.isWellFormed(), has_original]).toEqual([true, true, true]);
    expect(truncate('🔥🔥', 3)).toBe('🔥…');
  });
  it('has a placeholder if there are only files or there is no text', () => {
    const files = [{ file_name: 'a.txt', content_id: null, content: Buffer.from('a') }];
    expect(commentContent(aMail({ text: '', reply: '', files }), { whole: true }).text).toBe('See the attached files');
    expect(commentContent(aMail({ text: '', reply: '' }), { whole: false }).text).toBe('(no text)');
    expect(ticketSubject(aMail({ subject: '  ' }))).toBe('(no subject)');
  });
});

describe('the files', () => {
  const file = (file_name: string, size = 1) => ({ file_name, content_id: null, content: Buffer.alloc(size) });
  it('are selected by the rules for all files, and the note names the skipped ones', () => {
    const { taken, skipped } = selectFiles([
      file('a.txt'),
      file('run.exe'),
      file('empty.txt', 0),
      file('big.bin', 20 * 1024 * 1024 + 1),
      file(''),
    ]);
    expect(taken.map(({ file_name }) => file_name)).toEqual(['a.txt', 'file']);
    expect(skipped).toEqual(['run.exe (a program)', 'empty.txt (empty)', 'big.bin (larger than 20 MB)']);
  });
  it('are limited to ten, and a long name keeps its extension', () => {
    const { taken, skipped } = selectFiles([file(`${'x'.repeat(300)}.pdf`), ...Array.from({ length: 11 }, (_, i) => file(`${i}.txt`))]);
    expect(taken).toHaveLength(10);
    expect(taken[0]!.file_name).toMatch(/^x{196}\.pdf$/);
    expect(skipped).toEqual(['9.txt (more than 10 files)', '10.txt (more than 10 files)']);
  });
  it.each(['setup.msix', 'run.sh. ', 'file.txt:evil.exe', 'a.exe::$DATA', 'invoice.ex\u200be', 'cod\u202egpj.exe'])(
    'are skipped if they are programs: %j',
    (name) => expect(selectFiles([file(name)])).toEqual({ taken: [], skipped: [`${name} (a program)`] }),
  );
  it('may have a colon in their name that does not denote a stream', () =>
    expect(selectFiles([file('Meeting 10:30.pdf')]).taken).toMatchObject([{ file_name: 'Meeting 10:30.pdf' }]));
  it('are skipped if they are programs with very long names', () =>
    expect(selectFiles([file(`${'x'.repeat(300)}.exe`)]).taken).toEqual([]));
});

describe('the addresses in Cc', () => {
  const cc = (addresses: string[]) => copiedTo(aMail({ cc: addresses }), 'carla@example.com', domain);
  it('are other people: neither the customer nor an address at the mail domain or below it', () => {
    expect(cc(['carla@example.com', 'bob@example.com', 'support@acme.mail.test', 'postmaster@mail.test'])).toEqual(['bob@example.com']);
    expect(cc(['bob@notmail.test'])).toEqual(['bob@notmail.test']);
    const mail = aMail({ cc: ['help@acme.example', 'bob@acme.example'] });
    expect(copiedTo(mail, 'carla@example.com', domain, ['help@acme.example'])).toEqual(['bob@acme.example']);
  });
  it('are valid, and at most 20', () => {
    expect(cc(['bob@localhost', 'eve@example.com'])).toEqual(['eve@example.com']);
    expect(cc(Array.from({ length: 30 }, (_, i) => `${i}@example.com`))).toHaveLength(20);
  });
});
