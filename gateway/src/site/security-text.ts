const dayMs = 86_400_000;
/** RFC 9116, 2.5.5: less than a year. Computed, so that a running installation never serves an expired file. */
const validDays = 180;

/** `/.well-known/security.txt` (RFC 9116). */
export function securityText({ contact, origin, now }: { contact: string; origin: string; now: Date }): string {
  const today = now.getTime() - (now.getTime() % dayMs);
  const expires = new Date(today + validDays * dayMs).toISOString().replace('.000', '');
  return [
    `Contact: ${contact}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n');
}
