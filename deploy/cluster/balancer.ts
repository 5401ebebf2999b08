import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { withLibraries } from '../local/binaries.ts';
import { locateHaproxy } from '../local/locate.ts';
import { ManagedProcess } from '../local/managed-process.ts';
import type { ProcessIdentity } from '../local/process-identity.ts';

/** The servers behind one port. */
export interface Backend {
  name: string;
  port: number;
  servers: { name: string; port: number }[];
}

const maxWaitMs = 120_000;

/**
 * HAProxy in front of all replicas. It checks `/health/ready`, tries another replica if one does not accept a connection, and repeats a GET
 * whose connection broke. A refused connection excludes a replica until the next successful check; a slow response to a check does not,
 * because a busy machine causes it.
 */
export class Balancer {
  readonly #process: ManagedProcess;
  readonly #socket: string;

  private constructor(process: ManagedProcess, socket: string) {
    this.#process = process;
    this.#socket = socket;
  }

  static async start(directory: string, backends: Backend[], spawned: (identity: ProcessIdentity) => void): Promise<Balancer> {
    const binary = await locateHaproxy(() => undefined);
    const [socket, configuration] = [join(directory, 'haproxy.sock'), join(directory, 'haproxy.cfg')];
    writeFileSync(configuration, configurationOf(socket, backends));
    const process = new ManagedProcess(
      {
        name: 'haproxy',
        logFile: join(directory, 'logs', 'haproxy.log'),
        command: () => ({ file: binary.file, args: ['-db', '-f', configuration], cwd: directory, env: withLibraries(binary.libraryPath) }),
        ready: async () => void (await request(socket, 'show info')),
        readyWithinMs: 30_000,
        stopSignal: 'SIGTERM',
        graceMs: 3_000,
        spawned,
      },
      () => undefined,
      false,
    );
    await process.start();
    return new Balancer(process, socket);
  }

  /** Resolves once this server gets requests in all of these backends. */
  async untilUp(backends: string[], server: string): Promise<void> {
    for (const deadline = Date.now() + maxWaitMs; ; await pause(50)) {
      const states = await this.#states();
      if (backends.every((backend) => states.get(`${backend}/${server}`) === 'UP')) return;
      if (Date.now() > deadline) throw new Error(`${server} is not up: ${JSON.stringify([...states])}`);
    }
  }

  /** `drain`: the server gets no new requests, even if its health checks succeed. */
  async setState(backends: string[], server: string, state: 'ready' | 'drain'): Promise<void> {
    for (const backend of backends) {
      const answer = (await request(this.#socket, `set server ${backend}/${server} state ${state}`)).trim();
      if (answer) throw new Error(`HAProxy refused to change ${backend}/${server}: ${answer}`);
    }
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  /** The state of each server by `backend/server`. */
  async #states(): Promise<Map<string, string>> {
    const [head = '', ...lines] = (await request(this.#socket, 'show stat -1 4 -1')).trim().split('\n');
    const status = head.split(',').indexOf('status');
    return new Map(lines.map((line) => line.split(',')).map((cells) => [`${cells[0]}/${cells[1]}`, cells[status]!]));
  }
}

/** Sends a command to HAProxy's administration socket; returns the answer. */
function request(socket: string, command: string): Promise<string> {
  const connection = connect(socket);
  connection.end(`${command}\n`);
  return text(connection);
}

function configurationOf(socket: string, backends: Backend[]): string {
  const sections = backends.map(({ name, port, servers }) =>
    [
      `frontend ${name}`,
      `  bind 127.0.0.1:${port}`,
      `  default_backend ${name}`,
      `backend ${name}`,
      '  http-request disable-l7-retry unless METH_GET',
      ...servers.map((server) => `  server ${server.name} 127.0.0.1:${server.port}`),
    ].join('\n'),
  );
  return `global
  stats socket ${socket} mode 600 level admin
defaults
  mode http
  balance roundrobin
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  timeout check 10s
  option httpchk GET /health/ready
  default-server check inter 500ms fall 3 rise 1 observe layer4 error-limit 1 on-error mark-down
  retries 3
  option redispatch 1
  retry-on conn-failure empty-response
${sections.join('\n')}
`;
}
