import { crc32 } from 'node:zlib';
import { hasApiTokenValue, isApiTokenValue, newApiTokenValue } from './api-token-value';

// The same value for every implementation, so that scanners can check theirs.
const known = `tnd_live_${'0123456789abcdef'.repeat(4)}`;

it('has the documented form, is random and is valid', () => {
  const values = Array.from({ length: 200 }, newApiTokenValue);
  expect(new Set(values).size).toBe(200);
  for (const value of values) {
    expect(value).toMatch(/^tnd_live_[0-9a-f]{64}[0-9A-Za-z]{6}$/);
    expect(isApiTokenValue(value)).toBe(true);
  }
});

it('ends with the CRC-32 in base62, padded to six digits', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const value = newApiTokenValue();
  const decoded = [...value.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
  expect(decoded).toBe(crc32(value.slice(0, -6)));
});

it('detects every wrong, missing and swapped character', () => {
  const value = newApiTokenValue();
  for (let i = 0; i < value.length; i++) {
    const other = value[i] === '0' ? '1' : '0';
    expect(isApiTokenValue(value.slice(0, i) + other + value.slice(i + 1))).toBe(false);
    expect(isApiTokenValue(value.slice(0, i) + value.slice(i + 1))).toBe(false);
    const swapped = value.slice(0, i) + (value[i + 1] ?? '') + value[i]! + value.slice(i + 2);
    if (swapped !== value) expect(isApiTokenValue(swapped)).toBe(false);
  }
});

it.each([
  '',
  ' ',
  'tnd_live_',
  known,
  `${known}000000`,
  `x${newApiTokenValue()}`,
  `${newApiTokenValue()}\n`,
  newApiTokenValue().toUpperCase(),
])('rejects %j', (text) => expect(isApiTokenValue(text)).toBe(false));

it('is found anywhere in a query, even percent-encoded, and with any checksum', () => {
  const value = newApiTokenValue();
  const encoded = [...value].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
  for (const query of [`token=${value}`, `a=1&b=x${value}y&c`, value, encoded, `q=${value.replaceAll('_', '%5F')}`, `q=${known}000000`])
    expect(hasApiTokenValue(query)).toBe(true);
  for (const query of ['', 'search=tnd_live_', `search=${value.slice(0, -1)}`, 'q=%', '%zz=%5'])
    expect(hasApiTokenValue(query)).toBe(false);
});
