import { portalAddress } from '../../../lib/portal-address';
import { DocsPage } from '../DocsPage';
import { useSubdomain } from '../use-subdomain';
import { Events } from './Events';
import { NextSteps } from './NextSteps';
import { Requests } from './Requests';

/** /docs/build */
export function BuildPage() {
  const subdomain = useSubdomain();
  const { origin } = location;
  return (
    <DocsPage name="build">
      <p className="mt-4">
        You need an admin account, and a terminal with curl, OpenSSL and Node 20.19 or newer. If you are signed in, the commands contain
        your organization’s address.
      </p>
      <Requests base={`${portalAddress(subdomain, null)}/api/v1`} />
      <Events origin={origin} />
      <NextSteps origin={origin} />
    </DocsPage>
  );
}
