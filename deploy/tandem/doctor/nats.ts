import { isStreamFull, Nats, streamConfig, streamLimits, type Connected, type StreamLimits } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { streamOptions } from '../installation';
import { addressOf, failed, isAtLeast, ok, reachFix, reasonOf, warning, type Finding } from './finding';

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
      const fix = /authorization/i.test(message) ? 'Correct user and password in NATS_URL.' : reachFix('NATS', 'NATS_URL', message);
      return [failed(`NATS at ${addressOf(options.NATS_URL)} does not accept the connection: ${message}.`, fix)];
    }
    const { version = '0' } = connected.nc.info ?? {};
    const unavailable = await jetStreamProblem(connected);
    if (unavailable !== undefined)
      return [
        failed(
          `NATS ${version} runs without JetStream: ${unavailable}.`,
          'Add jetstream { store_dir: … } to its configuration and restart it. If it has one, its disk may be full: see its log.',
        ),
      ];
    const findings = [versionFinding(version, addressOf(options.NATS_URL)), ...(await checkStream(nats))];
    return [...findings, ...(await checkSpace(connected, nats.stream))];
  } finally {
    await nats.close();
  }
}

/** Checks the account instead of the server: in a cluster, the server that accepted the connection may be one without JetStream. */
async function jetStreamProblem({ jsm }: Connected): Promise<string | undefined> {
  try {
    await jsm.getAccountInfo();
    return undefined;
  } catch (error) {
    return reasonOf(error).message;
  }
}

/** NATS creates no stream if it cannot write its files. */
const storeFailed = 10_049;

/** Stores a message of 64 KB in a separate stream and removes both. */
async function checkSpace({ js, jsm }: Connected, stream: string): Promise<Finding[]> {
  const name = `${stream}_DOCTOR`;
  try {
    await jsm.streams.add({ name, subjects: [`${name}.space`] });
    await js.publish(`${name}.space`, new Uint8Array(65_536));
    return [];
  } catch (error) {
    const { message } = reasonOf(error);
    if (!isStreamFull(error) && (error as { code?: unknown }).code !== storeFailed)
      return [warning(`NATS did not store a test message: ${message}.`, 'Check the limits of the account in NATS_URL.')];
    const fix =
      'Free space on its disk, or enlarge it. Events wait in the databases and are published then. Restart NATS if it has turned JetStream off.';
    return [failed(`NATS cannot store messages, probably because its disk is full: ${message}.`, fix)];
  } finally {
    await jsm.streams.delete(name).catch(() => undefined);
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
    const fix =
      'Set these options with the nats command (nats stream edit), or remove the stream while the services are stopped: ' +
      'they create it again and publish the events of the last 7 days again.';
    const findings = limitFindings(nats.stream, config);
    if (differing.length > 0) findings.push(failed(`The stream ${nats.stream} has unexpected values of ${differing.join(', ')}.`, fix));
    return findings.length > 0 ? findings : [ok(`The stream ${nats.stream} has the expected configuration.`)];
  }
  return [warning(`There is no stream ${nats.stream} yet.`, 'Start the services: the first one creates it.')];
}

type FoundLimits = Required<Omit<StreamLimits, 'discard'>> & { discard: string };

/** Differences from the configured limits, which services apply when they start. */
function limitFindings(stream: string, { num_replicas, max_bytes, discard }: FoundLimits): Finding[] {
  const variables = {
    NATS_STREAM_REPLICAS: numberIn(process.env.NATS_STREAM_REPLICAS),
    NATS_STREAM_MAX_BYTES: numberIn(process.env.NATS_STREAM_MAX_BYTES),
  };
  const expected = streamLimits(variables);
  const restart = 'Give all services the same value and restart them: they change the stream when they start.';
  const findings: Finding[] = [];
  if (expected.num_replicas !== undefined && expected.num_replicas !== num_replicas)
    findings.push(
      failed(
        `The stream ${stream} has ${num_replicas} ${num_replicas === 1 ? 'replica' : 'replicas'}, but NATS_STREAM_REPLICAS is ${expected.num_replicas}.`,
        restart,
      ),
    );
  if (expected.max_bytes !== undefined && expected.max_bytes !== max_bytes) {
    const found = max_bytes > 0 ? `a maximum of ${max_bytes} bytes` : 'no maximum size';
    findings.push(failed(`The stream ${stream} has ${found}, but NATS_STREAM_MAX_BYTES is ${expected.max_bytes}.`, restart));
  } else if (max_bytes > 0 && discard !== 'new') {
    const fix = 'Set NATS_STREAM_MAX_BYTES and restart the services, or run nats stream edit --discard=new.';
    findings.push(failed(`The stream ${stream} deletes events that no service has processed when it is full (discard ${discard}).`, fix));
  }
  return findings;
}

/** Undefined if it is empty or not a number, which the check of the settings reports. */
const numberIn = (text: string | undefined): number | undefined => (/^\d+$/.test(text?.trim() ?? '') ? Number(text) : undefined);
