import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { AppError, Id, readBrandingAsset } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { requireContext, type ServiceConfig } from '@tandem/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdentityTables } from '../schema';
import { findAssetAcrossOrganizations } from './branding.store';

/** Serves logos and icons to the gateway. They are public because emails embed them. */
@Controller()
export class AssetController {
  constructor(
    private readonly db: Database<IdentityTables>,
    @Inject('CONFIG') private readonly config: ServiceConfig,
  ) {}

  @Get(readBrandingAsset.path)
  async read(@Req() request: FastifyRequest<{ Params: { id: string } }>, @Res() reply: FastifyReply): Promise<void> {
    requireContext(request.raw, this.config.CONTEXT_SECRET);
    const id = Id.safeParse(request.params.id);
    const asset = id.success
      ? await this.db.asSystem('branding image: identified by its id only', (tx) => findAssetAcrossOrganizations(tx, id.data))
      : undefined;
    if (!asset) throw new AppError('branding.asset_not_found');
    await reply.header('content-type', asset.content_type).send(asset.content);
  }
}
