import type { ServiceName } from '@tandem/contracts';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Refused, services } from '../installation';

const Table = z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number(), file: z.string(), sha256: z.string() });
const DatabaseDump = z.object({
  /** When its snapshot was taken, by the clock of its server. */
  dumped_at: z.string(),
  migrations: z.array(z.object({ source: z.enum(['platform', 'service', 'repeatable']), name: z.string(), checksum: z.string() })),
  sequences: z.array(z.object({ name: z.string(), last: z.string() })),
  tables: z.array(Table),
});
const Manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  /** Whether services were running: then emails that were pending have probably been sent after the backup. */
  is_live: z.boolean(),
  databases: z.record(z.string(), DatabaseDump),
  /** Emails that were sent, or were added, between the dump of notifications and the end of the backup. */
  recent_emails: z.array(Table),
  /** Ids of the encryption keys that the backed up secrets need. The keys themselves are not in a backup. */
  key_ids: z.array(z.string()),
  /** Whether the folder `files` contains the files on tickets; otherwise they are in a bucket. */
  has_files: z.boolean(),
  /** Set if the backup was made before an upgrade. While it is not complete, the upgrade continues with this backup. */
  upgrade: z.object({ version: z.string(), is_complete: z.boolean() }).optional(),
});
export type DatabaseDump = z.infer<typeof DatabaseDump>;
export type TableDump = z.infer<typeof Table>;
export type Manifest = z.infer<typeof Manifest>;

const fileName = 'manifest.json';

/** Written last: a folder without a manifest is not a backup. */
export function writeManifest(directory: string, manifest: Manifest): void {
  const next = join(directory, `${fileName}.part`);
  writeFileSync(next, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  renameSync(next, join(directory, fileName));
}

/** The manifest of a folder, without a comparison of its files. Undefined if the folder is not a complete backup. */
export function findManifest(directory: string): Manifest | undefined {
  const file = join(directory, fileName);
  if (!existsSync(file)) return undefined;
  const parsed = Manifest.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Refused(`${file} cannot be read by this version: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Reads the manifest and compares every file with it. */
export async function readBackup(directory: string): Promise<Manifest> {
  const manifest = findManifest(directory);
  if (!manifest) throw new Refused(`${directory} is not a complete backup: it has no ${fileName}.`);
  for (const service of services) {
    if (!manifest.databases[service]) throw new Refused(`The backup has no dump of ${service}.`);
  }
  const tables = [...Object.values(manifest.databases).flatMap((dump) => dump.tables), ...manifest.recent_emails];
  for (const table of tables) {
    const path = join(directory, table.file);
    if (!existsSync(path) || (await hashFile(path)) !== table.sha256)
      throw new Refused(`${path} is missing or damaged: use another backup.`);
  }
  return manifest;
}

export const dumpOf = (manifest: Manifest, service: ServiceName): DatabaseDump => manifest.databases[service]!;

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
