import changelog from '../../../../CHANGELOG.md?raw';
import { InfoPage, InfoSection } from './InfoPage';
import { readChangelog } from './changelog';

const releases = readChangelog(changelog);

/** Text with `code` in backquotes. */
const withCode = (text: string) =>
  text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={index} className="rounded bg-sunken px-1 font-mono text-[0.9em] break-words">
        {part}
      </code>
    ),
  );

/** /changelog: what is new in each version, from CHANGELOG.md. */
export const ChangelogPage = () => (
  <InfoPage title="Changelog" intro="What is new in Tandem, version by version.">
    {releases.map(({ version, date, groups }) => (
      <InfoSection key={version} title={`${version} · ${date}`}>
        {groups.map(({ title, items }) => (
          <div key={title} className="mt-6">
            {title && <h3 className="font-semibold">{title}</h3>}
            <ul>
              {items.map((item) => (
                <li key={item}>{withCode(item)}</li>
              ))}
            </ul>
          </div>
        ))}
      </InfoSection>
    ))}
  </InfoPage>
);
