/** The result of the last check of a record. */
export const dnsRecordStates = ['found', 'missing', 'wrong'] as const;

/** Verified domains are checked daily; others hourly for a week, then daily. A replaced key stays in DNS for mail in transit. */
export const senderDomainRules = { checkHours: 24, pendingCheckHours: 1, pendingDays: 7, retiredKeyDays: 7 } as const;
