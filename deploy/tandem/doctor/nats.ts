import { Nats, streamConfig } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { streamOptions } from '../installation';
import { addressOf, failed, isAtLeast, ok, reasonOf, warning, type Finding } from './finding';

const oldestVersion = '2.10';
/** Older releases of each line can lose events in a power failure. */
const recommended = ['2.11.16', '2.12.7'];

export async function checkNats(): Promise<Finding[]> {
  const options = streamOptions();
  // The connection is retried without limit, and reports only its first failure.
  const refused = Promise.withResolvers<{ err?: unknown }>();
  const log = { warn: refused.resolve, info: () => undefined } as unknown as Logger;
  const nats = new Nats(options, 'doctor', log);
  try {
    const late = sleep(5_000, { err: new Error('no response within 5 seconds') }, { ref: false });
    const connected = await Promise.race([nats.connected(), refused.promise, late]);
    if (!('nc' in connected)) {
      const { message } = reasonOf(connected.err);
      const fix = /authorization/i.test(message) ? 'Correct user and password in NATS_URL.' : 'Start NATS, or correct NATS_URL.';
      return [failed(`NATS at ${addressOf(options.NATS_URL)} does not accept the connection: ${message}.`, fix)];
    }
    const { version = '0', jetstream } = connected.nc.info ?? {};
    if (jetstream !== true)
      return [failed(`NATS ${version} runs without JetStream.`, 'Add jetstream { store_dir: … } to its configuration.')];
    return [versionFinding(version, addressOf(options.NATS_URL)), ...(await checkStream(nats))];
  } finally {
    await nats.close();
  }
}

function versionFinding(version: string, address: string): Finding {
  if (!isAtLeast(version, oldestVersion)) return failed(`NATS ${version} is too old.`, `Upgrade it to ${recommended.join(' or ')}.`);
  const line = recommended.find((each) => version.startsWith(`${each.split('.').slice(0, 2).join('.')}.`));
  return isAtLeast(version, line ?? recommended.at(-1)!)
    ? ok(`NATS ${version} with JetStream responds at ${address}.`)
    : warning(`NATS ${version} responds, but is older than recommended.`, `Upgrade it to ${recommended.join(' or ')}, or newer.`);
}

async function checkStream(nats: Nats): Promise<Finding[]> {
  const { jsm } = await nats.connected();
  for await (const { config } of jsm.streams.list()) {
    if (config.name !== nats.stream) continue;
    const expected = streamConfig(nats);
    const differing = (Object.keys(expected) as (keyof typeof expected)[]).filter(
      (key) => JSON.stringify(expected[key]) !== JSON.stringify(config[key]),
    );
    const fix = 'Set these options with the nats command (nats stream edit), or remove the stream while the services are stopped.';
    return differing.length === 0
      ? [ok(`The stream ${nats.stream} has the expected configuration.`)]
      : [failed(`The stream ${nats.stream} has other values of ${differing.join(', ')} than expected.`, fix)];
  }
  return [warning(`There is no stream ${nats.stream} yet.`, 'Start the services: the first one creates it.')];
}
