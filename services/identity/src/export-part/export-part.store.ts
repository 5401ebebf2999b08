import type { ExportLine } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import type { IdentityTables } from '../schema';

type IdentityTx = Tx<IdentityTables>;

// Each query names its columns, so that a new column with a secret does not get into an export.

export const findInvitations = (tx: IdentityTx, organization_id: string): Promise<ExportLine<'invitations.jsonl'>[]> =>
  tx
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'status', 'created_at', 'expires_at'])
    .where('organization_id', '=', organization_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const findSingleSignOn = (tx: IdentityTx, organization_id: string): Promise<ExportLine<'single_sign_on.jsonl'>[]> =>
  tx
    .selectFrom('oidc_connections')
    .select(['issuer', 'client_id', 'is_active', 'auto_join', 'updated_at'])
    .where('organization_id', '=', organization_id)
    .execute();

export const findWording = (tx: IdentityTx, organization_id: string): Promise<ExportLine<'wording.jsonl'>[]> =>
  tx
    .selectFrom('wording')
    .select(['part', 'language', 'key', 'text', 'updated_at'])
    .where('organization_id', '=', organization_id)
    .orderBy('part')
    .orderBy('language')
    .orderBy('key')
    .execute();

export const findWidget = (tx: IdentityTx, organization_id: string): Promise<ExportLine<'widget.jsonl'>[]> =>
  tx.selectFrom('widgets').select(['allowed_sites', 'identity_required', 'theme']).where('organization_id', '=', organization_id).execute();

export const findApiTokens = (tx: IdentityTx, organization_id: string): Promise<ExportLine<'api_tokens.jsonl'>[]> =>
  tx
    .selectFrom('api_tokens')
    .select(['id', 'name', 'permissions', 'networks', 'is_active', 'expires_at', 'last_used_at', 'created_by', 'created_at'])
    .where('organization_id', '=', organization_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Bytes per line: as base64 they fit into one event. A multiple of 3, so that the pieces can be joined before they are decoded. */
const pieceBytes = 240_000;

/** The logo and the icon in use. */
export async function findPictures(tx: IdentityTx, organization_id: string): Promise<ExportLine<'branding_pictures.jsonl'>[]> {
  const pictures = await tx
    .selectFrom('branding_assets as a')
    .innerJoin('branding as b', 'b.organization_id', 'a.organization_id')
    .select(['a.id', 'a.content_type', 'a.content'])
    .where('a.organization_id', '=', organization_id)
    .where((eb) => eb.or([eb('a.id', '=', eb.ref('b.logo_id')), eb('a.id', '=', eb.ref('b.favicon_id'))]))
    .orderBy('a.created_at')
    .orderBy('a.id')
    .execute();
  return pictures.flatMap(({ id, content_type, content }) =>
    Array.from({ length: Math.ceil(content.length / pieceBytes) }, (_, piece) => {
      const bytes = content.subarray(piece * pieceBytes, (piece + 1) * pieceBytes);
      return { id, content_type, piece, base64: bytes.toString('base64') };
    }),
  );
}

const auditPage = 500;

/** In the order of their ids, which begin with the time. */
export async function findAuditEntries(
  tx: IdentityTx,
  organization_id: string,
  after: string | null,
): Promise<{ lines: ExportLine<'audit_log.jsonl'>[]; next: string | null }> {
  const lines = await tx
    .selectFrom('audit_log')
    .select(['id', 'type', 'category', 'severity', 'occurred_at', 'actor_id', 'actor_email', 'target', 'ip', 'user_agent', 'changes'])
    .where('organization_id', '=', organization_id)
    .$if(after !== null, (query) => query.where('id', '>', after!))
    .orderBy('id')
    .limit(auditPage)
    .execute();
  return { lines, next: lines.length === auditPage ? lines.at(-1)!.id : null };
}
