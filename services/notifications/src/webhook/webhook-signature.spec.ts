import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatureHeaders, signingKeysOf } from './webhook-signature';

it('decrypts a sealed secret once, and again after it was sealed again', () => {
  const secret = newWebhookSecret();
  const opened: string[] = [];
  const open = (sealed: string) => {
    opened.push(sealed);
    return secret;
  };
  const now = new Date();
  for (const sealed of ['sealed', 'sealed', 'sealed again', 'sealed']) {
    const headers = signatureHeaders({ id: 'evt_1', body: '{}', keys: [signingKeysOf(sealed, open)] }, now);
    expect(headers['webhook-signature']).toBe(new Webhook(secret).sign('evt_1', now, '{}'));
  }
  expect(opened).toEqual(['sealed', 'sealed again']);
});
