import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

interface Question {
  name: string;
  type: string;
}
interface Packet {
  id?: number;
  type: 'query' | 'response';
  flags?: number;
  questions: Question[];
  answers?: {
    name: string;
    type: 'TXT' | 'CNAME' | 'A' | 'AAAA' | 'MX';
    ttl: number;
    data: string[] | string | { preference: number; exchange: string };
  }[];
}
interface DnsPacket {
  decode(bytes: Buffer): Packet;
  encode(packet: Packet): Buffer;
}
// The package has no types.
// oxlint-disable-next-line typescript/no-require-imports
const packets = require('dns-packet') as DnsPacket;

const nameError = 3;
const addressType = (address: string): 'A' | 'AAAA' => (address.includes(':') ? 'AAAA' : 'A');

/** A DNS server with a test's records. Texts are split into strings, as DNS does with long ones. */
export class DnsServer {
  /** Keys are names in lower case. */
  readonly records = new Map<string, string[][]>();
  /** The target of each CNAME record. */
  readonly aliases = new Map<string, string>();
  /** The addresses of each host, of IPv4 or IPv6. */
  readonly addresses = new Map<string, string | string[]>();
  /** The host of each MX record. */
  readonly mailServers = new Map<string, string>();
  readonly asked: string[] = [];
  /** Receives queries but does not respond. */
  isSilent = false;
  /** Runs between a query and its response. */
  beforeAnswer: () => Promise<unknown> = () => Promise.resolve();

  private constructor(private readonly socket: Socket) {
    socket.on('message', (bytes, { port, address }) => {
      void this.answer(packets.decode(bytes)).then((reply) => reply && socket.send(packets.encode(reply), port, address));
    });
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket);
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  close(): void {
    this.socket.close();
  }

  private async answer({ id, questions }: Packet): Promise<Packet | undefined> {
    const name = questions[0]?.name.toLowerCase() ?? '';
    this.asked.push(`${questions[0]?.type} ${name}`);
    await this.beforeAnswer();
    if (this.isSilent) return undefined;
    const alias = this.aliases.get(name);
    const records = this.records.get(alias ?? name) ?? [];
    const isText = questions[0]?.type === 'TXT';
    const aliases = alias === undefined ? [] : [{ name, type: 'CNAME' as const, ttl: 60, data: alias }];
    const texts = isText ? records.map((data) => ({ name: alias ?? name, type: 'TXT' as const, ttl: 60, data })) : [];
    const addresses = [this.addresses.get(name) ?? []].flat();
    const exchange = this.mailServers.get(alias ?? name);
    const exists = alias !== undefined || records.length > 0 || addresses.length > 0 || exchange !== undefined;
    const others = [
      ...addresses
        .filter((address) => questions[0]?.type === addressType(address))
        .map((address) => ({ name, type: addressType(address), ttl: 60, data: address })),
      ...(exchange !== undefined && questions[0]?.type === 'MX'
        ? [{ name: alias ?? name, type: 'MX' as const, ttl: 60, data: { preference: 10, exchange } }]
        : []),
    ];
    const flags = exists ? 0 : nameError;
    return { ...(id === undefined ? {} : { id }), type: 'response', flags, questions, answers: [...aliases, ...texts, ...others] };
  }
}
