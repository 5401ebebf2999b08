import {
  findWidget,
  noOrganizationHere,
  readWidgetConfig,
  readWidgetSettings,
  rotateWidgetSecret,
  saveWidgetSettings,
  widgetUpdated,
  type Context,
  type InputOf,
  type OutputOf,
  type WidgetSettings,
  type TenantContext,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { newToken, portalOrigin, Secrets, type ServiceConfig } from '@tandem/platform';
import { Controller, Inject } from '@nestjs/common';
import { recordAudit } from '../audit/audit.store';
import { refused } from '../branding/branding';
import { changesOf, fromTo } from '../organization/changes';
import type { IdentityTables } from '../schema';
import { lockOrganization } from '../team/member.store';
import { secretPurpose, settingsOf } from './widget';
import {
  findWidgetAcrossOrganizations,
  findWidgetSettings,
  getWidgetAppearance,
  saveWidgetSettings as saveRow,
  type WidgetRow,
} from './widget.store';

type IdentityTx = Tx<IdentityTables>;

/** The widget's settings: allowed sites, identity verification and appearance. */
@Controller()
export class WidgetService {
  constructor(
    private readonly db: Database<IdentityTables>,
    private readonly secrets: Secrets,
    @Inject('CONFIG') private readonly config: ServiceConfig,
  ) {}

  @Handles(readWidgetSettings)
  async readWidgetSettings(ctx: TenantContext): Promise<WidgetSettings> {
    return settingsOf(await this.db.forTenant(ctx, (tx) => findWidgetSettings(tx, ctx.organization_id)));
  }

  @Handles(saveWidgetSettings)
  async saveWidgetSettings(ctx: TenantContext, { body }: InputOf<typeof saveWidgetSettings>): Promise<WidgetSettings> {
    const organization_id = ctx.organization_id;
    const wanted = { ...body, allowed_sites: [...new Set(body.allowed_sites)] };
    return this.db.forTenant(ctx, async (tx) => {
      await lockOrganization(tx, ctx, 'organization.write');
      const before = settingsOf(await findWidgetSettings(tx, organization_id));
      const changes = changesOf<WidgetSettings, keyof typeof body>(before, wanted);
      if (Object.keys(changes).length === 0) return before;
      // Without a secret no visitor could be verified, so the widget would reject every visitor.
      if (changes.identity_required && !before.has_secret) throw refused('identity_required', 'Generate a secret first');
      const row = await saveRow(tx, organization_id, changes);
      await announce(tx, ctx, row);
      await recordAudit(tx, ctx, { type: 'widget.updated', organization_id, changes: fromTo<WidgetSettings>(before, changes) });
      return settingsOf(row);
    });
  }

  @Handles(rotateWidgetSecret)
  async rotateWidgetSecret(ctx: TenantContext): Promise<OutputOf<typeof rotateWidgetSecret>> {
    const organization_id = ctx.organization_id;
    const secret = newToken();
    await this.db.forTenant(ctx, async (tx) => {
      await lockOrganization(tx, ctx, 'organization.write');
      await announce(tx, ctx, await saveRow(tx, organization_id, { sealed_secret: this.secrets.seal(secretPurpose, secret) }));
      await recordAudit(tx, ctx, { type: 'widget.secret_rotated', organization_id });
    });
    return { secret };
  }

  @Handles(findWidget)
  async findWidget(_ctx: Context, { query }: InputOf<typeof findWidget>): Promise<OutputOf<typeof findWidget>> {
    const key = query.key.toLowerCase();
    if (!/^[a-z0-9-]+$/.test(key)) return null;
    const found = await this.db.asSystem('find the organization of a widget by its key', (tx) => findWidgetAcrossOrganizations(tx, key));
    return found ?? null;
  }

  /** The gateway has resolved the organization from the key. */
  @Handles(readWidgetConfig)
  async readWidgetConfig(ctx: Context): Promise<OutputOf<typeof readWidgetConfig>> {
    const { organization_id } = ctx;
    if (organization_id === null) throw noOrganizationHere();
    const { subdomain, custom_domain, ...look } = await this.db.forTenant({ organization_id }, (tx) =>
      getWidgetAppearance(tx, organization_id),
    );
    return { ...look, portal_url: portalOrigin(this.config, { subdomain, custom_domain }) };
  }
}

const announce = (tx: IdentityTx, ctx: Context, { organization_id, allowed_sites, identity_required, sealed_secret }: WidgetRow) =>
  emit(tx, ctx, widgetUpdated, organization_id, { organization_id, allowed_sites, identity_required, sealed_secret });
