import { tokenPermissions } from '@tandem/contracts';
import type { EmailData } from '../../schema';
import { renderContent, type Rendered } from '../render-content';
import { formatTime, oneLine } from '../text';
import type { Theme } from '../theme';

/** Reports a new API token to an admin, who can delete it if it is a mistake or an attack. */
export function apiTokenCreated(
  { name, permissions, networks, expires_at, creator_name, created_at }: EmailData['api_token_created'],
  { theme, link }: { theme: Theme; link: string },
): Rendered {
  const labels = permissions.map((permission) => tokenPermissions[permission].label);
  return {
    subject: `New API token: ${oneLine(name)}`,
    ...renderContent({
      theme,
      heading: 'A new API token was created',
      paragraphs: [`${oneLine(creator_name)} created the API token “${oneLine(name)}” for ${theme.sender} on ${formatTime(created_at)}.`],
      facts: [
        { label: 'Permissions', value: labels.join(', ') },
        { label: 'Networks', value: networks.length === 0 ? 'all' : networks.join(', ') },
        { label: 'Expires', value: expires_at === null ? 'never' : formatTime(expires_at) },
      ],
      action: { label: 'Open API tokens', href: link },
      closing: 'If you don’t recognize this token, delete it and change the password of the account that created it.',
    }),
  };
}
