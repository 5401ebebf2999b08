import { useState, type ComponentProps } from 'react';
import { TagInput } from '../ui/TagInput';
import { useReadRecentTagsQuery } from './recent-tags.api';

/** The tag field of a ticket. Suggests the tags of the newest tickets, which are requested when the field receives the focus. */
export function TicketTagInput({ suggestions = [], ...props }: ComponentProps<typeof TagInput>) {
  const [isEntered, setIsEntered] = useState(false);
  const { data = [] } = useReadRecentTagsQuery(undefined, { skip: !isEntered });
  return (
    <div className="min-w-0" onFocus={() => setIsEntered(true)}>
      <TagInput {...props} suggestions={[...new Set([...suggestions, ...data])].sort((one, other) => one.localeCompare(other))} />
    </div>
  );
}
