/** Response of `GET /public/challenge`: find the number up to `maxnumber` for which `salt + number` hashes to `challenge`. */
export interface Challenge {
  algorithm: string;
  challenge: string;
  maxnumber: number;
  salt: string;
  signature: string;
}

const fraction = (x: number) => ((x - Math.floor(x)) * 2 ** 32) | 0;
const isPrime = (n: number) => {
  for (let by = 2; by * by <= n; by += 1) if (n % by === 0) return false;
  return true;
};
const primes = Array.from({ length: 312 }, (_, i) => i + 2)
  .filter(isPrime)
  .slice(0, 64);
const roundConstants = Int32Array.from(primes, (prime) => fraction(prime ** (1 / 3)));
const start = Int32Array.from(primes.slice(0, 8), (prime) => fraction(prime ** 0.5));
const schedule = new Int32Array(64);

const turn = (x: number, by: number) => (x >>> by) | (x << (32 - by));

/** FIPS 180-4, section 6.2.2: one block of 64 bytes into `state`. */
function compress(state: Int32Array, block: DataView, offset: number): void {
  const w = schedule;
  for (let i = 0; i < 16; i += 1) w[i] = block.getInt32(offset + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    w[i] = (w[i - 16]! + w[i - 7]! + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i += 1) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + roundConstants[i]! + w[i]!) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

/**
 * The number between `from` and `to` that solves the challenge, or undefined. SHA-256 is implemented here because WebCrypto is asynchronous
 * for every hash, which takes ten times as long, and does not exist on plain http.
 */
export function search({ salt, challenge }: Pick<Challenge, 'salt' | 'challenge'>, from: number, to: number): number | undefined {
  const wanted = Array.from({ length: 8 }, (_, i) => Number.parseInt(challenge.slice(8 * i, 8 * i + 8), 16) | 0);
  const prefix = new TextEncoder().encode(salt);
  const state = new Int32Array(8);
  for (let number = from; number <= to; number += 1) {
    const digits = String(number);
    const length = prefix.length + digits.length;
    const bytes = new Uint8Array((((length + 8) >> 6) << 6) + 64);
    bytes.set(prefix);
    for (let i = 0; i < digits.length; i += 1) bytes[prefix.length + i] = digits.charCodeAt(i);
    bytes[length] = 0x80;
    const view = new DataView(bytes.buffer);
    view.setUint32(bytes.length - 4, length * 8);
    state.set(start);
    for (let offset = 0; offset < bytes.length; offset += 64) compress(state, view, offset);
    if (state[0] === wanted[0] && wanted.every((word, i) => word === state[i])) return number;
  }
  return undefined;
}
