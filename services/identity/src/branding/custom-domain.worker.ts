import { Inject, Injectable } from '@nestjs/common';
import {
  brandingUpdated,
  checkCustomDomain,
  customDomainLapsed,
  systemContext,
  type AuditType,
  type Context,
  type JobDataOf,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { emit, HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import { recordAudit } from '../audit/audit.store';
import type { IdentityConfig } from '../config';
import { getOrganizationByIdForUpdate } from '../organization/organization.store';
import type { IdentityTables } from '../schema';
import { brandingOf, recordOf } from './branding';
import { findBranding, findDomainsToCheckAcrossOrganizations, saveDomainCheck, type BrandingRow } from './branding.store';
import { findTextRecords } from './dns-records';
import { applyCheckResult, releaseTime, type ProofChange } from './domain-proof';

type IdentityTx = Tx<IdentityTables>;

const audited: Partial<Record<ProofChange, AuditType>> = {
  lapsed: 'custom_domain.lapsed',
  released: 'custom_domain.released',
  restored: 'custom_domain.restored',
};

/** Verifies custom domains again every day, because a domain may change owners and lose its DNS record. */
@Injectable()
export class CustomDomainWorker {
  constructor(
    private readonly db: Database<IdentityTables>,
    @Inject('CONFIG') private readonly config: Pick<IdentityConfig, 'DNS_SERVERS'>,
  ) {}

  @Recovers(checkCustomDomain)
  async findDue(): Promise<PendingJob<typeof checkCustomDomain>[]> {
    const due = await this.db.asSystem('find domains to check of all organizations', findDomainsToCheckAcrossOrganizations);
    return due.map(({ organization_id }) => ({
      id: organization_id,
      ctx: systemContext(organization_id, `check-domain-${organization_id}`),
      data: { organization_id },
    }));
  }

  /**
   * Looks up DNS outside of a transaction. The locked row then decides whether the result still counts, so of two concurrent checks only
   * one is applied.
   */
  @HandlesJob(checkCustomDomain, { concurrency: 1 })
  async check(ctx: Context, { organization_id }: JobDataOf<typeof checkCustomDomain>): Promise<void> {
    const asked = await this.db.forTenant({ organization_id }, (tx) => findBranding(tx, organization_id));
    if (!asked || !isVerified(asked)) return;
    const { name, value } = recordOf(asked.custom_domain, asked.custom_domain_token);
    const isFound = (await findTextRecords(name, this.config.DNS_SERVERS)).includes(value);
    await this.db.forTenant({ organization_id }, async (tx) => {
      await getOrganizationByIdForUpdate(tx, organization_id);
      const row = await findBranding(tx, organization_id);
      const isSame = row?.custom_domain_token === asked.custom_domain_token;
      if (!row || !isVerified(row) || !isSame || row.custom_domain_checked_at !== asked.custom_domain_checked_at) return;
      await applyCheck(tx, { ...ctx, organization_id }, row, isFound);
    });
  }
}

interface VerifiedRow extends BrandingRow {
  custom_domain: string;
  custom_domain_token: string;
}
export const isVerified = (row: BrandingRow): row is VerifiedRow =>
  row.custom_domain !== null && row.custom_domain_token !== null && row.custom_domain_verified_at !== null;

/** Saves the result of a check, and emits and logs its effects on links and admins. */
export async function applyCheck(tx: IdentityTx, ctx: Context, row: VerifiedRow, isFound: boolean): Promise<BrandingRow> {
  const { organization_id, custom_domain: domain } = row;
  const { state, change } = applyCheckResult(row, isFound, new Date());
  const claim = change === 'released' ? { custom_domain_verified_at: null } : {};
  const saved = await saveDomainCheck(tx, organization_id, { ...state, ...claim });
  if (change !== 'none') await emit(tx, ctx, brandingUpdated, organization_id, { branding: brandingOf(organization_id, saved) });
  const type = audited[change];
  if (type) await recordAudit(tx, ctx, { type, organization_id, target: domain });
  const missing_since = state.custom_domain_missing_since;
  if (change === 'lapsed' && missing_since !== null) {
    const record = recordOf(domain, row.custom_domain_token);
    await emit(tx, ctx, customDomainLapsed, organization_id, { domain, missing_since, releases_at: releaseTime(missing_since), record });
  }
  return saved;
}
