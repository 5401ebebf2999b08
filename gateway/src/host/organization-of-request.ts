import { AppError, noOrganizationHere, type Operation } from '@tandem/contracts';
import { fieldProblems } from '@tandem/platform';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { hostOf, type GatewayRequest } from '../request';
import { OrganizationOfHost } from './organization-of-host';
import { WidgetOfKey } from './widget-of-key';

const WidgetKey = z.object({ organization: z.string().max(100) });

/** Resolves the organization of an unauthenticated call: from the host on portals, from the site's widget key in widgets. */
@Injectable()
export class OrganizationOfRequest {
  constructor(
    private readonly hosts: OrganizationOfHost,
    private readonly widgets: WidgetOfKey,
  ) {}

  /** Null if the operation belongs to no organization. Throws `organization.not_found` if the host or key is unknown. */
  async find(operation: Operation | undefined, request: GatewayRequest): Promise<string | null> {
    if (operation?.allow === 'portal') return (await this.hosts.find(hostOf(request), request.id)).id;
    return operation?.allow === 'widget' ? this.ofWidget(request) : null;
  }

  private async ofWidget(request: GatewayRequest): Promise<string> {
    const query = WidgetKey.safeParse(request.query);
    if (!query.success) throw new AppError('request.invalid', { fields: fieldProblems(query.error) });
    const widget = await this.widgets.find(query.data.organization, request.id);
    if (widget === null) throw noOrganizationHere();
    return widget.id;
  }
}
