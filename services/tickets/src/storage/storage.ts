import { ConfigError } from '@tandem/platform';
import * as z from 'zod';
import { LocalStorage } from './local-storage';
import { S3Storage } from './s3-storage';
import type { Storage } from './storage-interface';

export const storageVariables = {
  ATTACHMENTS_DIR: z
    .string()
    .default('.local/attachments')
    .describe('Folder for the files of tickets, which must be persistent and backed up; for one replica only. Unused if S3_BUCKET is set.'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an address like https://s3.eu-central-1.amazonaws.com' })
    .optional()
    .describe('The S3-compatible server for the files of tickets (path-style URLs); required with several replicas.'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional()
    .describe('Its bucket, which must exist and be private.'),
  S3_REGION: z.string().default('us-east-1').describe('The region for which requests are signed.'),
  S3_ACCESS_KEY_ID: z.string().optional().describe('The access key, which must allow getting, putting and deleting objects in the bucket.'),
  S3_SECRET_ACCESS_KEY: z.string().min(8, 'is too short for a secret').optional().describe('The secret of that access key.'),
};
export type StorageConfig = z.infer<z.ZodObject<typeof storageVariables>>;

const needed = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

/** S3 if all its variables are set, local disk if none is. A partial set is an error, because files must not end up on a pod's own disk. */
export function storageOf(config: StorageConfig): Storage {
  const missing = needed.filter((name) => config[name] === undefined);
  if (missing.length === needed.length) return new LocalStorage(config.ATTACHMENTS_DIR);
  if (missing.length > 0)
    throw new ConfigError(
      'tickets',
      missing.map((name) => `${name} is missing: set all S3 variables, or none to store files on the local disk`),
    );
  return new S3Storage({
    endpoint: config.S3_ENDPOINT!,
    bucket: config.S3_BUCKET!,
    region: config.S3_REGION,
    accessKeyId: config.S3_ACCESS_KEY_ID!,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY!,
  });
}
