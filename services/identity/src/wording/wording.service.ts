import { createHash } from 'node:crypto';
import {
  deleteWording,
  listWording,
  noOrganizationHere,
  previewWording,
  readPublicWording,
  readWidgetWording,
  saveWording,
  textParts,
  wordingChanged,
  type Context,
  type CustomerText,
  type InputOf,
  type Language,
  type OutputOf,
  type PublicWording,
  type TenantContext,
  type TextPart,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { catalogs } from '@tandem/languages';
import { emit, Handles } from '@tandem/messaging';
import { Controller } from '@nestjs/common';
import { recordAudit } from '../audit/audit.store';
import { getOrganizationById } from '../organization/organization.store';
import type { IdentityTables } from '../schema';
import { lockOrganization } from '../team/member.store';
import { assertUsable, customerText, getOriginal, hashOf, previewOf } from './wording';
import { deleteText, findText, findWording, saveText } from './wording.store';

/** The texts for customers that an organization has replaced with its own. */
@Controller()
export class WordingService {
  constructor(private readonly db: Database<IdentityTables>) {}

  @Handles(listWording)
  async list(ctx: TenantContext, { params: { language } }: InputOf<typeof listWording>): Promise<CustomerText[]> {
    const rows = await this.db.readTenant(ctx, (tx) => findWording(tx, ctx.organization_id, { language }));
    const byAddress = new Map(rows.map((row) => [`${row.part} ${row.key}`, row]));
    return textParts.flatMap((part) =>
      Object.keys(catalogs[part].en).map((key) => customerText({ part, language, key }, byAddress.get(`${part} ${key}`))),
    );
  }

  @Handles(previewWording)
  async preview(ctx: TenantContext, { params, body: { text } }: InputOf<typeof previewWording>): Promise<OutputOf<typeof previewWording>> {
    const original = getOriginal(params);
    assertUsable(text, original);
    const { name } = await this.db.readTenant(ctx, (tx) => getOrganizationById(tx, ctx.organization_id));
    return { preview: previewOf(params, text, original, name) };
  }

  @Handles(saveWording)
  async save(ctx: TenantContext, { params, body: { text } }: InputOf<typeof saveWording>): Promise<CustomerText> {
    const { organization_id } = ctx;
    const original = getOriginal(params);
    assertUsable(text, original);
    return this.db.forTenant(ctx, async (tx) => {
      await lockOrganization(tx, ctx, 'organization.write');
      const before = await findText(tx, organization_id, params);
      const original_hash = hashOf(original);
      if (before?.text === text && before.original_hash === original_hash) return customerText(params, before);
      const row = await saveText(tx, { organization_id, ...params, text, original_hash });
      if (before?.text === text) return customerText(params, row);
      await emit(tx, ctx, wordingChanged, organization_id, { organization_id, ...params, text });
      const changes = { text: { from: before?.text ?? null, to: text } };
      await recordAudit(tx, ctx, { type: 'wording.updated', organization_id, target: targetOf(params), changes });
      return customerText(params, row);
    });
  }

  @Handles(deleteWording)
  async delete(ctx: TenantContext, { params }: InputOf<typeof deleteWording>): Promise<CustomerText> {
    const { organization_id } = ctx;
    const restored = customerText(params, undefined);
    return this.db.forTenant(ctx, async (tx) => {
      await lockOrganization(tx, ctx, 'organization.write');
      const before = await findText(tx, organization_id, params);
      if (!before) return restored;
      await deleteText(tx, before);
      await emit(tx, ctx, wordingChanged, organization_id, { organization_id, ...params, text: null });
      const changes = { text: { from: before.text, to: null } };
      await recordAudit(tx, ctx, { type: 'wording.restored', organization_id, target: targetOf(params), changes });
      return restored;
    });
  }

  @Handles(readPublicWording)
  readPublic(ctx: Context, { params }: InputOf<typeof readPublicWording>): Promise<PublicWording> {
    return this.textsOf(ctx, params);
  }

  @Handles(readWidgetWording)
  readForWidget(ctx: Context, { params }: InputOf<typeof readWidgetWording>): Promise<PublicWording> {
    return this.textsOf(ctx, { part: 'widget', ...params });
  }

  private async textsOf({ organization_id }: Context, of: { part: TextPart; language: Language }): Promise<PublicWording> {
    if (organization_id === null) throw noOrganizationHere();
    const rows = await this.db.readTenant({ organization_id }, (tx) => findWording(tx, organization_id, of));
    const texts = Object.fromEntries(rows.map(({ key, text }) => [key, text]));
    const version = createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 22);
    return { version, texts };
  }
}

const targetOf = ({ part, language, key }: { part: TextPart; language: Language; key: string }): string => `${part}.${key} (${language})`;
