import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { apiTokenRules } from '@tandem/contracts';

const prefix = 'tnd_live_';
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^6 is greater than 2^32. */
const checksumLength = 6;

/** The CRC-32 of `text` as six base62 digits, the most significant first. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let i = 0; i < checksumLength; i++) {
    checksum = digits[rest % digits.length]! + checksum;
    rest = Math.floor(rest / digits.length);
  }
  return checksum;
}

/**
 * A new API token: `tnd_live_`, 32 random bytes in hex, and the checksum of the preceding characters. Scanners recognize the form, and a
 * typo is detected without a lookup.
 */
export function newApiTokenValue(): string {
  const value = prefix + randomBytes(32).toString('hex');
  return value + checksumOf(value);
}

/** Whether the text has the form of an API token with the right checksum. No such token has to exist. */
export function isApiTokenValue(text: string): boolean {
  return apiTokenRules.pattern.test(text) && checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

const anywhere = /tnd_live_[0-9a-f]{64}[0-9A-Za-z]{6}/i;
const isEscaped = /%[0-9a-f]{2}/gi;

/** Whether a URL's query contains the form of an API token, in any parameter and with any characters percent-encoded. */
export const hasApiTokenValue = (query: string): boolean =>
  anywhere.test(query.replace(isEscaped, (escaped) => String.fromCharCode(parseInt(escaped.slice(1), 16))));
