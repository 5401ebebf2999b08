/** The result of the last check of a record. */
export const dnsRecordStates = ['found', 'missing', 'wrong'] as const;

/**
 * The host of the envelope sender while emails come from an organization's own domain. Its CNAME record leads to a host of ours, so bounces
 * still arrive, and SPF is aligned with the From address.
 */
export const bounceHostOf = (domain: string): string => `tnd-bounces.${domain}`;

/** Verified domains are checked daily; others hourly for a week, then daily. A replaced key stays in DNS for mail in transit. */
export const senderDomainRules = { checkHours: 24, pendingCheckHours: 1, pendingDays: 7, retiredKeyDays: 7 } as const;
