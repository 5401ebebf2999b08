import { useTexts } from '../language/texts';
import { PortalFrame, PortalHeading } from '../PortalFrame';
import { HelpSearch } from './HelpSearch';
import { NeedHelp } from './NeedHelp';

/** Shown for an address without an article or category that the reader may see. */
export function HelpNotFound({ title }: { title: string }) {
  const t = useTexts();
  return (
    <PortalFrame title={title}>
      <PortalHeading title={title}>{t('help.not_found_text')}</PortalHeading>
      <HelpSearch>
        <NeedHelp />
      </HelpSearch>
    </PortalFrame>
  );
}
