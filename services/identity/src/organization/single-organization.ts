import { AppError } from '@tandem/contracts';
import { Database, DatabaseUnavailable, lockName, type Tx } from '@tandem/db';
import { ConfigError, type Logger } from '@tandem/platform';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import type { IdentityConfig } from '../config';
import type { IdentityTables } from '../schema';

/** Live demos do not count: they have no portal, and send no emails. */
async function countOrganizationsAcrossOrganizations(tx: Tx<IdentityTables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count_organizations() as count`.execute(tx);
  return rows[0]!.count;
}

/** Throws `sign_up.closed` if there is an organization. Others that are created at the same moment wait for the end of the transaction. */
export async function assertIsFirstOrganization(tx: Tx<IdentityTables>): Promise<void> {
  await lockName(tx, 'single-organization');
  if ((await countOrganizationsAcrossOrganizations(tx)) > 0) throw new AppError('sign_up.closed');
}

/** SIGN_UP, except that an installation whose single organization exists invites its members: others could not create an organization. */
export async function signUpPolicy(
  db: Database<IdentityTables>,
  { SIGN_UP, SINGLE_ORGANIZATION }: Pick<IdentityConfig, 'SIGN_UP' | 'SINGLE_ORGANIZATION'>,
): Promise<IdentityConfig['SIGN_UP']> {
  if (SIGN_UP !== 'open' || !SINGLE_ORGANIZATION) return SIGN_UP;
  const count = await db.asSystem('whether the single organization exists', countOrganizationsAcrossOrganizations);
  return count > 0 ? 'invite' : 'open';
}

/**
 * Prevents the start with SINGLE_ORGANIZATION if there are several organizations: links to the portals of all of them would lead to that of
 * the first.
 */
@Injectable()
export class SingleOrganizationCheck implements OnModuleInit {
  constructor(
    private readonly db: Database<IdentityTables>,
    @Inject('CONFIG') private readonly config: IdentityConfig,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    if (!this.config.SINGLE_ORGANIZATION) return;
    const count = await this.count();
    if (count === undefined) return this.log.warn('Whether there is a second organization is unknown, because PostgreSQL is unavailable');
    if (count > 1) throw new ConfigError('identity', [`SINGLE_ORGANIZATION must be false: there are ${count} organizations`]);
  }

  /** Undefined without PostgreSQL: services start without it, and wait. */
  private async count(): Promise<number | undefined> {
    try {
      return await this.db.asSystem('the number of organizations', countOrganizationsAcrossOrganizations);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return undefined;
      throw error;
    }
  }
}
