/** 30 minutes idle, within 8 hours absolute; the warning appears 5 minutes before the end (docs/product-rules.md#sessions). */
export const sessionRules = { idleMinutes: 30, absoluteHours: 8, warningMinutes: 5, accessTokenMinutes: 10 } as const;

/** The longest time, in milliseconds, of which an event stream repeats the latest events. */
export const longestReplayMs = 15_000;

export const passwordRules = { minLength: 8, maxLength: 256 } as const;
/** In UTF-16 units. */
export const profileLimits = { signature: 2_000 } as const;

/** An organization is deleted this many days after the request; its admins are reminded some days before. */
export const deletionRules = { days: 14, reminderDays: 3 } as const;

export const longestSubdomain = 30;
export const subdomainRule = {
  pattern: /^[a-z0-9](?:[a-z0-9-]{1,28})[a-z0-9]$/,
  message: 'Subdomain must be 3-30 characters long and contain only lowercase letters, numbers, and hyphens',
} as const;

/** The first choice for the subdomain of a new organization: its lowercase name without characters outside a-z and 0-9, cut to 30. */
export const subdomainBase = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/gu, '')
    .slice(0, longestSubdomain);
