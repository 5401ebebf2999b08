import { cn } from '../../lib/cn';
import { column } from './layout';

/** Taken from the running app by `npm run pictures`, in the colors of both themes. */
const pictures = [
  {
    name: 'tickets',
    alt: 'The ticket list: status, priority, customer, assignee and due time of each ticket',
    caption: 'Every request in one list, the next one due at the top.',
  },
  {
    name: 'ticket',
    alt: 'A ticket: the conversation with the customer, and its linked task next to it',
    caption: 'The conversation with your customer, and its task next to it.',
  },
];

/** Two pictures of the staff app. A browser loads only those of the visitor's theme. */
export const Product = () => (
  <section aria-label="The app" className="border-b py-14 sm:py-20">
    <ul className={cn(column, 'grid gap-10 lg:grid-cols-2 lg:gap-8')}>
      {pictures.map(({ name, alt, caption }) => (
        <li key={name}>
          <figure>
            <Picture path={`/pictures/${name}-light`} alt={alt} className="dark:hidden" />
            <Picture path={`/pictures/${name}-dark`} alt={alt} className="hidden dark:block" />
            <figcaption className="mt-4 text-base text-muted">{caption}</figcaption>
          </figure>
        </li>
      ))}
    </ul>
  </section>
);

const Picture = ({ path, alt, className }: { path: string; alt: string; className: string }) => (
  <img
    src={`${path}.webp`}
    srcSet={`${path}-small.webp 720w, ${path}.webp 1360w`}
    sizes="(min-width: 64rem) 35rem, calc(100vw - 2rem)"
    alt={alt}
    width={1360}
    height={850}
    loading="lazy"
    decoding="async"
    className={cn('h-auto w-full rounded-lg border', className)}
  />
);
