import { ArrowRight, MessageSquarePlus, TicketCheck, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { HelpLinks } from '../help/HelpLinks';
import { useTexts } from '../language/texts';
import { useOrganization } from '../organization';
import { PortalFrame } from '../PortalFrame';
import { BusinessHours } from './BusinessHours';

/** `/` on an organization's host. */
export function PortalHomePage() {
  const t = useTexts();
  return (
    <PortalFrame title={t('home.page')} hero={<Hero />}>
      <div className="-mt-16 sm:-mt-24">
        <ul className="grid gap-4 sm:grid-cols-2 sm:gap-5">
          <Entry to="/submit-ticket" icon={MessageSquarePlus} title={t('frame.submit')}>
            {t('home.submit_text')}
          </Entry>
          <Entry to="/ticket-status/check" icon={TicketCheck} title={t('home.check')}>
            {t('home.check_text')}
          </Entry>
        </ul>
        <Hours />
        {/* Last, because it appears once the articles are known: nothing below it moves. */}
        <HelpLinks />
      </div>
    </PortalFrame>
  );
}

function Hero() {
  const t = useTexts();
  return (
    <div className="border-b bg-accent-soft">
      <div className="mx-auto max-w-2xl px-4 pt-12 pb-18 text-center sm:px-6 sm:pt-18 sm:pb-26">
        <h1 className="text-2xl font-semibold tracking-tight sm:text-3xl">{t('home.title')}</h1>
        <p className="mt-2 text-pretty text-muted sm:text-lg">{t('home.text')}</p>
      </div>
    </div>
  );
}

function Entry({ to, icon: Icon, title, children }: { to: string; icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <li className="group relative flex flex-col rounded-xl border bg-surface p-5 transition-colors hover:border-accent-line sm:p-6">
      <span className="grid size-10 place-items-center rounded-lg bg-accent-soft text-accent-text">
        <Icon className="size-5" aria-hidden />
      </span>
      <h2 className="mt-4 text-lg font-semibold">
        <Link to={to} className="inline-flex items-center gap-1.5 after:absolute after:inset-0 after:rounded-xl">
          {title}
          <ArrowRight
            className="size-4 text-accent-text transition-transform group-hover:translate-x-0.5 rtl:-scale-x-100 rtl:group-hover:-translate-x-0.5"
            aria-hidden
          />
        </Link>
      </h2>
      <p className="mt-1 text-md text-pretty text-muted">{children}</p>
    </li>
  );
}

function Hours() {
  const organization = useOrganization();
  return organization ? <BusinessHours schedule={organization} /> : null;
}
