import { customDomainRules } from '@tandem/contracts/values';
import { CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { portalAddress } from '../../lib/portal-address';
import { readSite } from '../../lib/site';
import { Button } from '../../ui/Button';
import { DocsPage } from './DocsPage';
import { DocsCode, DocsSection, Points, SettingsLink, Steps } from './DocsSection';
import { DocsTable } from './DocsTable';
import { DocsTabs } from './DocsTabs';
import { useCustomDomain, type CustomDomain } from './use-custom-domain';
import { useSubdomain } from './use-subdomain';

/** /docs/domain-setup */
export const DomainSetupPage = () => (
  <DocsPage name="domain-setup">
    <DocsTabs
      label="Domain setup"
      tabs={[
        { value: 'subdomain', label: 'Subdomain', panel: <Subdomain /> },
        { value: 'custom', label: 'Custom domain', panel: <OwnDomain /> },
      ]}
    />
  </DocsPage>
);

const SinglePortal = ({ portal }: { portal: string }) => (
  <DocsSection title="What you get">
    <p>This server has one organization, so its portal is on the server’s own address. There is nothing to set up.</p>
    <DocsCode label="Portal address" code={portal} />
    <p>
      Customers submit and follow tickets there, in your colors and with your logo from <SettingsLink section="branding" />. The subdomain
      in <SettingsLink section="organization" /> is part of the address to which they send email, and of the widget’s code.
    </p>
  </DocsSection>
);

function Subdomain() {
  const portal = portalAddress(useSubdomain(), null);
  if (readSite().singlePortal) return <SinglePortal portal={portal} />;
  return (
    <>
      <DocsSection title="What you get">
        <p>A subdomain is free, works instantly and has SSL. There is nothing to set up at a DNS provider.</p>
        <DocsCode label="Portal address" code={portal} />
        <p>
          Customers submit and follow tickets there, in your colors and with your logo from <SettingsLink section="branding" />.
        </p>
      </DocsSection>
      <DocsSection title="Choose a subdomain">
        <Steps>
          <li>
            As an administrator, open <SettingsLink section="organization" />.
          </li>
          <li>Under Portal, enter the subdomain. The page shows whether it’s available.</li>
          <li>Choose Save subdomain. The portal works as soon as you save.</li>
        </Steps>
        <Points>
          <li>It has 3 to 30 characters: lowercase letters, digits and hyphens. It can’t start or end with a hyphen.</li>
          <li>
            Each subdomain belongs to one organization. If you change yours, links to the old one stop working, including those in emails
            and on your website.
          </li>
          <li>Without a subdomain, your organization has no portal and no widget.</li>
        </Points>
      </DocsSection>
    </>
  );
}

function OwnDomain() {
  const custom = useCustomDomain();
  return (
    <>
      <DocsSection title="Before you start">
        <p>
          Your portal can also use your own domain, such as <code>support.example.com</code>. You need access to the DNS settings of the
          domain. Once the domain is verified, pages of your subdomain redirect to it, and links in emails and the widget use it.
        </p>
        <Steps>
          <li>
            In <SettingsLink section="branding" />, enter the domain under Custom domain and choose Save domain.
          </li>
          <li>Add the records below at your DNS provider.</li>
          <li>
            Choose Verify in the settings. The portal goes live at the domain once its TXT record is found. From then on your subdomain
            leads there, so add the CNAME record first.
          </li>
        </Steps>
      </DocsSection>
      <Records custom={custom} />
      <Address />
      <Providers />
      <Ssl />
      <Propagation />
    </>
  );
}

const anyProof = { name: '_tandem.support.example.com', value: 'tandem-verification=…' };

/** The label that the DNS provider asks for: without the domain itself, as most providers add it. */
const labelOf = (domain: string): string => domain.split('.')[0]!;

function Records({ custom }: { custom: CustomDomain }) {
  const { domain, record, isVerified } = custom;
  const name = domain === undefined ? 'support' : labelOf(domain);
  const proof = record ?? anyProof;
  return (
    <DocsSection title="DNS records">
      <p>
        {domain === undefined ? (
          'The CNAME record points to your portal, and the TXT record proves that the domain is yours.'
        ) : (
          <>
            These are the records of <code>{domain}</code>.
          </>
        )}
      </p>
      <DocsTable
        caption="DNS records"
        head={['Type', 'Name', 'Value', 'TTL']}
        rows={[
          ['CNAME', <code>{name}</code>, <code>{location.hostname}</code>, '300 or auto'],
          ['TXT', <code className="break-all">{proof.name}</code>, <code className="break-all">{proof.value}</code>, '300 or auto'],
        ]}
      />
      {record && <Proof {...custom} isVerified={isVerified} />}
      <DocsCode label="Target of the CNAME record" code={location.hostname} />
      <DocsCode label="Value of the TXT record" code={proof.value} />
      <p className="text-muted">
        Most providers add the domain to the name automatically: for <code>support.example.com</code>, enter <code>support</code> and{' '}
        <code>_tandem.support</code>. The value of the TXT record is different for each organization; the settings show yours.
      </p>
    </DocsSection>
  );
}

/** Whether the TXT record of the reader's organization was found, and a button that looks it up. */
const Proof = ({ isVerified, check, isChecking, problem }: CustomDomain) => (
  <div className="flex flex-wrap items-center gap-3 rounded-lg border px-4 py-3 print:hidden" role="status">
    {isVerified ? (
      <p className="flex items-center gap-2 text-green-text">
        <CircleCheck className="size-4 shrink-0" aria-hidden />
        The TXT record was found. Your domain is verified.
      </p>
    ) : (
      <>
        <p className="flex flex-1 items-center gap-2 text-muted">
          <CircleDashed className="size-4 shrink-0" aria-hidden />
          {problem ?? 'The TXT record hasn’t been found yet.'}
        </p>
        <Button busy={isChecking} onClick={() => void check()}>
          Check now
        </Button>
      </>
    )}
  </div>
);

const Address = () => (
  <DocsSection title="Alternative: an A record">
    <p>
      A domain without a subdomain, such as <code>example.com</code>, can’t have a CNAME record at most providers. Use an A record instead,
      with the same name and TTL. Its value is the current IP address of <code>{location.hostname}</code>:
    </p>
    <DocsCode label="Look up the IP address" language="shell" code={`dig +short ${location.hostname}`} />
    <p className="text-muted">If that address changes, you have to change the A record. A CNAME record follows it.</p>
  </DocsSection>
);

const subdomainName = <code>support</code>;
const proofName = <code>_tandem.support</code>;
const providers: [name: string, steps: ReactNode[]][] = [
  [
    'Cloudflare',
    [
      'Choose the domain, then DNS and Records, then Add record.',
      <>Choose CNAME, and enter the name {subdomainName} and the target. Set the proxy status to DNS only and TTL to Auto.</>,
      <>Add the TXT record the same way, with the name {proofName}.</>,
    ],
  ],
  [
    'GoDaddy',
    [
      'In your domain portfolio, choose the domain, then DNS, then Add New Record.',
      <>
        Choose CNAME, and enter the name {subdomainName} and the target as the value. Choose a custom TTL of 300 seconds if offered,
        otherwise the shortest.
      </>,
      <>Add the TXT record the same way, with the name {proofName}.</>,
    ],
  ],
  [
    'Namecheap',
    [
      'In Domain List, choose Manage next to the domain, then Advanced DNS, then Add New Record.',
      <>Choose CNAME Record, and enter the host {subdomainName} and the target. Leave TTL on Automatic.</>,
      <>Add a TXT Record with the host {proofName}.</>,
    ],
  ],
  [
    'Amazon Route 53',
    [
      'In Hosted zones, choose the domain, then Create record.',
      <>Enter the record name {subdomainName}, choose the type CNAME, enter the target as the value, and TTL 300.</>,
      <>Create the TXT record with the name {proofName}. Put its value in double quotes.</>,
    ],
  ],
];

const Providers = () => (
  <DocsSection title="Steps for your DNS provider">
    {providers.map(([name, steps]) => (
      <div key={name} className="mt-2 flex flex-col gap-2">
        <h3 className="font-semibold">{name}</h3>
        <Steps>
          {steps.map((step, at) => (
            <li key={at}>{step}</li>
          ))}
        </Steps>
      </div>
    ))}
  </DocsSection>
);

const Ssl = () => (
  <DocsSection title="SSL">
    <p>
      SSL is automatic: the proxy in front of Tandem gets and renews the certificate, so you have nothing to upload. If you run Tandem on
      your own servers, that proxy is yours: it needs a certificate for the domain, and must pass the host name on unchanged.
    </p>
  </DocsSection>
);

const Propagation = () => (
  <DocsSection title="How long it takes">
    <p>
      DNS propagation takes up to 48 hours, but usually 1–2 hours. If the domain isn’t verified after that, check for typing errors, and for
      a domain that your provider has added twice:
    </p>
    <DocsCode label="Look up the TXT record" language="shell" code={`dig +short TXT ${anyProof.name}`} />
    <Points>
      <li>Leave both records in place. Tandem looks up the TXT record once a day.</li>
      <li>
        If it’s missing for {customDomainRules.lapseDays} days, links use your subdomain and administrators are notified. After{' '}
        {customDomainRules.releaseDays} days, the domain is released.
      </li>
      <li>
        Links in emails use the domain once it’s verified. The widget and sign-in for your team stay at <code>{location.host}</code>.
      </li>
    </Points>
  </DocsSection>
);
