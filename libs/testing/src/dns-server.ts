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
  answers?: { name: string; type: 'TXT'; ttl: number; data: string[] }[];
}
interface DnsPacket {
  decode(bytes: Buffer): Packet;
  encode(packet: Packet): Buffer;
}
// The package has no types.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const packets = require('dns-packet') as DnsPacket;

const nameError = 3;

/** A DNS server with a test's TXT records, each split into strings as DNS does with long ones. Its names have TXT records only. */
export class DnsServer {
  /** Keys are names in lower case. */
  readonly records = new Map<string, string[][]>();
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
    const records = this.records.get(name) ?? [];
    const isText = questions[0]?.type === 'TXT';
    const answers = isText ? records.map((data) => ({ name, type: 'TXT' as const, ttl: 60, data })) : [];
    return { ...(id === undefined ? {} : { id }), type: 'response', flags: records.length === 0 ? nameError : 0, questions, answers };
  }
}
