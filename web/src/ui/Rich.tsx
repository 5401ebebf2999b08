import { splitTags } from '@tandem/languages/tags';
import { Fragment, type ReactNode } from 'react';

/** A text with tags: `tags` renders what is inside of each. */
export const Rich = ({ text, tags }: { text: string; tags: Record<string, (inside: string) => ReactNode> }) =>
  splitTags(text).map(({ tag, text: inside }, index) => (
    <Fragment key={index}>{tag === undefined ? inside : (tags[tag]?.(inside) ?? inside)}</Fragment>
  ));
