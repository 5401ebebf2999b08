/** The pages of the documentation at `/docs`, in reading order. They are on the product's host; the guide for customers is on every host. */
export const docsPages = {
  'quick-start': {
    group: 'Get started',
    title: 'Quick start',
    description: 'From sign-up to your first synced ticket in about 20 minutes.',
  },
  'domain-setup': {
    group: 'Get started',
    title: 'Domain setup',
    description: 'Give your customers a portal on your subdomain or your own domain.',
  },
  'widget-setup': {
    group: 'Get started',
    title: 'Widget setup',
    description: 'Add a support form to your website. Visitors contact you and read your replies without leaving it.',
  },
  'clickup-setup': {
    group: 'Get started',
    title: 'ClickUp setup',
    description:
      'Each ticket becomes a task in a ClickUp list, and both stay in sync. Your support team works in Tandem, everyone else in ClickUp.',
  },
  'admin-guide': {
    group: 'Guides',
    title: 'Admin guide',
    description: 'Manage your organization, its team, security, figures, integrations and data.',
  },
  rules: {
    group: 'Guides',
    title: 'Rules',
    description: 'Let Tandem assign, tag, answer and close tickets for you.',
  },
  'help-articles': {
    group: 'Guides',
    title: 'Help articles',
    description: 'Answer common questions once, on help pages and while customers write a ticket.',
  },
  'customer-guide': {
    group: 'Guides',
    title: 'Customer guide',
    description: 'Submit a ticket, follow it, and reply. No account needed.',
  },
  build: {
    group: 'Developers',
    title: 'Build with Tandem',
    description: 'From an API token to a verified webhook in about ten minutes.',
  },
  'api-reference': {
    group: 'Developers',
    title: 'API reference',
    description: 'Everything your programs can do: the widget, the REST API, webhooks and their limits.',
  },
} as const;
export type DocsPageName = keyof typeof docsPages;
export const docsPageNames = Object.keys(docsPages) as DocsPageName[];
