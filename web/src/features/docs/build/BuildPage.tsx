import { portalAddress } from '../../../lib/portal-address';
import { useDocumentTitle } from '../../../ui/PageHeader';
import { useSectionInView } from '../use-section-in-view';
import { useSubdomain } from '../use-subdomain';
import { Events } from './Events';
import { NextSteps } from './NextSteps';
import { Requests } from './Requests';

/** /docs/build */
export function BuildPage() {
  const subdomain = useSubdomain();
  useDocumentTitle('Build with Tandem');
  useSectionInView();
  const { origin } = location;
  return (
    <article className="text-pretty [&_code]:font-mono [&_li_code]:text-md [&_p_code]:text-md">
      <h1 className="text-2xl tracking-tight">Build with Tandem</h1>
      <p className="mt-2 text-muted">From an API token to a verified webhook in about ten minutes.</p>
      <p className="mt-4">
        You need an admin account, and a terminal with curl, OpenSSL and Node 20.19 or newer. If you are signed in, the commands contain
        your organization’s address.
      </p>
      <Requests base={`${portalAddress(subdomain, null)}/api/v1`} />
      <Events origin={origin} />
      <NextSteps origin={origin} />
    </article>
  );
}
