import { AppError, type Context, type TenantContext } from '@tandem/contracts';
import { demoLimits } from '@tandem/contracts/values';
import type { Database } from '@tandem/db';
import { sql } from 'kysely';
import type { TicketsSchema, TicketsTx } from '../schema';

/** An organization is a demo from its creation to its deletion, or never. */
const known = new Map<string, boolean>();
const maxKnown = 10_000;

/** Also false for an organization that is not known here yet. */
async function isDemo(tx: TicketsTx, organization_id: string): Promise<boolean> {
  const remembered = known.get(organization_id);
  if (remembered !== undefined) return remembered;
  const row = await tx.selectFrom('organizations').select('is_demo').where('organization_id', '=', organization_id).executeTakeFirst();
  if (known.size >= maxKnown) known.clear();
  if (row) known.set(organization_id, row.is_demo);
  return row?.is_demo ?? false;
}

/**
 * The owner of the slots that a file transfer uses. All live demos share those of one organization, because a visitor can start several
 * demos and must not use up the slots of other organizations with slow transfers.
 */
export async function slotOwner(db: Database<TicketsSchema>, organization_id: string): Promise<string> {
  const is_demo = known.get(organization_id) ?? (await db.forTenant({ organization_id }, (tx) => isDemo(tx, organization_id)));
  return is_demo ? 'live demos' : organization_id;
}

const limited = (detail: string) => new AppError('demo.limited', { detail });

/**
 * Refuses a change to tickets or articles that exceeds what a visitor of a live demo may store; call it where one, a comment or a draft is
 * written. Each version of a ticket or an article counts as a change, because each is stored and published as an event. Requests at the same moment can exceed the
 * number by a few.
 *
 * @param text the text that is stored, or published with the event
 */
export async function checkDemoQuota(tx: TicketsTx, ctx: Context, text: string | null = null): Promise<void> {
  const { organization_id, actor } = ctx;
  if (actor.type === 'system' || organization_id === null || !(await isDemo(tx, organization_id))) return;
  const { characters, changes } = demoLimits;
  if ((text?.length ?? 0) > characters)
    throw limited(`In a live demo, a text can have at most ${characters.toLocaleString('en')} characters.`);
  const { rows } = await sql<{ versions: number }>`
    select coalesce(sum(version), 0)::float8 as versions from (
      select version from tickets where organization_id = ${organization_id}::uuid
      union all select version from articles where organization_id = ${organization_id}::uuid
    ) changed`.execute(tx);
  if (rows[0]!.versions > changes) throw limited('This live demo accepts no more changes. Start your own free trial to continue.');
}

/** Refuses what a live demo does not offer; `detail` is for its visitor. */
export async function refuseInDemo(tx: TicketsTx, { organization_id }: TenantContext, detail: string): Promise<void> {
  if (await isDemo(tx, organization_id)) throw limited(detail);
}

/** Refuses a file if the files of a live demo would exceed their limit. `countUnused` has locked the visitor's files. */
export async function checkDemoFiles(tx: TicketsTx, { organization_id }: TenantContext, size: number): Promise<void> {
  if (!(await isDemo(tx, organization_id))) return;
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::float8 as bytes from (
      select size from attachments where organization_id = ${organization_id}::uuid
      union all select size from article_pictures where organization_id = ${organization_id}::uuid
    ) stored`.execute(tx);
  const { fileBytes } = demoLimits;
  if (rows[0]!.bytes + size > fileBytes) throw limited(`A live demo stores at most ${fileBytes / 1024 / 1024} MB of files.`);
}
