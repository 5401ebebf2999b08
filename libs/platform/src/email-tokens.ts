import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';

/**
 * Tokens in emails that identify the ticket or email of a reply or bounce. The sending process creates them, the receiving process verifies
 * them, and they are not stored. Each has a keyed hash (HMAC-SHA-256, shortened), so they cannot be forged.
 *
 * Encoded as base32 (RFC 4648) in lower case, because mail servers may change the case of an address.
 */
export class EmailTokens {
  readonly #keys: readonly KeyObject[];
  readonly #domain: string;

  /** `secrets` is LINK_SECRET, the same in every process: the first signs, all verify. `domain` is MAIL_DOMAIN. */
  constructor(secrets: readonly string[], domain: string) {
    // Imported once: importing a key takes longer than the hash.
    this.#keys = secrets.map((secret) => createSecretKey(secret, 'utf8'));
    this.#domain = domain.toLowerCase();
  }

  /**
   * `Message-ID` of an email (RFC 5322, 3.6.4), the same at every attempt: `<t.{ticket}.{mail}.{mac}@{domain}>`, with `0` as the ticket of
   * an email that belongs to no ticket.
   */
  messageId(email_id: string, ticket_id: string | null): string {
    return this.#messageId(this.#keys[0]!, email_id, ticket_id);
  }

  /**
   * The ticket and the email in one of Tandem's Message-IDs; undefined for any other. Angle brackets and surrounding spaces are optional.
   */
  readMessageId(message_id: string): { ticket_id: string | null; email_id: string } | undefined {
    const plain = message_id.trim().replace(/^<|>$/g, '');
    const [, ticket, email_id] = /^t\.([0-9a-f-]{36}|0)\.([0-9a-f-]{36})\.[0-9a-f]{16}@/.exec(plain) ?? [];
    if (ticket === undefined || email_id === undefined) return undefined;
    const ticket_id = ticket === '0' ? null : ticket;
    return this.#keys.some((key) => same(`<${plain}>`, this.#messageId(key, email_id, ticket_id))) ? { ticket_id, email_id } : undefined;
  }

  /** The address at which an organization receives mail: its subdomain, or its id if it has none, as a label below the mail domain. */
  supportAddress(organization: { organization_id: string; subdomain: string | null }): string {
    return `support@${this.hostOf(organization)}`;
  }

  /** `Reply-To` of an email that a customer can reply to. A token of one organization is invalid at the address of another. */
  replyAddress(organization: { organization_id: string; subdomain: string | null }, ticket_id: string): string {
    return `support+${this.#token(this.#keys[0]!, 'reply', organization.organization_id, ticket_id)}@${this.hostOf(organization)}`;
  }

  /**
   * The envelope sender (VERP): a bounce is sent to it, so the bounced email can be identified. `host` may be an alias of a host below
   * the mail domain.
   */
  bounceAddress(
    organization: { organization_id: string; subdomain: string | null },
    email_id: string,
    host = this.hostOf(organization),
  ): string {
    return `bounce+${this.#token(this.#keys[0]!, 'bounce', organization.organization_id, email_id)}@${host}`;
  }

  /** The ticket that a local part (`support+token`) identifies; undefined if the token is not valid for this organization. */
  ticketOf(organization_id: string, localPart: string): string | undefined {
    return this.#read('reply', organization_id, /^support\+([a-z2-7]+)$/i.exec(localPart)?.[1]);
  }

  /** The email that a local part (`bounce+token`) identifies; undefined if the token is not valid for this organization. */
  bouncedMailOf(organization_id: string, localPart: string): string | undefined {
    return this.#read('bounce', organization_id, /^bounce\+([a-z2-7]+)$/i.exec(localPart)?.[1]);
  }

  /** The label below the mail domain in an address: `acme` for `support@acme.mail.example`. */
  labelOf(address: string): string | undefined {
    const host = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
    if (!host.endsWith(`.${this.#domain}`)) return undefined;
    const label = host.slice(0, -this.#domain.length - 1);
    return /^[a-z0-9-]{1,63}$/.test(label) ? label : undefined;
  }

  hostOf({ organization_id, subdomain }: { organization_id: string; subdomain: string | null }): string {
    return `${subdomain ?? organization_id}.${this.#domain}`;
  }

  /** 16 bytes of the id and 8 of the hash: 39 characters, well below the limit of 64 for a local part (RFC 5321, 4.5.3.1.1). */
  #token(key: KeyObject, purpose: string, organization_id: string, id: string): string {
    return base32(Buffer.concat([bytesOf(id), mac(key, `${purpose}:${organization_id}:${id}`, 8)]));
  }

  #read(purpose: string, organization_id: string, token: string | undefined): string | undefined {
    if (token?.length !== 39) return undefined;
    const hex = fromBase32(token.toLowerCase()).subarray(0, 16).toString('hex');
    const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    return this.#keys.some((key) => same(token.toLowerCase(), this.#token(key, purpose, organization_id, id))) ? id : undefined;
  }

  #messageId(key: KeyObject, email_id: string, ticket_id: string | null): string {
    const named = `t.${ticket_id ?? '0'}.${email_id}`;
    return `<${named}.${mac(key, `message-id:${named}`, 8).toString('hex')}@${this.#domain}>`;
  }
}

const mac = (key: KeyObject, text: string, bytes: number): Buffer => createHmac('sha256', key).update(text).digest().subarray(0, bytes);

/** Compares bytes, because timingSafeEqual needs equal byte lengths: a non-ASCII letter has one UTF-16 unit but several bytes. */
function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

const letters = 'abcdefghijklmnopqrstuvwxyz234567';
function base32(bytes: Buffer): string {
  let bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  bits = bits.padEnd(Math.ceil(bits.length / 5) * 5, '0');
  return bits.replace(/.{5}/g, (five) => letters[parseInt(five, 2)]!);
}
function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}
