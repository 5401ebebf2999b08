import type { Device, MfaState } from '@tandem/contracts';
import { http } from 'msw';
import { anId, aSession, backend } from '../../testing/backend';
import { answer, api, refuse, server } from '../../testing/server';

export const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
export const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

export const aDevice = (overrides: Partial<Device> = {}): Device => ({
  id: anId(),
  current: false,
  user_agent: safari,
  ip: '203.0.113.7',
  created_at: new Date(Date.now() - 2 * 3_600_000).toISOString(),
  last_seen_at: new Date(Date.now() - 5 * 60_000).toISOString(),
  ...overrides,
});

/** Fake server state of the user's account. */
export const account = {
  password: 'password1',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  codes: ['abcdefgh234567ab', 'zyxwvuts765432zy'],
  mfa: {} as MfaState,
  devices: [] as Device[],
  sent: [] as { call: string; body: unknown }[],
};

export function startAccount(session = aSession(backend.me)): void {
  backend.signIn(session);
  account.mfa = { enabled: false, enabled_at: null, recovery_codes_left: 0, required: false };
  account.devices = [aDevice({ current: true, user_agent: chrome, ip: '198.51.100.4' }), aDevice()];
  account.sent = [];
  const proven = (call: string, work: (body: Record<string, string>) => ReturnType<typeof answer>) => {
    return async ({ request }: { request: Request }) => {
      const body = (await request.json()) as Record<string, string>;
      account.sent.push({ call, body });
      return body.current_password === account.password ? work(body) : refuse('password.wrong');
    };
  };
  server.use(
    http.patch(api('/me'), async ({ request }) => {
      const body = (await request.json()) as object;
      account.sent.push({ call: 'name', body });
      if (backend.session) Object.assign(backend.session.profile, body);
      return answer(backend.session?.profile);
    }),
    http.post(
      api('/me/email'),
      proven('email', () => answer({ message: 'ok' }, { status: 202 })),
    ),
    http.post(
      api('/me/password'),
      proven('password', () => {
        account.devices = account.devices.filter(({ current }) => current);
        return answer({});
      }),
    ),
    http.get(api('/me/mfa'), () => answer(account.mfa)),
    http.post(
      api('/me/mfa'),
      proven('begin', () => answer({ secret: account.secret, otpauth_uri: `otpauth://totp/Tandem?secret=${account.secret}` })),
    ),
    http.post(api('/me/mfa/confirm'), async ({ request }) => {
      const { code } = (await request.json()) as { code: string };
      if (code !== '123456') return refuse('mfa.code_invalid');
      account.mfa = { ...account.mfa, enabled: true, enabled_at: new Date().toISOString(), recovery_codes_left: account.codes.length };
      if (backend.session) backend.session = { ...backend.session, mfa_enrolment_required: false };
      return answer({ recovery_codes: account.codes });
    }),
    http.delete(
      api('/me/mfa'),
      proven('disable', () => {
        account.mfa = { ...account.mfa, enabled: false, enabled_at: null, recovery_codes_left: 0 };
        return answer(account.mfa);
      }),
    ),
    http.post(
      api('/me/mfa/recovery-codes'),
      proven('renew', () => {
        account.mfa = { ...account.mfa, recovery_codes_left: account.codes.length };
        return answer({ recovery_codes: account.codes });
      }),
    ),
    http.get(api('/auth/sessions'), () => answer(account.devices)),
    http.delete(api('/auth/sessions/:id'), ({ params }) => {
      if (!account.devices.some(({ id }) => id === params.id)) return refuse('device.not_found');
      account.devices = account.devices.filter(({ id }) => id !== params.id);
      return answer({});
    }),
    http.delete(api('/auth/sessions'), () => {
      const ended = account.devices.length - 1;
      account.devices = account.devices.filter(({ current }) => current);
      return answer({ ended });
    }),
  );
}
