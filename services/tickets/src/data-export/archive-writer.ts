import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { exportVersion, type ExportManifest, type TenantContext } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import type { TicketsSchema } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { schemaPath, writeZip } from './archive-zip';
import { writeArticles } from './article-lines';
import { leftOut, leftOutOfCustomers } from './export';
import { writeCustomer } from './customer-lines';
import { customerPage, writeCustomerPage } from './customer-page';
import { customerExportFiles, exportFiles, type ExportFileName } from './export-files';
import { jsonLine, withoutFormulas } from './json-line';
import type { FileSummary } from './line-file';
import { LineFiles } from './line-files';
import type { ExportRun } from './lines';
import { writeParts } from './part-lines';
import { writeCustomFields, writeSettings, writeTeammates } from './settings-lines';
import { writeTickets } from './ticket-lines';

interface ArchiveInput {
  ctx: TenantContext;
  db: Database<TicketsSchema>;
  storage: Storage;
  export_id: string;
  has_files: boolean;
  customer_email: string | null;
  /** For temporary files. */
  folder: string;
  /** Called often, with the number of lines so far; throws `ExportStopped` if the run must stop. */
  checkpoint: (lines: number) => Promise<void>;
}

/** Writes the archive into the folder. */
export async function writeArchive(input: ArchiveInput): Promise<{ path: string; size: number }> {
  const { ctx, storage, folder, customer_email } = input;
  const files = filesOf(input);
  const summaries = await writeLines(input);
  const lines = [...summaries.values()].reduce((sum, file) => sum + file.lines, 0);
  const organization = await readOrganization(input);
  const path = join(folder, 'archive.zip');
  const created_at = new Date().toISOString();
  const page = customer_email === null ? null : customerPage;
  if (customer_email !== null) await writeCustomerPage({ folder, customer_email, created_at, organization: organization.name });
  await writeZip({
    organization_id: ctx.organization_id,
    folder,
    path,
    files,
    page,
    storage,
    checkpoint: () => input.checkpoint(lines),
    manifestOf: (missing) =>
      manifestOf({ created_at, organization, has_files: input.has_files, customer_email, files, summaries, missing }),
  });
  return { path, size: (await stat(path)).size };
}

const filesOf = ({ customer_email }: Pick<ArchiveInput, 'customer_email'>) => (customer_email === null ? exportFiles : customerExportFiles);

async function writeLines(input: ArchiveInput): Promise<Map<ExportFileName, FileSummary>> {
  const { ctx, db, export_id, has_files, customer_email, folder, checkpoint } = input;
  const files = await LineFiles.create(
    folder,
    filesOf(input).map(({ name }) => name),
  );
  const base = {
    ctx,
    db,
    has_files,
    customer_email,
    write: (file: ExportFileName, line: object) => files.write(file, jsonLine(line)),
    writeJson: (file: ExportFileName, line: string) => files.write(file, withoutFormulas(line)),
    checkpoint: () => checkpoint(files.lines),
  };
  try {
    const run: ExportRun = { ...base, teammates: await writeTeammates(base), field_keys: await writeCustomFields(base) };
    if (customer_email === null) {
      await writeSettings(run);
      await writeArticles(run);
    }
    await writeTickets(run);
    if (customer_email !== null) await writeCustomer(run, customer_email);
    for (const { name, kind } of filesOf(input)) if (kind === null) await writeParts(run, export_id, name);
    return await files.finish();
  } catch (error) {
    await files.abandon();
    throw error;
  }
}

const readOrganization = ({ ctx, db }: ArchiveInput) =>
  db.readTenant(ctx, (tx) =>
    tx.selectFrom('organizations').select(['organization_id as id', 'name', 'subdomain']).executeTakeFirstOrThrow(),
  );

interface ManifestInput extends Pick<ExportManifest, 'created_at' | 'organization' | 'has_files' | 'customer_email'> {
  files: ReturnType<typeof filesOf>;
  summaries: ReadonlyMap<ExportFileName, FileSummary>;
  missing: number;
}

function manifestOf({ created_at, organization, has_files, customer_email, files, summaries, missing }: ManifestInput): ExportManifest {
  return {
    format: 'tandem-export',
    version: exportVersion,
    created_at,
    organization,
    has_files,
    customer_email,
    files: files.map(({ name, imported }) => ({ name, schema: schemaPath(name), ...summaries.get(name)!, imported })),
    left_out: [
      ...(customer_email === null ? leftOut : leftOutOfCustomers),
      ...(has_files ? [] : ['The bytes of files and pictures']),
      ...(missing > 0 ? [`${missing} files that are listed in files.jsonl, but are not in the file storage any more`] : []),
    ],
  };
}
