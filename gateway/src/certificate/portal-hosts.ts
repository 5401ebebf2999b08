import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { findPortalHosts, systemContext } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { classifyHost, type Logger } from '@tandem/platform';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import * as z from 'zod';
import type { GatewayConfig } from '../config';

const refreshMs = 30_000;
/** An unknown name may be new, so the list is refreshed for it, but at most this often. */
const refreshForUnknownMs = 1_000;
const waitForRefreshMs = 1_000;

const StoredHosts = z.object({ version: z.string(), subdomains: z.array(z.string()), domains: z.array(z.string()) });
type StoredHosts = z.infer<typeof StoredHosts>;

/**
 * The subdomains and verified domains of all organizations, in memory. The last list is also stored in a file: the proxy asks at every
 * handshake for a certificate that it does not have in memory, so answers must not depend on identity, NATS or PostgreSQL.
 */
@Injectable()
export class PortalHosts implements OnApplicationBootstrap, OnApplicationShutdown {
  private version = '';
  private subdomains = new Set<string>();
  private domains = new Set<string>();
  private refreshing: Promise<void> | undefined;
  private refreshedAt = 0;
  private isIdentityDown = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly services: Services,
    @Inject('CONFIG') private readonly config: GatewayConfig,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.CERTIFICATE_PORT === undefined) return;
    await this.load();
    void this.refresh();
    this.timer = setInterval(() => void this.refresh(), refreshMs);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Whether this host serves the portal of an organization. */
  async has(host: string): Promise<boolean> {
    if (this.isKnown(host)) return true;
    if (!['subdomain', 'custom'].includes(classifyHost(host, this.config).kind)) return false;
    const isRecent = Date.now() - this.refreshedAt < refreshForUnknownMs;
    if (this.refreshing === undefined && (this.isIdentityDown || isRecent)) return false;
    await this.refreshSoon();
    return this.isKnown(host);
  }

  private isKnown(host: string): boolean {
    const classified = classifyHost(host, this.config);
    if (classified.kind === 'subdomain') return this.subdomains.has(classified.subdomain);
    return classified.kind === 'custom' && this.domains.has(classified.name);
  }

  private async refreshSoon(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, waitForRefreshMs)));
    await Promise.race([this.refresh(), late]);
    clearTimeout(timer);
  }

  private refresh(): Promise<void> {
    this.refreshing ??= this.fetch().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  private async fetch(): Promise<void> {
    this.refreshedAt = Date.now();
    try {
      const found = await this.services.call(findPortalHosts, systemContext(null, randomUUID()), { query: { unless: this.version } });
      this.isIdentityDown = false;
      if (found.hosts === null) return;
      const stored = { version: found.version, ...found.hosts };
      this.use(stored);
      await this.store(stored);
    } catch (error) {
      this.isIdentityDown = true;
      this.log.warn({ err: error }, 'Could not refresh the list of portal hosts: the last one stays in use');
    }
  }

  /** Renames a complete file, because a process that is killed while it writes must not leave half a list. */
  private async store(hosts: StoredHosts): Promise<void> {
    const file = this.config.CERTIFICATE_HOSTS_FILE!;
    try {
      await writeFile(`${file}.new`, JSON.stringify(hosts), { mode: 0o600 });
      await rename(`${file}.new`, file);
    } catch (error) {
      this.log.error({ err: error, file }, 'Could not store the list of portal hosts');
    }
  }

  private use({ version, subdomains, domains }: StoredHosts): void {
    this.version = version;
    this.subdomains = new Set(subdomains);
    this.domains = new Set(domains);
  }

  private async load(): Promise<void> {
    const file = this.config.CERTIFICATE_HOSTS_FILE!;
    try {
      this.use(StoredHosts.parse(JSON.parse(await readFile(file, 'utf8'))));
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT') this.log.warn({ err: error, file }, 'Could not read the list of portal hosts');
    }
  }
}
