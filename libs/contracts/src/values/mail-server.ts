/** `tls`: TLS from the start (RFC 8314). `starttls`: a plain connection that must switch to TLS. `none`: for private networks only. */
export const mailServerSecurities = ['tls', 'starttls', 'none'] as const;
export type MailServerSecurity = (typeof mailServerSecurities)[number];

/** The ports of a mail server. Others are refused, so that the test cannot be used to probe services. */
export const mailServerPorts: readonly number[] = [25, 465, 587, 2525];

/** Emails wait this many days for a server that fails. Admins are warned after these hours. */
export const mailServerRules = { retryDays: 4, warnAfterHours: [1, 24] } as const;

/** How emails to customers are sent: `product` is the product's own server and domain. */
export const emailRoutes = ['mail_server', 'sender_domain', 'product'] as const;
