import type { LiveEvents, Services } from '@tandem/messaging';
import { OrganizationOfHost } from './organization-of-host';

describe('a host while no organization exists', () => {
  const services = { call: () => Promise.resolve(null) } as unknown as Services;
  const find = (host: string) => new OrganizationOfHost(services, {} as LiveEvents).find(host, 'r');

  it.each(['localhost', 'localhost:3000', '127.0.0.1:8080'])('returns "No organizations found" if it is %s', (host) =>
    expect(find(host)).rejects.toMatchObject({ code: 'organization.not_found', detail: 'No organizations found' }),
  );

  it('returns "Organization not found for this domain" if it is any other', () =>
    expect(find('acme.localhost')).rejects.toMatchObject({
      code: 'organization.not_found',
      detail: 'Organization not found for this domain',
    }));
});
