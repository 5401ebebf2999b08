import { recordApiTokenUse, systemContext, type InputOf, type KnownApiToken } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { GatewayRequest } from '../request';

type Report = InputOf<typeof recordApiTokenUse>['body'];
type Use = Report['uses'][number];
type Rejection = Report['rejections'][number];

const minuteMs = 60_000;
/** Lets a burst share a report, and a new token show its first use soon. */
const minDelayMs = 1_000;
/** The contract's maximum per report. Entries beyond it are lost, which takes more than a thousand tokens in one minute. */
const maxPerReport = 1_000;

/**
 * Reports to identity when and from where tokens were used, and rejections by network, at most once a minute: a request never waits for it.
 */
export class ApiTokenUses implements BeforeApplicationShutdown {
  /** The latest use of each token. */
  private uses = new Map<string, Use>();
  private rejections = new Map<string, Rejection>();
  private timer: NodeJS.Timeout | undefined;
  private reportedAt = 0;

  constructor(
    private readonly services: Pick<Services, 'call'>,
    private readonly log: Logger,
  ) {}

  used({ id, organization_id }: KnownApiToken, ip: string): void {
    const known = this.uses.get(id);
    const at = new Date().toISOString();
    // The common case allocates nothing but the time.
    if (known !== undefined) Object.assign(known, { at, ip });
    else if (this.uses.size < maxPerReport) this.uses.set(id, { token_id: id, organization_id, at, ip });
    this.schedule();
  }

  /** Reports one rejection per token, address and minute. */
  rejected({ id, organization_id }: KnownApiToken, request: GatewayRequest): void {
    const ip = request.ip.slice(0, 64);
    const key = `${id} ${ip}`;
    if (!this.rejections.has(key) && this.rejections.size < maxPerReport) {
      const user_agent = (request.headers['user-agent'] ?? '').slice(0, 512);
      this.rejections.set(key, { token_id: id, organization_id, at: new Date().toISOString(), ip, user_agent });
    }
    this.schedule();
  }

  private schedule(): void {
    if (this.timer !== undefined) return;
    const delayMs = Math.max(minDelayMs, this.reportedAt + minuteMs - Date.now());
    this.timer = setTimeout(() => void this.report(), delayMs);
    this.timer.unref();
  }

  /** A report that fails is sent again with the next one. */
  private async report(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.uses.size === 0 && this.rejections.size === 0) return;
    const [uses, rejections] = [this.uses, this.rejections];
    this.uses = new Map();
    this.rejections = new Map();
    this.reportedAt = Date.now();
    try {
      const body = { uses: [...uses.values()], rejections: [...rejections.values()] };
      await this.services.call(recordApiTokenUse, systemContext(null, randomUUID()), { body });
    } catch (err) {
      this.log.warn({ err }, 'Reporting the use of API tokens failed; trying again in a minute');
      this.uses = merged(uses, this.uses);
      this.rejections = merged(rejections, this.rejections);
      this.schedule();
    }
  }

  /** Before the connections to the services close. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.report();
    clearTimeout(this.timer);
  }
}

/** The entries of both, those of `after` for keys that both have, and at most as many as a report may contain. */
const merged = <T>(before: Map<string, T>, after: Map<string, T>): Map<string, T> =>
  new Map([...new Map([...before, ...after])].slice(0, maxPerReport));
