import { docsPageNames, docsPages } from '@tandem/contracts/values';
import { BookOpen, Inbox, Settings, UserRound } from 'lucide-react';
import { paramsOf } from '../../features/tickets/list/ticket-filters';
import { addressSearch } from '../../features/tickets/list/ticket-query';
import { builtInViews, filtersOfView, useCountViewsQuery } from '../../features/tickets/list/views.api';
import { nameOf } from '../../lib/names';
import type { RecentTicket } from '../../lib/recent-tickets';
import { settingsFor, settingsSections, type SettingsSectionKey } from '../../lib/settings-sections';
import { t } from '../../lib/staff-texts';
import { Avatar } from '../../ui/Avatar';
import { CommandGroup, CommandItem } from '../../ui/CommandDialog';
import { useListMembersQuery, useSession } from '../api';
import { useDocsSearch } from './docs-search';
import type { Go } from './run';

/** Synonyms that also find a section of the settings. */
const words: Partial<Record<SettingsSectionKey, string>> = {
  organization: 'name time zone subdomain',
  members: 'team invite invitations roles',
  branding: 'logo colors custom domain',
  email: 'mailbox imap incoming address',
  embed: 'snippet website script',
  sla: 'business hours holidays policies escalation',
  rules: 'automation automate workflow trigger auto-reply routing auto-close',
  fields: 'attributes properties form',
  cannedReplies: 'macros templates',
  integrations: 'clickup github task tool',
  api: 'tokens',
  import: 'migrate move csv zendesk freshdesk help scout chatwoot zammad',
  export: 'download backup archive leave',
  signIn: 'single sign-on sso openid two-factor',
  profile: 'name photo email address',
  account: 'password two-factor devices',
};

export function SettingsCommands({ go }: { go: Go }) {
  const { role } = useSession().profile;
  const allowed = new Set(settingsFor(role).flatMap(({ sections }) => sections.map(({ to }) => to)));
  const sections = (Object.keys(settingsSections) as SettingsSectionKey[]).map((key) => ({ key, ...settingsSections[key] }));
  return (
    <CommandGroup title={t('app.palette.settings')}>
      {sections
        .filter(({ to }) => allowed.has(to))
        .map(({ key, to, label }) => (
          <CommandItem key={key} value={`settings: ${label} ${words[key] ?? ''}`} mark={<Settings aria-hidden />} onSelect={go(to)}>
            {label}
          </CommandItem>
        ))}
    </CommandGroup>
  );
}

export function ViewCommands({ go }: { go: Go }) {
  const { data } = useCountViewsQuery();
  const saved = (data?.saved ?? []).map((view) => ({ key: view.id, name: view.name, filters: filtersOfView(view), viewId: view.id }));
  const all = [...builtInViews.map((view) => ({ ...view, viewId: undefined })), ...saved];
  return (
    <CommandGroup title={t('app.palette.views')}>
      {all.map(({ key, name, filters, viewId }) => {
        const params = paramsOf(filters);
        if (viewId) params.set('view', viewId);
        return (
          <CommandItem
            key={key}
            value={`view: ${name} ${viewId ?? ''}`}
            mark={<Inbox aria-hidden />}
            onSelect={go(`/tickets${addressSearch(params)}`)}
          >
            {name}
          </CommandItem>
        );
      })}
    </CommandGroup>
  );
}

/** A member's tickets. */
export function MemberCommands({ go }: { go: Go }) {
  const { data: members = [] } = useListMembersQuery();
  return (
    <CommandGroup title={t('app.palette.members')}>
      {members
        .filter(({ is_active }) => is_active)
        .map((member) => (
          <CommandItem
            key={member.user_id}
            value={`member: ${nameOf(member)} ${member.email}`}
            mark={<Avatar name={nameOf(member)} size="xs" />}
            end={t('app.palette.assigned_tickets')}
            onSelect={go(`/tickets?assignee=${member.user_id}`)}
          >
            {nameOf(member)}
          </CommandItem>
        ))}
    </CommandGroup>
  );
}

const maxCustomers = 4;

/** The customers of the tickets found whose name or address contains the text. */
export function CustomerCommands({ tickets, text, go }: { tickets: readonly RecentTicket[]; text: string; go: Go }) {
  const wanted = text.toLowerCase();
  const byAddress = new Map(tickets.map(({ customer_email, customer_name }) => [customer_email, customer_name]));
  const found = [...byAddress].filter(([email, name]) => `${name ?? ''} ${email}`.toLowerCase().includes(wanted)).slice(0, maxCustomers);
  if (found.length === 0) return null;
  return (
    <CommandGroup title={t('app.palette.customers')}>
      {found.map(([email, name]) => (
        <CommandItem
          key={email}
          value={`customer ${email}`}
          mark={<UserRound aria-hidden />}
          end={name === null ? undefined : email}
          onSelect={go(`/tickets?customer_email=${encodeURIComponent(email)}`)}
        >
          {name ?? email}
        </CommandItem>
      ))}
    </CommandGroup>
  );
}

/** The pages by their titles, and the sections by their texts. */
export function DocsCommands({ text, go }: { text: string; go: Go }) {
  const found = useDocsSearch(text);
  return (
    <CommandGroup title={t('app.palette.documentation')}>
      {docsPageNames.map((name) => (
        <CommandItem key={name} value={`help: ${docsPages[name].title}`} mark={<BookOpen aria-hidden />} onSelect={go(`/docs/${name}`)}>
          {docsPages[name].title}
        </CommandItem>
      ))}
      {found.map(({ to, page, title, excerpt }) => (
        <CommandItem
          key={to}
          value={`docs ${to}`}
          mark={<BookOpen aria-hidden />}
          end={title === page ? undefined : page}
          onSelect={go(to)}
        >
          {title} <span className="text-muted">{excerpt}</span>
        </CommandItem>
      ))}
    </CommandGroup>
  );
}
