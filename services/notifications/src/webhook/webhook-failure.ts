import { maxResponseHeaderBytes, UnsafeAddress } from '@tandem/platform';
import { webhookRules } from '@tandem/contracts/values';

export interface Failure {
  /** The label of the metric. */
  outcome: 'redirect' | 'client_error' | 'server_error' | 'timeout' | 'network' | 'tls' | 'refused' | 'own_failure';
  /** One sentence without a full stop, for the console. */
  message: string;
  /** Our own failure never counts toward disabling the endpoint. */
  isOurs: boolean;
}

const timeout = `No response within ${webhookRules.timeoutMs / 1_000} seconds`;
const messages: Record<string, [Failure['outcome'], string]> = {
  ECONNREFUSED: ['network', 'The server refused the connection'],
  ECONNRESET: ['network', 'The server closed the connection without a response'],
  EPIPE: ['network', 'The server closed the connection without a response'],
  UND_ERR_SOCKET: ['network', 'The server closed the connection without a response'],
  EHOSTUNREACH: ['network', 'The server cannot be reached'],
  ENETUNREACH: ['network', 'The server cannot be reached'],
  ETIMEDOUT: ['timeout', timeout],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', timeout],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', timeout],
  UND_ERR_BODY_TIMEOUT: ['timeout', timeout],
  ENOTFOUND: ['network', 'The host name does not exist'],
  UND_ERR_HEADERS_OVERFLOW: ['network', `The response headers are larger than ${maxResponseHeaderBytes / 1_024} KB`],
  CERT_HAS_EXPIRED: ['tls', 'The certificate has expired'],
  CERT_NOT_YET_VALID: ['tls', 'The certificate is not valid yet'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls', 'The certificate is for another host name'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['tls', 'The certificate is self-signed'],
  SELF_SIGNED_CERT_IN_CHAIN: ['tls', 'The certificate chain contains a self-signed certificate'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['tls', 'The certificate chain is incomplete'],
  UNABLE_TO_GET_ISSUER_CERT: ['tls', 'The certificate chain is incomplete'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['tls', 'The certificate chain is incomplete'],
  CERT_REVOKED: ['tls', 'The certificate was revoked'],
};
/** The resolver of this machine failed. ENOTFOUND is not listed, because it is a valid answer. */
const resolverFailures = new Set(['EAI_AGAIN', 'EAI_FAIL', 'EAI_SYSTEM', 'ESERVFAIL', 'EREFUSED', 'ETIMEOUT']);

/** Why a request without a response failed. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UnsafeAddress) return { outcome: 'refused', message: error.message, isOurs: true };
  const name = (error as { name?: string }).name ?? '';
  if (name === 'TimeoutError') return { outcome: 'timeout', message: timeout, isOurs: false };
  const code = codeOf(error);
  if (resolverFailures.has(code)) return { outcome: 'own_failure', message: 'Our DNS lookup of the host name failed', isOurs: true };
  const known = messages[code];
  if (known) return { outcome: known[0], message: known[1], isOurs: false };
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return { outcome: 'tls', message: 'The TLS handshake failed', isOurs: false };
  if (code.startsWith('HPE_') || name === 'HTTPParserError') {
    return { outcome: 'network', message: 'The response is not valid HTTP', isOurs: false };
  }
  return { outcome: 'network', message: `The request failed (${code || name || 'unknown error'})`, isOurs: false };
}

/** With several addresses, Node reports the failures of all of them together. */
function codeOf(error: unknown): string {
  const { code, errors, cause } = error as { code?: unknown; errors?: unknown[]; cause?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : codeOf(cause);
}

/** Undefined for a success. */
export function failureOfStatus(status: number): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400)
    return { outcome: 'redirect', message: `The server redirected (${status}), and redirects are not followed`, isOurs: false };
  const outcome = status >= 500 ? 'server_error' : 'client_error';
  return { outcome, message: `The server answered ${status}${meanings[status] ?? ''}`, isOurs: false };
}

const meanings: Record<number, string> = {
  401: ': it refused the signature or needs other credentials',
  403: ': it refused the request',
  404: ': no page at this URL',
  410: ': it no longer wants events',
  413: ': the body is too large for it',
  429: ': too many requests',
  502: ': a proxy in front of it got no valid response',
  503: ': it is temporarily unavailable',
  504: ': a proxy in front of it got no response in time',
};

const overloaded = new Set([429, 502, 503, 504]);
/** Whether the endpoint gets one request at a time until it succeeds again. */
export const isOverload = (status: number | null, failure: Failure): boolean =>
  failure.outcome === 'timeout' || (status !== null && overloaded.has(status));
