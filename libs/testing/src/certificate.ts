import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A value in DER: its tag, its length and its content. */
function der(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
/** 2026-11-23T10:00:00.000Z as UTCTime: 261123100000Z. */
const time = (at: Date) => der(0x17, `${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`);

/** A self-signed certificate for 127.0.0.1 and these names (RFC 5280), in PEM, with its key. */
export function certificate({ from, until, names = [] }: { from: Date; until: Date; names?: string[] }): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, 'Test receiver'))));
  const alternativeNames = der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])), ...names.map((each) => der(0x82, each))));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), alternativeNames))),
  );
  const signed = sequence(content, ecdsaWithSha256, bits(sign('sha256', content, privateKey)));
  const lines = signed.toString('base64').match(/.{1,64}/g)!;
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
