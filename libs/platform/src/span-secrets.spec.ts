import { plainAddress } from './span-secrets';

describe('plainAddress', () => {
  it.each([
    ['/public/tickets/01980000-0000-7000-8000-000000000001?email=a@b.c', '/public/tickets/01980000-0000-7000-8000-000000000001'],
    ['/invitations/qLr3Jm0C5mXyJ0gqVbZlqWnJ2a3h7z6m0tqk1P9dXyZ', '/invitations/:token'],
    ['https://user:pass@api.clickup.com/api/v2/oauth/token?code=abc', 'https://api.clickup.com/api/v2/oauth/token'],
    ['/tickets', '/tickets'],
  ])('%s → %s', (address, plain) => {
    expect(plainAddress(address)).toBe(plain);
  });
});
