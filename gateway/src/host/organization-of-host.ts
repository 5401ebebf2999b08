import { isIP } from 'node:net';
import { AppError, findOrganizationOfHost, noOrganizationHere, systemContext, type OrganizationAtHost } from '@tandem/contracts';
import { LiveEvents, Services } from '@tandem/messaging';
import { Injectable } from '@nestjs/common';
import { CachedLookup } from './cached-lookup';

/** The host name without its port: `acme.localhost:3000` → `acme.localhost`, `[::1]:3000` → `[::1]`. */
const hostName = (host: string): string => host.replace(/:\d*$/, '');
const plausible = (name: string) => name.length <= 253 && (/^[a-z0-9.-]+$/.test(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0);

const isLocal = (name: string) => name === 'localhost' || /^127(\.\d{1,3}){3}$/.test(name);

/** Resolves a host name to the organization whose portal it serves. Custom domains are part of the branding settings. */
@Injectable()
export class OrganizationOfHost {
  private readonly hosts: CachedLookup<OrganizationAtHost>;

  constructor(services: Services, live: LiveEvents) {
    const load = (host: string, request_id: string) =>
      services.call(findOrganizationOfHost, systemContext(null, request_id), { query: { host } });
    this.hosts = new CachedLookup(live, load, ['organization.', 'branding.']);
  }

  /** Throws `organization.not_found` for an unknown host. */
  async find(host: string, request_id: string): Promise<OrganizationAtHost> {
    const name = hostName(host);
    const organization = plausible(name) ? await this.hosts.find(name, request_id) : null;
    // A local host maps to the first organization: if that fails, there is no organization at all.
    if (organization === null)
      throw isLocal(name) ? new AppError('organization.not_found', { detail: 'No organizations found' }) : noOrganizationHere();
    return organization;
  }
}
