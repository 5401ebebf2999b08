import { storageOf, storageVariables } from '@tandem/tickets/src/storage/storage';
import { ConfigError } from '@tandem/platform';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { failed, ok, reasonOf, type Finding } from './finding';

/** Writes, reads and deletes a file, as the tickets service does. */
export async function checkFiles(): Promise<Finding[]> {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, ATTACHMENTS_DIR } = given({
    S3_ENDPOINT: process.env.S3_ENDPOINT,
    S3_BUCKET: process.env.S3_BUCKET,
    S3_REGION: process.env.S3_REGION,
    S3_ACCESS_KEY_ID: process.env.S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: process.env.S3_SECRET_ACCESS_KEY,
    ATTACHMENTS_DIR: process.env.ATTACHMENTS_DIR,
  });
  const variables = { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, ATTACHMENTS_DIR };
  const parsed = z.object(storageVariables).safeParse(variables);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return [failed(`${issue!.path.join('.')} ${issue!.message}.`, 'Correct this variable.')];
  }
  const { data } = parsed;
  const place = data.S3_BUCKET ? `the bucket ${data.S3_BUCKET}` : `the folder ${data.ATTACHMENTS_DIR}`;
  const probe: Probe = { step: 'stored', key: `${randomUUID()}/${randomUUID()}` };
  try {
    await writeReadDelete(storageOf(data), probe);
    return [ok(`Files can be stored in ${place}, read and deleted.`)];
  } catch (error) {
    if (error instanceof ConfigError) return [failed(`${error.problems[0]}.`, 'Set all S3 variables or none.')];
    const fix = data.S3_BUCKET
      ? 'Check S3_ENDPOINT and the keys; the key needs s3:GetObject, s3:PutObject and s3:DeleteObject on the bucket.'
      : 'Make ATTACHMENTS_DIR a folder that the user of the tickets service can write to.';
    return [failed(`A file in ${place} cannot be ${probe.step}: ${rootCause(error)}.`, fix)];
  }
}

interface Probe {
  step: 'stored' | 'read' | 'deleted';
  key: string;
}

async function writeReadDelete(storage: ReturnType<typeof storageOf>, probe: Probe): Promise<void> {
  const bytes = Buffer.from('tandem doctor');
  try {
    await storage.open();
    await storage.put(probe.key, Readable.from([bytes], { objectMode: false }), bytes.length, AbortSignal.timeout(10_000));
    probe.step = 'read';
    const found = await storage.get(probe.key);
    if (!found || !bytes.equals(await buffer(found))) throw new Error('other bytes than those that were written');
    probe.step = 'deleted';
    await storage.remove(probe.key);
  } finally {
    if ('onApplicationShutdown' in storage) (storage as { onApplicationShutdown(): void }).onApplicationShutdown();
  }
}

/** Compose passes an unset variable as an empty string. */
const given = <T extends Record<string, string | undefined>>(values: T): T =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === '' ? undefined : value])) as T;

function rootCause(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause === undefined ? reasonOf(error).message : rootCause(cause);
}
