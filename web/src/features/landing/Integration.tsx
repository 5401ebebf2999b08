import { Section } from './layout';

const steps = [
  { title: 'Create your organization', text: 'Give it a name. Your support page is online at your own subdomain right away.' },
  { title: 'Connect your task tool', text: 'Authorize ClickUp once as an admin. Your credentials are stored encrypted.' },
  { title: 'Choose where tasks go', text: 'Pick a workspace, a space and a list. From now on, each new ticket becomes a task there.' },
  { title: 'Receive tickets', text: 'Add the widget, share the support page, or call the API. Then answer from whichever side you like.' },
];

export const Integration = () => (
  <Section
    id="integration"
    title="Set up in under 5 minutes"
    lead="Four steps, no consultant. Your team keeps the tool it knows."
    className="border-y bg-surface"
  >
    <ol className="grid gap-x-8 sm:grid-cols-2 lg:grid-cols-4">
      {steps.map(({ title, text }, index) => (
        <li key={title} className="relative flex gap-5 pb-10 last:pb-0 sm:block sm:pb-12 lg:pb-0">
          <Link isLast={index === steps.length - 1} />
          <span
            aria-hidden
            className="tabular relative grid size-10 shrink-0 place-items-center rounded-full border-2 border-accent bg-surface text-base font-semibold text-accent-text"
          >
            {index + 1}
          </span>
          <div>
            <h3 className="text-lg font-semibold tracking-tight max-sm:pt-1.5 sm:mt-5">{title}</h3>
            <p className="mt-2 max-w-[34ch] text-base text-pretty text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  </Section>
);

/** The line from one step to the next: vertical on phones, horizontal on wide screens. */
const Link = ({ isLast }: { isLast: boolean }) =>
  !isLast && (
    <span
      aria-hidden
      className={
        'absolute border-dotted border-accent-line max-sm:top-12 max-sm:bottom-2 max-sm:left-[1.1875rem] max-sm:border-l-[3px] ' +
        'sm:top-[1.1875rem] sm:-right-6 sm:left-13 sm:border-t-[3px] sm:max-lg:hidden'
      }
    />
  );
