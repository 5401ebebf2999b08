import type { TestEmail } from '@tandem/contracts';
import { renderContent, type Rendered } from '../render-content';
import type { Theme } from '../theme';

const routes: Record<TestEmail['sent_by'], string> = {
  mail_server: 'your own SMTP server',
  sender_domain: 'our server, signed for your domain',
  product: 'our server and from our domain',
};

/** Email to the admin who requested it, with the appearance of emails to customers. */
export const testEmail = ({ from, sent_by, theme }: Pick<TestEmail, 'from' | 'sent_by'> & { theme: Theme }): Rendered => ({
  subject: 'Test email',
  ...renderContent({
    theme,
    heading: 'Your email settings work',
    paragraphs: [
      `Emails to your customers come from ${from}, through ${routes[sent_by]}.`,
      'If this email is in your spam folder, your customers’ emails may end up there as well.',
    ],
  }),
});
