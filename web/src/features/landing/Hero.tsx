import { ArrowDown } from 'lucide-react';
import { Link } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { Button } from '../../ui/Button';
import { HeroIllustration } from './HeroIllustration';
import { column } from './layout';
import { LiveDemoButton } from './LiveDemoButton';

export function Hero() {
  return (
    <section aria-labelledby="hero-title" className="overflow-hidden border-b">
      <div className={cn(column, 'grid items-end gap-x-12 gap-y-14 pt-14 sm:pt-20 lg:grid-cols-2')}>
        <div className="lg:pb-24">
          <h1
            id="hero-title"
            className="text-[clamp(2.625rem,1.7rem+3.5vw,4.5rem)] leading-[1.02] font-semibold tracking-[-0.04em] text-balance"
          >
            Every ticket in sync with a task.
          </h1>
          <p className="mt-6 max-w-[33rem] text-lg text-pretty text-muted">
            Tandem is the help desk for teams that do the work in a task tool. A customer writes, a task appears, and both stay in sync,
            whichever side you work on.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <Button asChild variant="primary" size="lg" className="h-12 px-5">
              <Link to="/auth?tab=sign-up">Start your 14-day free trial</Link>
            </Button>
            <LiveDemoButton>
              <Button asChild size="lg" className="h-12 px-5">
                <a href="#integration">
                  How it works
                  <ArrowDown aria-hidden />
                </a>
              </Button>
            </LiveDemoButton>
          </div>
          <p className="mt-4 text-md text-muted">No credit card. Cancel anytime.</p>
        </div>
        <HeroIllustration />
      </div>
    </section>
  );
}

const figures = [
  { value: '500+', label: 'teams answer their customers with Tandem' },
  { value: '< 2 min', label: 'average response' },
  { value: '99.9%', label: 'uptime' },
  { value: '< 5 min', label: 'from sign-up to the first ticket' },
];

/** Key figures of the product. */
export const Figures = () => (
  <section aria-label="Tandem in numbers" className="border-b bg-surface">
    <dl className={cn(column, 'grid grid-cols-2 lg:grid-cols-4')}>
      {figures.map(({ value, label }) => (
        <div
          key={label}
          className={
            'flex flex-col-reverse justify-end gap-1 border-line py-7 pr-4 sm:py-9 max-lg:odd:border-r max-lg:even:pl-6 ' +
            'max-lg:[&:nth-child(-n+2)]:border-b lg:not-first:border-l lg:not-first:pl-8'
          }
        >
          <dt className="max-w-[24ch] text-md text-pretty text-muted">{label}</dt>
          <dd className="tabular text-2xl font-semibold tracking-[-0.03em] sm:text-3xl">{value}</dd>
        </div>
      ))}
    </dl>
  </section>
);
