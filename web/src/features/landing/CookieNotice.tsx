import { X } from 'lucide-react';
import { useState } from 'react';
import { storage } from '../../lib/storage';
import { Button } from '../../ui/Button';

const key = 'cookieConsent';

/** Shown until the visitor answers; closing it counts as Decline. */
export function CookieNotice() {
  const [isAnswered, setAnswered] = useState(() => storage.get(key) !== null);
  if (isAnswered) return null;
  const answer = (consent: 'accepted' | 'declined') => {
    storage.set(key, consent);
    setAnswered(true);
  };
  return (
    <section
      aria-label="Cookies"
      className="fixed inset-x-4 bottom-4 z-20 rounded-xl border border-line-strong bg-raised p-4 shadow-overlay sm:right-auto sm:left-6 sm:w-[25rem]"
    >
      <p className="pr-8 text-md text-pretty">We use cookies to keep you signed in and remember your preferences.</p>
      <div className="mt-3 flex gap-2">
        <Button variant="primary" onClick={() => answer('accepted')}>
          Accept
        </Button>
        <Button onClick={() => answer('declined')}>Decline</Button>
      </div>
      <Button variant="ghost" size="icon-sm" aria-label="Close" className="absolute top-2.5 right-2.5" onClick={() => answer('declined')}>
        <X aria-hidden />
      </Button>
    </section>
  );
}
