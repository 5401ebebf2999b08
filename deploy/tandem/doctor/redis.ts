import { connectRedis } from '@tandem/messaging';
import { required } from '../installation';
import { addressOf, failed, isAtLeast, ok, reachFix, reasonOf, warning, type Finding } from './finding';

const oldestVersion = '7';

export async function checkRedis(): Promise<Finding[]> {
  const url = required('REDIS_URL');
  const redis = connectRedis(url, undefined, { retryStrategy: () => null, lazyConnect: true });
  try {
    try {
      await redis.connect();
      await redis.ping();
    } catch (error) {
      const { message } = reasonOf(error);
      const isLogin = /WRONGPASS|NOAUTH|invalid.*password/i.test(message);
      const fix = isLogin ? 'Correct user and password in REDIS_URL.' : reachFix('Redis', 'REDIS_URL', message);
      return [failed(`Redis at ${addressOf(url)} does not accept the connection: ${message}.`, fix)];
    }
    const info = await redis.info();
    const valueOf = (name: string): string => new RegExp(`^${name}:(.*)\\r?$`, 'm').exec(info)?.[1]?.trim() ?? '';
    const version = valueOf('redis_version');
    const findings = [
      isAtLeast(version, oldestVersion)
        ? ok(`Redis ${version} responds at ${addressOf(url)}.`)
        : warning(`Redis ${version} is older than recommended.`, `Upgrade it to version ${oldestVersion} or newer.`),
    ];
    if (valueOf('redis_mode') === 'cluster')
      findings.push(
        failed(`Redis at ${addressOf(url)} is a cluster, which Tandem cannot use.`, 'Set REDIS_URL to a server without cluster mode.'),
      );
    if (valueOf('role') === 'slave')
      findings.push(
        failed(`Redis at ${addressOf(url)} is a replica, which refuses writes.`, 'Set REDIS_URL to the address of the primary.'),
      );
    const policy = valueOf('maxmemory_policy');
    // Servers that are compatible with Redis may not report it.
    if (policy !== '' && policy !== 'noeviction')
      findings.push(
        failed(
          `Redis may delete jobs when its memory is full (maxmemory-policy ${policy}).`,
          'Run redis-cli config set maxmemory-policy noeviction, and set the same in its configuration.',
        ),
      );
    if (valueOf('aof_enabled') === '0')
      findings.push(
        warning(
          'Redis can lose its newest jobs in a restart, until sweeps create them again.',
          // Redis loads an append-only file that does not exist yet as an empty database.
          'Run redis-cli config set appendonly yes first, then set the same in its configuration: in the other order, a restart loses all jobs.',
        ),
      );
    return findings;
  } finally {
    redis.disconnect();
  }
}
