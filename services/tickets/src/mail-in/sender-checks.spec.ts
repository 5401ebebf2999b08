import { isDisowned, isSenderUnproven, type SenderChecks } from '@tandem/contracts';
import { checksOf, countSignatures, notChecked, type Statuses } from './sender-checks';
import { spfClientOf } from './spf-client';

const statuses = (changes: Partial<Statuses> = {}): Statuses => ({ spf: 'none', dkim: [], dmarc: 'none', policy: undefined, ...changes });
const checks = (changes: Partial<SenderChecks> = {}): SenderChecks => ({ ...notChecked, ...changes });

describe('sender checks › the SMTP client that SPF applies to', () => {
  const client = (address: string) => spfClientOf({ address, name: 'mx.example.com' }, ['8.8.8.8', '9.9.0.0/16', '2620:fe::/48']);
  it('is the one that connected, with an IPv4-mapped address as IPv4', () => {
    expect(client('1.1.1.1')).toEqual({ address: '1.1.1.1', name: 'mx.example.com' });
    expect(client('::ffff:1.1.1.1')?.address).toBe('1.1.1.1');
    expect(client('2606:4700::1')?.address).toBe('2606:4700::1');
  });
  it.each(['8.8.8.8', '::ffff:9.9.3.4', '2620:fe::fe'])('is unknown behind the trusted relay %s', (address) =>
    expect(client(address)).toBeUndefined(),
  );
  it.each(['127.0.0.1', '10.1.2.3', '172.17.0.1', 'fd00::1', '::1'])('is unknown behind the private address %s', (address) =>
    expect(client(address)).toBeUndefined(),
  );
});

describe('sender checks › results', () => {
  it.each([
    ['pass', 'pass'],
    ['fail', 'fail'],
    ['softfail', 'fail'],
    ['neutral', 'none'],
    ['permerror', 'none'],
    ['temperror', 'not_checked'],
    [undefined, 'not_checked'],
  ] as const)('SPF %s is %s', (spf, result) => expect(checksOf(statuses({ spf })).spf).toBe(result));
  it.each([
    [[], 'none'],
    [['none'], 'none'],
    [['fail', 'pass'], 'pass'],
    [['fail', 'neutral'], 'fail'],
    [['temperror', 'fail'], 'not_checked'],
  ] as const)('DKIM signatures %j are %s', (dkim, result) => expect(checksOf(statuses({ dkim: [...dkim] })).dkim).toBe(result));
  it('DMARC fails only when SPF and DKIM both have a result', () => {
    const failed = { dmarc: 'fail', policy: 'reject' } as const;
    expect(checksOf(statuses(failed))).toMatchObject({ dmarc: 'fail', policy: 'reject' });
    expect(checksOf(statuses({ ...failed, spf: undefined })).dmarc).toBe('not_checked');
    expect(checksOf(statuses({ ...failed, spf: 'temperror' })).dmarc).toBe('not_checked');
    expect(checksOf(statuses({ ...failed, dkim: ['temperror'] })).dmarc).toBe('not_checked');
    expect(checksOf(statuses({ ...failed, dmarc: 'pass', spf: undefined })).dmarc).toBe('pass');
    expect(checksOf(statuses({ dmarc: undefined })).dmarc).toBe('none');
  });
  it('an email is disowned only by a DMARC policy of quarantine or reject', () => {
    const disowned = (['none', 'quarantine', 'reject', null] as const).filter((policy) => isDisowned(checks({ dmarc: 'fail', policy })));
    expect(disowned).toEqual(['quarantine', 'reject']);
    expect(isDisowned(checks({ dmarc: 'not_checked', policy: 'reject' }))).toBe(false);
  });
  it('a match by number alone is unproven unless DMARC passes', () => {
    const unproven = (['pass', 'fail', 'none', 'not_checked'] as const).filter((dmarc) =>
      isSenderUnproven({ matched_by: 'number', checks: checks({ dmarc }) }),
    );
    expect(unproven).toEqual(['fail', 'none', 'not_checked']);
    expect(isSenderUnproven({ matched_by: 'conversation', checks: notChecked })).toBe(false);
  });
});

it('sender checks › signatures are counted in the header only', () => {
  const raw = 'DKIM-Signature: v=1\r\nFrom: a@example.com\r\ndkim-signature : v=1\r\nX-DKIM-Signature: no\r\n\r\nDKIM-Signature: no\r\n';
  expect(countSignatures(Buffer.from(raw))).toBe(2);
});
