/**
 * Accepts only a path of the product itself in `?redirect=`: no other host (`//x`, `/\x`, `https:`), no script, and no control characters
 * that a browser would drop.
 */
export function safeRedirect(target: string | null | undefined, fallback = '/dashboard'): string {
  if (!target || !target.startsWith('/') || target.length > 2_000) return fallback;
  if (/^\/[/\\]/.test(target) || target.includes('\\') || /[\u0000-\u001f\u007f]/.test(target)) return fallback;
  const url = new URL(target, location.origin);
  if (url.origin !== location.origin) return fallback;
  return url.pathname === '/auth' ? fallback : `${url.pathname}${url.search}${url.hash}`;
}
