import {
  AppError,
  listDevices,
  revokeDevice,
  revokeOtherDevices,
  type Context,
  type Device,
  type InputOf,
  type OutputOf,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { Controller } from '@nestjs/common';
import { endSessions, lockUser, bumpAccessVersion } from '../access/access.store';
import { recordAudit } from '../audit/audit.store';
import type { IdentityTables } from '../schema';
import { requireUser } from '../require-user';
import { endSession, findLiveSessions, findOrganizationOfUserAcrossOrganizations, type LiveSession } from './session.store';

type IdentityTx = Tx<IdentityTables>;

/** Lists a user's sessions and ends them remotely; every gateway rejects their access tokens immediately. */
@Controller()
export class DeviceService {
  constructor(private readonly db: Database<IdentityTables>) {}

  @Handles(listDevices)
  async listDevices(ctx: Context): Promise<Device[]> {
    const { user_id, session_id } = requireUser(ctx);
    const sessions = await this.db.asSystem('sessions of a user in any organization', (tx) => findLiveSessions(tx, user_id));
    return sessions.map((session) => ({ ...session, current: session.id === session_id }));
  }

  @Handles(revokeDevice)
  async revokeDevice(ctx: Context, { params }: InputOf<typeof revokeDevice>): Promise<OutputOf<typeof revokeDevice>> {
    const { user_id } = requireUser(ctx);
    await this.db.asSystem('end a session of a user in any organization', async (tx) => {
      await lockUser(tx, user_id);
      // The same error for another person's session, an ended one and an unknown id.
      const session = (await findLiveSessions(tx, user_id)).find(({ id }) => id === params.id);
      if (!session) throw new AppError('device.not_found');
      await endSession(tx, { session_id: session.id, user_id }, 'revoked');
      await bumpAccessVersion(tx, ctx, user_id);
      await recordRevoked(tx, ctx, user_id, [session]);
    });
    return {};
  }

  @Handles(revokeOtherDevices)
  async revokeOtherDevices(ctx: Context): Promise<OutputOf<typeof revokeOtherDevices>> {
    const { user_id, session_id } = requireUser(ctx);
    return this.db.asSystem('end the other sessions of a user in any organization', async (tx) => {
      await lockUser(tx, user_id);
      const others = (await findLiveSessions(tx, user_id)).filter(({ id }) => id !== session_id);
      if (others.length === 0) return { ended: 0 };
      const ended = await endSessions(tx, ctx, user_id, 'revoked', session_id);
      await recordRevoked(tx, ctx, user_id, others);
      return { ended };
    });
  }
}

/** One log entry per session, with its browser. */
async function recordRevoked(tx: IdentityTx, ctx: Context, user_id: string, sessions: LiveSession[]): Promise<void> {
  const organization_id = await findOrganizationOfUserAcrossOrganizations(tx, user_id);
  for (const { user_agent } of sessions) await recordAudit(tx, ctx, { type: 'session.revoked', organization_id, target: user_agent });
}
