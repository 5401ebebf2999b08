import { safeRedirect } from './redirect';

it('keeps a path of the product with its query', () => {
  expect(safeRedirect('/accept-invitation?token=abc#x')).toBe('/accept-invitation?token=abc#x');
});

it.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/a\\b',
  'javascript:alert(1)',
  '/\u0009/evil.example',
  '',
  null,
  undefined,
  'dashboard',
  '/auth?redirect=/auth',
])('goes to the dashboard instead of %p', (target) => {
  expect(safeRedirect(target)).toBe('/dashboard');
});
