import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { isSingleOrganization } from '../installation';
import { failed, isThisMachine, ok, reasonOf, warning, type Finding } from './finding';
import { addressesOf } from './lookups';

const warnDays = 14;
const dayMs = 24 * 60 * 60 * 1000;
/** No organization can have this subdomain, so the record is found only if there is one for all subdomains. */
const probe = 'tandem-doctor-probe';

/** Null if it is malformed, which the check of the settings reports. */
const publicUrl = (): URL | null => URL.parse(process.env.PUBLIC_URL || 'http://localhost:3000');
const hasNoName = ({ hostname }: URL): boolean => isThisMachine(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/** The DNS records of the product's host and of all organizations' subdomains. */
export async function checkDns(): Promise<Finding[]> {
  const url = publicUrl();
  if (url === null) return [];
  if (hasNoName(url)) return [ok(`${url.hostname} needs no DNS record.`)];
  const further = (process.env.PORTAL_DOMAINS || '').split(',').map((domain) => domain.trim());
  // The portal of a single organization is on the product's host.
  const hosts = isSingleOrganization() ? [] : [url.hostname, ...further.filter((domain) => domain !== '')];
  const findings: Finding[] = [];
  const records: [string, string][] = [
    [url.hostname, url.hostname],
    ...hosts.map((host): [string, string] => [`${probe}.${host}`, `*.${host}`]),
  ];
  for (const [name, record] of records) {
    if ((await addressesOf(name)).length > 0) continue;
    const fix = `Add an A or AAAA record for ${record} that points to your proxy.`;
    findings.push(
      failed(record === name ? `DNS has no address for ${name}.` : `DNS has no record for ${record}, so portals cannot be opened.`, fix),
    );
  }
  return findings.length > 0 ? findings : [ok(`DNS has ${hosts.map((host) => `${host} and *.${host}`).join(', ') || url.hostname}.`)];
}

export async function checkCertificate(): Promise<Finding[]> {
  const url = publicUrl();
  if (url === null) return [];
  if (url.protocol !== 'https:') {
    return isThisMachine(url.hostname)
      ? [ok('PUBLIC_URL is an address of this machine and needs no certificate.')]
      : [
          failed(
            'PUBLIC_URL does not use https.',
            'Set PUBLIC_URL to an https:// address, and put a proxy with a certificate in front of the gateway.',
          ),
        ];
  }
  const addresses = hasNoName(url) ? [url.hostname.replace(/^\[|\]$/g, '')] : await addressesOf(url.hostname);
  const answers = await Promise.allSettled(addresses.map((address) => readCertificate(url, address)));
  const failures = answers.flatMap((answer, i) =>
    answer.status === 'rejected' ? [{ address: addresses[i]!, ...reasonOf(answer.reason) }] : [],
  );
  const certificates = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const findings = certificates.map((found) => judge(url, found));
  // A machine with only one kind of address cannot reach the other kind.
  const reported = certificates.length > 0 ? failures.filter(({ code }) => !unreachableCodes.has(code)) : failures.slice(0, 1);
  const report = certificates.length > 0 ? warning : failed;
  for (const { address, ...reason } of reported) {
    const { why, fix } = tlsFailure(reason);
    findings.push(report(`${url.host} does not answer with TLS at ${address}: ${why}.`, fix));
  }
  const problems = findings.filter(({ status }) => status !== 'ok');
  // Servers with the same certificate have the same problem. Without an address, the check of DNS reports that.
  return [...new Map((problems.length > 0 ? problems : findings.slice(0, 1)).map((finding) => [finding.message, finding])).values()];
}

/** Messages of OpenSSL name its source files, so its codes are described instead. */
function tlsFailure({ code, message }: { code: string; message: string }): { why: string; fix: string } {
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return { why: 'the server does not use TLS on this port', fix: 'Let the proxy accept TLS connections on the port of PUBLIC_URL.' };
  if (code.startsWith('ERR_SSL_'))
    return {
      why: `the proxy refuses this host, probably because it has no certificate for it (${code})`,
      fix: 'If the proxy was started a moment ago, it is still getting the certificate: wait a minute. Otherwise its log says why it has none.',
    };
  return {
    why: message,
    fix:
      'Start the proxy in front of the gateway, and check that the firewall allows its port. ' +
      'From inside of some networks their own public address cannot be reached: then ignore this.',
  };
}

const unreachableCodes: ReadonlySet<string> = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']);

interface FoundCertificate {
  certificate: PeerCertificate;
  /** Why browsers refuse it. */
  problem: string | undefined;
}

function judge(url: URL, { certificate, problem }: FoundCertificate): Finding {
  const [from, until] = [Date.parse(certificate.valid_from), Date.parse(certificate.valid_to)];
  const left = until - Date.now();
  const renew = 'Renew the certificate, and check how the proxy renews it.';
  if (left < 0) return failed(`The certificate of ${url.host} expired on ${dateOf(certificate.valid_to)}.`, renew);
  if (problem !== undefined)
    return failed(
      `Browsers do not trust the certificate of ${url.host} (${problem}).`,
      'Install a certificate for this host with its complete chain.',
    );
  const days = Math.floor(left / dayMs);
  const text = days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`;
  // A certificate of six days is renewed two days before its end.
  if (left < Math.min(warnDays * dayMs, (until - from) / 4)) return warning(`The certificate of ${url.host} expires in ${text}.`, renew);
  return ok(`The certificate of ${url.host} is valid for ${text} more.`);
}

const dateOf = (text: string): string => new Date(text).toISOString().slice(0, 10);

/** The certificate that browsers get at this address. */
function readCertificate(url: URL, address: string): Promise<FoundCertificate> {
  return new Promise((resolve, reject) => {
    const name = hasNoName(url) ? {} : { servername: url.hostname };
    // Reads even an invalid certificate, to name its problem; nothing is sent over the connection.
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
