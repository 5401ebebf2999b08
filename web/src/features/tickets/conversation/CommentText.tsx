import { Fragment, useState } from 'react';
import { useListMembersQuery } from '../../../app/api';
import { LinkedText } from '../../../lib/linked-text';
import { nameOf } from '../../../lib/names';

/** Longer texts are folded, so that a mail with its whole history does not bury the conversation. */
const foldAbove = { characters: 1_800, lines: 24 };
const foldTo = { characters: 1_200, lines: 16 };

function beginningOf(text: string): string | undefined {
  const lines = text.split('\n', foldAbove.lines + 1);
  if (text.length <= foldAbove.characters && lines.length <= foldAbove.lines) return undefined;
  const cut = lines.slice(0, foldTo.lines).join('\n').slice(0, foldTo.characters);
  // Cuts at white space if there is any, so that no word is split; never inside a surrogate pair.
  return (/^[\s\S]*\s/.exec(cut.slice(0, -1))?.[0] ?? cut).toWellFormed().trimEnd();
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function WithMentions({ text, names }: { text: string; names: string[] }) {
  if (names.length === 0) return <LinkedText text={text} />;
  // Longest name first, so that `@Ada Okafor` is not matched as `@Ada`.
  const longestFirst = [...names].sort((one, other) => other.length - one.length);
  const mention = new RegExp(`(@(?:${longestFirst.map(escaped).join('|')}))`);
  return text.split(mention).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="rounded-xs bg-accent-soft px-0.5 font-medium text-accent-text">
        {part}
      </span>
    ) : (
      <Fragment key={index}>
        <LinkedText text={part} />
      </Fragment>
    ),
  );
}

const noMentions: string[] = [];

/** A person's text, rendered as plain text in its own direction, with links and highlighted mentions. */
export function CommentText({ text, mentions = noMentions }: { text: string; mentions?: string[] }) {
  const [whole, setWhole] = useState(false);
  const { data: members = [] } = useListMembersQuery(undefined, { skip: mentions.length === 0 });
  const names = members.filter(({ user_id }) => mentions.includes(user_id)).map((member) => nameOf(member));
  const beginning = beginningOf(text);
  return (
    <>
      <div dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-wrap">
        <WithMentions text={beginning === undefined || whole ? text : `${beginning} …`} names={names} />
      </div>
      {beginning !== undefined && (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="mt-1.5 rounded-sm text-xs font-medium text-accent-text hover:underline touch:py-2"
        >
          {whole ? 'Show less' : 'Show more'}
        </button>
      )}
    </>
  );
}
