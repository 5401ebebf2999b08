import { AppError, listAuditLog, listSecurityEvents, type AuditEntry, type Context, type InputOf, type OutputOf } from '@tandem/contracts';
import { Database, paginate } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { Controller } from '@nestjs/common';
import type { IdentityTables } from '../schema';
import { auditEntries, findLatestSecurityEvents } from './audit.store';

function organizationOf({ organization_id }: Context): string {
  if (organization_id === null) throw new AppError('organization.required');
  return organization_id;
}

/** The organization's audit log, for its admins. */
@Controller()
export class AuditService {
  constructor(private readonly db: Database<IdentityTables>) {}

  @Handles(listAuditLog)
  async listAuditLog(ctx: Context, { query }: InputOf<typeof listAuditLog>): Promise<OutputOf<typeof listAuditLog>> {
    const { page, cursor, limit, ...filter } = query;
    return this.db.forTenant(ctx, (tx) =>
      paginate(tx, auditEntries(tx, organizationOf(ctx), filter), { page, cursor, limit, orderBy: ['id'] }),
    );
  }

  @Handles(listSecurityEvents)
  async listSecurityEvents(ctx: Context, { query }: InputOf<typeof listSecurityEvents>): Promise<AuditEntry[]> {
    return this.db.forTenant(ctx, (tx) => findLatestSecurityEvents(tx, organizationOf(ctx), query.limit));
  }
}
