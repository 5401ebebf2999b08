import { use } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { useMedia } from '../../lib/media';
import { TabSet, type TabSetItem } from '../../ui/Tabs';
import { AsDocument } from './as-document';

export interface DocsTab extends TabSetItem<string> {
  /** Sections that open this tab if the address does not name one. */
  anchors?: readonly string[];
}

/**
 * The tabs of a page. The open tab is in the address (`?tab=`), so that links and the list of sections can point to it. In print, all tabs
 * are shown.
 */
export function DocsTabs({ label, tabs }: { label: string; tabs: [DocsTab, ...DocsTab[]] }) {
  const [params, setParams] = useSearchParams();
  const hash = decodeURIComponent(useLocation().hash.slice(1));
  const isPrinting = useMedia('print');
  if (use(AsDocument) || isPrinting) {
    return tabs.map((tab) => (
      <div key={tab.value} data-tab={tab.value} className="mt-10 border-t pt-6">
        <p data-heading className="text-xl font-semibold">
          {tab.label}
        </p>
        {tab.panel}
      </div>
    ));
  }
  const wanted = params.get('tab');
  const open = tabs.find(({ value }) => value === wanted) ?? tabs.find(({ anchors }) => anchors?.includes(hash)) ?? tabs[0];
  const onChange = (tab: string) => setParams({ tab });
  return <TabSet label={label} tabs={tabs} value={open.value} onChange={onChange} className="mt-6" listClassName="text-md" />;
}
