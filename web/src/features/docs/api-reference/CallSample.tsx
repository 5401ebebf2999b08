import { Tab, TabPanel, Tabs, TabsList } from '../../../ui/Tabs';
import { DocsCode } from '../DocsSection';
import { languages, sampleOf, type Call, type Language } from './calls';

interface CallSampleProps {
  call: Call;
  base: string;
  language: Language;
  onLanguageChange: (language: Language) => void;
}

/** One call in each language. All samples of a page show the same language. */
export const CallSample = ({ call, base, language, onLanguageChange }: CallSampleProps) => (
  <Tabs value={language} onValueChange={(value) => onLanguageChange(value as Language)}>
    <TabsList aria-label={`Language: ${call.title}`} className="mb-2 max-w-full overflow-x-auto text-md print:hidden">
      {languages.map(({ value, label }) => (
        <Tab key={value} value={value}>
          {label}
        </Tab>
      ))}
    </TabsList>
    {languages.map(({ value, label }) => (
      <TabPanel key={value} value={value}>
        <DocsCode label={`${call.title} in ${label}`} language={value} code={sampleOf(call, value, base)} />
      </TabPanel>
    ))}
  </Tabs>
);
