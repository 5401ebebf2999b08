import {
  operationsOfServices,
  readInstallationRecords,
  readUnsentEmails,
  serviceNames,
  type Context,
  type Installation,
} from '@tandem/contracts';
import { LiveEvents, Services } from '@tandem/messaging';
import { Injectable } from '@nestjs/common';
import { RedisLimitStorage } from '../limits/redis-limit-storage';

declare const __VERSION__: string;
const version = typeof __VERSION__ === 'string' ? __VERSION__ : 'development';

/** Null instead of an error: the page shows which part does not respond, and the others. */
export const orNull = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null);
const isUp = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** Reads the state of all parts at once. */
@Injectable()
export class InstallationReader {
  constructor(
    private readonly services: Services,
    private readonly live: LiveEvents,
    private readonly redis: RedisLimitStorage,
  ) {}

  async read(ctx: Context): Promise<Installation> {
    const [services, nats, redis, emails, records] = await Promise.all([
      Promise.all(
        serviceNames.map(async (name) => ({
          name,
          state: await orNull(this.services.call(operationsOfServices[name].readState, ctx, {})),
        })),
      ),
      isUp(this.live.check()),
      isUp(this.redis.check()),
      orNull(this.services.call(readUnsentEmails, ctx, {})),
      // Identity has just recorded the request, so it responds.
      this.services.call(readInstallationRecords, ctx, {}),
    ]);
    const servers = [
      { name: 'nats' as const, is_up: nats },
      { name: 'redis' as const, is_up: redis },
    ];
    return { version, update: records.update, services, servers, emails, last_backup: records.last_backup };
  }
}
