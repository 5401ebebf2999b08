import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { failed, isThisMachine, ok, reasonOf, warning, type Finding } from './finding';
import { addressesOf } from './lookups';

const warnDays = 14;
const dayMs = 24 * 60 * 60 * 1000;
/** No organization can have this subdomain, so the record is found only if there is one for all subdomains. */
const probe = 'tandem-doctor-probe';

const publicUrl = (): URL => new URL(process.env.PUBLIC_URL || 'http://localhost:3000');
const hasNoName = ({ hostname }: URL): boolean => isThisMachine(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/** The DNS records of the product's host and of all organizations' subdomains. */
export async function checkDns(): Promise<Finding[]> {
  const url = publicUrl();
  if (hasNoName(url)) return [ok(`${url.hostname} needs no DNS record.`)];
  const further = (process.env.PORTAL_DOMAINS || '').split(',').map((domain) => domain.trim());
  const hosts = [url.hostname, ...further.filter((domain) => domain !== '')];
  const findings: Finding[] = [];
  const records: [string, string][] = [
    [url.hostname, url.hostname],
    ...hosts.map((host): [string, string] => [`${probe}.${host}`, `*.${host}`]),
  ];
  for (const [name, record] of records) {
    if ((await addressesOf(name)).length > 0) continue;
    const fix = `Add an A or AAAA record of ${record} that points at your proxy.`;
    findings.push(
      failed(record === name ? `DNS has no address of ${name}.` : `DNS has no record of ${record}, so portals cannot be opened.`, fix),
    );
  }
  return findings.length > 0 ? findings : [ok(`DNS has ${hosts.map((host) => `${host} and *.${host}`).join(', ')}.`)];
}

export async function checkCertificate(): Promise<Finding[]> {
  const url = publicUrl();
  if (url.protocol !== 'https:') {
    return isThisMachine(url.hostname)
      ? [ok('PUBLIC_URL is of this machine and needs no certificate.')]
      : [
          failed(
            'PUBLIC_URL does not use https.',
            'Set PUBLIC_URL to an https:// address, and put a proxy with a certificate in front of the gateway.',
          ),
        ];
  }
  const [address] = hasNoName(url) ? [url.hostname.replace(/^\[|\]$/g, '')] : await addressesOf(url.hostname);
  // Reported by the check of DNS.
  if (address === undefined) return [];
  try {
    const { certificate, problem } = await readCertificate(url, address);
    const daysLeft = Math.floor((Date.parse(certificate.valid_to) - Date.now()) / dayMs);
    const renew = 'Renew the certificate, and check how the proxy renews it.';
    if (daysLeft < 0) return [failed(`The certificate of ${url.host} expired on ${dateOf(certificate.valid_to)}.`, renew)];
    if (problem !== undefined)
      return [
        failed(
          `Browsers do not trust the certificate of ${url.host} (${problem}).`,
          'Install a certificate for this host with its complete chain.',
        ),
      ];
    if (daysLeft < warnDays) return [warning(`The certificate of ${url.host} expires in ${daysLeft} days.`, renew)];
    return [ok(`The certificate of ${url.host} is valid for ${daysLeft} more days.`)];
  } catch (error) {
    const fix = 'Start the proxy in front of the gateway, and check that the firewall allows its port.';
    return [failed(`${url.host} does not answer with TLS: ${reasonOf(error).message}.`, fix)];
  }
}

const dateOf = (text: string): string => new Date(text).toISOString().slice(0, 10);

/** The certificate that browsers get, and why they would refuse it. */
function readCertificate(url: URL, address: string): Promise<{ certificate: PeerCertificate; problem: string | undefined }> {
  return new Promise((resolve, reject) => {
    const name = isIP(url.hostname) ? {} : { servername: url.hostname };
    // Also an invalid certificate is read, to name its problem; nothing is sent over the connection.
    const socket = connect({ host: address, port: Number(url.port) || 443, ...name, rejectUnauthorized: false });
    socket.setTimeout(10_000, () => socket.destroy(new Error('no response within 10 seconds')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      // A code, or an error if the certificate is of another host: the types declare only the latter.
      const problem = socket.authorizationError as Error | string | null | undefined;
      resolve({ certificate: socket.getPeerCertificate(), problem: typeof problem === 'string' ? problem : problem?.message });
      socket.destroy();
    });
  });
}
