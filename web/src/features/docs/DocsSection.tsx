import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { settingsSections, type SettingsSectionKey } from '../../lib/settings-sections';
import { CodeBlock } from '../../ui/CodeBlock';
import { highlight, type CodeLanguage } from './highlight';

const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** A section with an address of its own, by default its title: the heading is the link. */
export function DocsSection({ title, id = slug(title), children }: { title: string; id?: string; children: ReactNode }) {
  const { search } = useLocation();
  return (
    <section id={id} className="mt-10 flex scroll-mt-20 flex-col gap-3">
      <h2 className="text-xl font-semibold tracking-tight break-after-avoid">
        <Link
          to={{ search, hash: id }}
          className="rounded-sm after:ml-2 after:font-normal after:text-faint after:opacity-0 after:content-['#'/''] hover:after:opacity-100 focus-visible:after:opacity-100"
        >
          {title}
        </Link>
      </h2>
      {children}
    </section>
  );
}

export const Steps = ({ children }: { children: ReactNode }) => (
  <ol className="flex list-decimal flex-col gap-2 pl-5 marker:text-muted">{children}</ol>
);
export const Points = ({ children }: { children: ReactNode }) => (
  <ul className="flex list-disc flex-col gap-2 pl-5 marker:text-muted">{children}</ul>
);

/** A code sample with a copy button. `language` highlights it. */
export const DocsCode = ({ language, ...props }: { label: string; code: string; className?: string; language?: CodeLanguage }) => (
  <CodeBlock {...props} copiedMessage="Code copied to clipboard!">
    {language && highlight(props.code, language)}
  </CodeBlock>
);

/** Style of links in running text. */
export const docsLink = 'font-medium text-accent-text underline underline-offset-2';

/** A link to a panel of the settings, with its name. */
export const SettingsLink = ({ section }: { section: SettingsSectionKey }) => (
  <Link to={settingsSections[section].to} className={`whitespace-nowrap ${docsLink}`}>
    Settings, {settingsSections[section].label}
  </Link>
);
