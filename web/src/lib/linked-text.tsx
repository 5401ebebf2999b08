import type { ReactNode } from 'react';

const address = /(https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?])/g;

/** Plain text with its web addresses as links. No other markup is interpreted. */
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
