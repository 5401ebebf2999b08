import { sha256 } from '@noble/hashes/sha2.js';

/** Response of `GET /public/challenge`: find the number up to `maxnumber` for which `salt + number` hashes to `challenge`. */
export interface Challenge {
  algorithm: string;
  challenge: string;
  maxnumber: number;
  salt: string;
  signature: string;
}

/**
 * The number between `from` and `to` that solves the challenge, or undefined. WebCrypto is not used: it is asynchronous for every hash, which
 * takes ten times as long, and does not exist on plain http.
 */
export function search({ salt, challenge }: Pick<Challenge, 'salt' | 'challenge'>, from: number, to: number): number | undefined {
  const wanted = bytesOf(challenge);
  const encoder = new TextEncoder();
  for (let number = from; number <= to; number += 1) {
    const digest = sha256(encoder.encode(`${salt}${number}`));
    if (wanted.every((byte, i) => byte === digest[i])) return number;
  }
  return undefined;
}

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
