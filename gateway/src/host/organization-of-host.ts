import { isIP } from 'node:net';
import { AppError, findOrganizationOfHost, systemContext } from '@tandem/contracts';
import { LiveEvents, Services } from '@tandem/messaging';
import { Injectable } from '@nestjs/common';

interface Known {
  organization_id: string | null;
  until: number;
  forget: () => void;
}
const knownMs = 30_000;
/** A host that stands for nobody yet may do so in a moment, and there is no event that would say which. */
const unknownMs = 1_000;
const capacity = 2_000;

/** The host name without its port: `acme.localhost:3000` → `acme.localhost`, `[::1]:3000` → `[::1]`. */
const hostName = (host: string): string => host.replace(/:\d*$/, '');
const plausible = (name: string) => name.length <= 253 && (/^[a-z0-9.-]+$/.test(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0);

/** Which organization's portal a host name is. Remembered for 30 seconds, forgotten at once when the organization changes. */
@Injectable()
export class OrganizationOfHost {
  private readonly known = new Map<string, Known>();
  private readonly asking = new Map<string, Promise<string | null>>();

  constructor(
    private readonly services: Services,
    private readonly live: LiveEvents,
  ) {}

  /** The organization's id. Throws `organization.not_found` for a host that stands for nobody. */
  async find(host: string, request_id: string): Promise<string> {
    const name = hostName(host);
    const organization_id = plausible(name) ? await this.lookUp(name, request_id) : null;
    if (organization_id === null) throw new AppError('organization.not_found');
    return organization_id;
  }

  private async lookUp(name: string, request_id: string): Promise<string | null> {
    const known = this.known.get(name);
    if (known !== undefined && known.until > Date.now()) return known.organization_id;
    // A crowd at one portal asks identity once.
    const asked = this.asking.get(name) ?? this.ask(name, request_id).finally(() => this.asking.delete(name));
    this.asking.set(name, asked);
    return asked;
  }

  private async ask(name: string, request_id: string): Promise<string | null> {
    const organization = await this.services.call(findOrganizationOfHost, systemContext(null, request_id), { query: { host: name } });
    this.remember(name, organization?.id ?? null);
    return organization?.id ?? null;
  }

  private remember(name: string, organization_id: string | null): void {
    this.drop(name);
    const oldest = this.known.size >= capacity ? this.known.keys().next().value : undefined;
    if (oldest !== undefined) this.drop(oldest);
    const forget =
      organization_id === null
        ? () => undefined
        : this.live.subscribe(organization_id, ({ type }) => type.startsWith('organization.') && this.drop(name));
    this.known.set(name, { organization_id, until: Date.now() + (organization_id === null ? unknownMs : knownMs), forget });
  }

  private drop(name: string): void {
    this.known.get(name)?.forget();
    this.known.delete(name);
  }
}
