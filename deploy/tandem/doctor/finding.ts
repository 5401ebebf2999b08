/** The result of a check, for the operator. */
export interface Finding {
  status: 'ok' | 'warning' | 'error';
  /** One sentence. */
  message: string;
  /** What to do; not set if the status is ok. */
  fix?: string;
}

export const ok = (message: string): Finding => ({ status: 'ok', message });
export const warning = (message: string, fix: string): Finding => ({ status: 'warning', message, fix });
export const failed = (message: string, fix: string): Finding => ({ status: 'error', message, fix });

/** The code and the message of an error of a socket, of DNS or of a server. */
export const reasonOf = (error: unknown): { code: string; message: string } => {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const text = typeof message === 'string' && message !== '' ? message : '';
  return { code: typeof code === 'string' ? code : '', message: text || String(code ?? error) };
};

/** What to do about a server that cannot be reached. One that hangs accepts connections, and its supervisor shows it as running. */
export const reachFix = (server: string, setting: string, message: string): string =>
  /time(d)? ?out|no response/i.test(message)
    ? `Check that no firewall blocks its port. If none does, ${server} hangs: restart it, even if it is shown as running.`
    : `Start ${server}, or correct ${setting}.`;

/** Host and port of a server's URL: the rest may contain a password. */
export const addressOf = (url: string): string => URL.parse(url)?.host ?? 'an address that cannot be read';

/** Whether the version is at least the other one, by its first numbers. */
export function isAtLeast(version: string, lowest: string): boolean {
  const [own, other] = [version, lowest].map((text) => (text.match(/\d+/g) ?? []).map(Number));
  for (const [i, part] of other!.entries()) if ((own![i] ?? 0) !== part) return (own![i] ?? 0) > part;
  return true;
}

/** Hosts that exist without DNS and whose connections do not leave the machine. */
export const isThisMachine = (host: string): boolean => /^(localhost|.*\.localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);

/** Hosts inside of an installation: containers and pods, and the machine that runs the containers. */
export const isInternal = (host: string): boolean =>
  isThisMachine(host) || (!host.includes('.') && !host.includes(':')) || /(\.svc|\.svc\.cluster\.local|\.docker\.internal)$/.test(host);
