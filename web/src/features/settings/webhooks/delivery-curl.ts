import type { WebhookDeliveryDetails } from '@tandem/contracts';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** Headers that curl adds itself. */
const automatic = new Set(['content-length', 'host', 'connection', 'accept-encoding']);

/** The last request as a curl command, with the signature that was sent. */
export function deliveryCurl(url: string, { body, attempt_log }: WebhookDeliveryDetails): string {
  const headers = attempt_log.at(-1)?.request_headers ?? { 'content-type': 'application/json' };
  const lines = Object.entries(headers)
    .filter(([name]) => !automatic.has(name.toLowerCase()))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return [`curl -X POST ${quoted(url)}`, ...lines, `--data-binary ${quoted(body)}`].join(' \\\n  ');
}

/** The body with indentation for reading; undefined if it is not JSON. */
export function prettyJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}
