import type { ReactNode } from 'react';

const address = /(https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?])/g;

/** Text as it was written, with its web addresses made into links. Nothing else in it has a meaning: user text is text. */
export function LinkedText({ text }: { text: string }): ReactNode {
  return text.split(address).map((part, index) =>
    index % 2 === 1 ? (
      <a
        key={index}
        href={part}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-accent-text underline underline-offset-2"
      >
        {part}
      </a>
    ) : (
      part
    ),
  );
}
