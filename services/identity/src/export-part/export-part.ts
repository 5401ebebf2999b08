import { identityExportPart, sendIdentityExportPart, type ExportLine } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { exportPart, exportSource, shortExportSource } from '@tandem/messaging';
import { brandingOf } from '../branding/branding';
import { findBranding } from '../branding/branding.store';
import { getOrganizationById } from '../organization/organization.store';
import type { IdentityTables } from '../schema';
import { findMembers } from '../team/member.store';
import {
  findApiTokens,
  findAuditEntries,
  findInvitations,
  findPictures,
  findSingleSignOn,
  findWidget,
  findWording,
} from './export-part.store';

type IdentityTx = Tx<IdentityTables>;

async function readBranding(tx: IdentityTx, organization_id: string): Promise<ExportLine<'branding.jsonl'>[]> {
  const row = await findBranding(tx, organization_id);
  if (!row) return [];
  const { organization_id: _organization, custom_domain_record: _record, ...branding } = brandingOf(organization_id, row);
  return [branding];
}

/** Sends the members, the settings and the audit log of an organization to its exports. */
export const IdentityExportPart = exportPart<IdentityTables>({
  event: identityExportPart,
  job: sendIdentityExportPart,
  sources: [
    shortExportSource('organization.jsonl', async (tx: IdentityTx, { organization_id }) => [
      await getOrganizationById(tx, organization_id),
    ]),
    shortExportSource('members.jsonl', async (tx: IdentityTx, { organization_id }) => {
      const members = await findMembers(tx, organization_id);
      return members.map(({ organization_id: _organization, ...member }) => member);
    }),
    shortExportSource('invitations.jsonl', (tx: IdentityTx, { organization_id }) => findInvitations(tx, organization_id)),
    shortExportSource('single_sign_on.jsonl', (tx: IdentityTx, { organization_id }) => findSingleSignOn(tx, organization_id)),
    shortExportSource('branding.jsonl', (tx: IdentityTx, { organization_id }) => readBranding(tx, organization_id)),
    shortExportSource('branding_pictures.jsonl', (tx: IdentityTx, { organization_id }) => findPictures(tx, organization_id)),
    shortExportSource('wording.jsonl', (tx: IdentityTx, { organization_id }) => findWording(tx, organization_id)),
    shortExportSource('widget.jsonl', (tx: IdentityTx, { organization_id }) => findWidget(tx, organization_id)),
    shortExportSource('api_tokens.jsonl', (tx: IdentityTx, { organization_id }) => findApiTokens(tx, organization_id)),
    exportSource('audit_log.jsonl', (tx: IdentityTx, { organization_id }, after) =>
      findAuditEntries(tx, organization_id, after as string | null),
    ),
  ],
});
