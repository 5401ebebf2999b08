import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { BlockList, isIP, type AddressInfo } from 'node:net';
import type { Logger } from '@tandem/platform';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { GatewayConfig } from '../config';
import { PortalHosts } from './portal-hosts';

/**
 * Caddy's on-demand TLS asks it before getting a certificate: `GET /?domain=` returns 200 for the portal of an organization and 403 for every
 * other host. It listens on a separate port, which the public listener does not serve, and answers this machine and TRUSTED_PROXIES only.
 */
@Injectable()
export class CertificateServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly clients: BlockList;
  private server: Server | undefined;

  constructor(
    private readonly hosts: PortalHosts,
    @Inject('CONFIG') private readonly config: GatewayConfig,
    @Inject('LOG') private readonly log: Logger,
  ) {
    this.clients = clientsOf(config.TRUSTED_PROXIES);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { CERTIFICATE_PORT: port, HOST: host } = this.config;
    if (port === undefined) return;
    this.server = createServer((request, response) => {
      this.answer(request).then(
        (status) => end(response, status),
        (error: unknown) => {
          this.log.error({ err: error }, 'Could not answer whether a certificate is allowed');
          end(response, 500);
        },
      );
    });
    this.server.listen(port, host);
    await once(this.server, 'listening');
    this.log.info({ port: this.port }, 'Answers for which hosts the proxy may get certificates');
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  /** The port that it listens on. */
  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | null | undefined)?.port;
  }

  private async answer({ method, url = '/', socket }: IncomingMessage): Promise<number> {
    if (!this.isClient(socket.remoteAddress)) return 403;
    if (method !== 'GET' && method !== 'HEAD') return 405;
    const target = URL.parse(url, 'http://localhost');
    if (target?.pathname !== '/') return 404;
    const names = target.searchParams.getAll('domain');
    return names.length === 1 && (await this.hosts.has(names[0]!)) ? 200 : 403;
  }

  private isClient(address = ''): boolean {
    const family = isIP(address);
    return family !== 0 && this.clients.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }
}

/** This machine, and the addresses and networks of the trusted proxies. */
export function clientsOf(trustedProxies: string): BlockList {
  const list = new BlockList();
  for (const entry of ['127.0.0.0/8', '::1', ...trustedProxies.split(',')]) {
    const [address = '', prefix] = entry.trim().split('/');
    const family = isIP(address);
    if (family === 0) continue;
    const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(prefix);
    list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0, 'cache-control': 'no-store' }).end();
}
