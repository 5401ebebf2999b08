import { plainAddress } from './span-secrets';

describe('plainAddress', () => {
  it.each([
    ['/public/tickets/01980000-0000-7000-8000-000000000001?email=a@b.c', '/public/tickets/01980000-0000-7000-8000-000000000001'],
    ['/invitations/qLr3Jm0C5mXyJ0gqVbZlqWnJ2a3h7z6m0tqk1P9dXyZ', '/invitations/:token'],
    ['https://user:pass@api.clickup.com/api/v2/oauth/token?code=abc', 'https://api.clickup.com/api/v2/oauth/token'],
    ['/tickets', '/tickets'],
    // A signed file address: payload, a dot, and the signature.
    ['/api/v1/files/eyJvcmdhbml6YXRpb25faWQiOiJ4In0.qLr3Jm0C5mXyJ0gqVbZlqWnJ2a3h7z6m0tqk1P9dXyZ', '/api/v1/files/:token'],
    [
      'http://tandem-tickets.production.svc.cluster.local:4002/files/eyJmb3IiOiJkb3dubG9hZCJ9.qLr3Jm0C5mXyJ0gqVbZlqWnJ2a3h7z6m0tqk1P9dXyZ',
      'http://tandem-tickets.production.svc.cluster.local:4002/files/:token',
    ],
    ['/assets/ticket-detail-page-DkT3xJ0q.woff2', '/assets/ticket-detail-page-DkT3xJ0q.woff2'],
  ])('%s → %s', (address, plain) => {
    expect(plainAddress(address)).toBe(plain);
  });
});
