import { TabSet } from '../../../ui/Tabs';
import { DocsCode } from '../DocsSection';
import { languages, sampleOf, type Call, type Language } from './calls';

interface CallSampleProps {
  call: Call;
  base: string;
  language: Language;
  onLanguageChange: (language: Language) => void;
}

/** One call in each language. All samples of a page show the same language. */
export function CallSample({ call, base, language, onLanguageChange }: CallSampleProps) {
  const tabs = languages.map(({ value, label }) => ({
    value,
    label,
    panel: <DocsCode label={`${call.title} in ${label}`} language={value} code={sampleOf(call, value, base)} />,
  }));
  return (
    <TabSet
      label={`Language: ${call.title}`}
      tabs={tabs}
      value={language}
      onChange={onLanguageChange}
      listClassName="mb-2 text-md print:hidden"
    />
  );
}
