import { ChevronDown } from 'lucide-react';
import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { Button } from '../../ui/Button';

interface Section {
  id: string;
  title: string;
}

/** The sections of the open tab, read from the rendered page. */
function useSections(article: RefObject<HTMLElement | null>): Section[] {
  const { search, hash } = useLocation();
  const [sections, setSections] = useState<Section[]>([]);
  useLayoutEffect(() => {
    const element = article.current;
    if (!element) return;
    const update = () => {
      const found = [...element.querySelectorAll('section[id]')];
      const now = found.map((section) => ({ id: section.id, title: section.querySelector('h2')?.textContent ?? '' }));
      setSections((before) => (before.map(({ id }) => id).join() === now.map(({ id }) => id).join() ? before : now));
    };
    // The sections exist only after the page has been rendered: the list follows in the same frame.
    update();
    // A tab may still be loading.
    const observer = new MutationObserver(update);
    observer.observe(element, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [article, search, hash]);
  return sections;
}

/** The section at the top of the window. */
function useReadSection(sections: Section[]): string | undefined {
  const [read, setRead] = useState<string>();
  useEffect(() => {
    const update = () => {
      const isPast = ({ id }: Section) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) < 120;
      const isAtEnd = window.scrollY > 0 && window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      setRead((isAtEnd ? sections.at(-1) : (sections.findLast(isPast) ?? sections[0]))?.id);
    };
    update();
    addEventListener('scroll', update, { passive: true });
    return () => removeEventListener('scroll', update);
  }, [sections]);
  return read;
}

/** Links to the sections. Next to the article on wide screens, otherwise above it and closed. */
export function OnThisPage({ article }: { article: RefObject<HTMLElement | null> }) {
  const sections = useSections(article);
  const read = useReadSection(sections);
  const { search } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  if (sections.length < 2) return null;
  return (
    <nav
      aria-label="On this page"
      className="text-md max-xl:fixed max-xl:right-4 max-xl:bottom-4 max-xl:z-10 max-xl:max-w-[calc(100vw-2rem)] max-xl:rounded-lg max-xl:border max-xl:bg-raised max-xl:shadow-md xl:sticky xl:top-24 xl:max-h-[calc(100dvh-8rem)] xl:self-start xl:overflow-y-auto print:hidden"
    >
      <p className="mb-2 font-semibold max-xl:hidden" aria-hidden>
        On this page
      </p>
      <Button variant="ghost" className="w-full justify-between xl:hidden" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        On this page
        <ChevronDown className={cn('transition-transform', !isOpen && 'rotate-180')} aria-hidden />
      </Button>
      <ul
        className={cn(
          'flex flex-col border-line xl:border-l',
          isOpen ? 'max-xl:max-h-[60dvh] max-xl:w-72 max-xl:max-w-full max-xl:overflow-y-auto max-xl:pb-2' : 'max-xl:hidden',
        )}
      >
        {sections.map(({ id, title }) => (
          <li key={id}>
            <Link
              to={{ search, hash: id }}
              aria-current={id === read ? 'location' : undefined}
              onClick={() => setIsOpen(false)}
              className={cn(
                'block py-1 pl-3 xl:-ml-px xl:border-l touch:py-2',
                id === read ? 'border-accent font-medium text-accent-text' : 'border-transparent text-muted hover:text-ink',
              )}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
