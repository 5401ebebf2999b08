import { importSourceNames, importSources, isApiSource, type ImportSource } from '@tandem/contracts/values';
import { useNavigate } from 'react-router-dom';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { StarterCard } from '../StarterCard';
import { sourceDescriptions } from './import-labels';
import { useCreateImport } from './use-create-import';
import { sourceIcons } from './source-icons';
import { newImportAddress } from './use-import-address';

/** A card for each source. Sources with an API first need an address and a token. */
export function SourcePicker({ label }: { label: string }) {
  const navigate = useNavigate();
  const { open, isLoading } = useCreateImport();
  const choose = async (source: ImportSource) => {
    if (isApiSource(source)) return navigate(newImportAddress(source));
    const error = await open({ source });
    if (error) notify.problem(error, t('settings.transfer.couldnt_create_import'));
  };
  return (
    <ul aria-label={label} className="grid gap-2.5 p-4 sm:grid-cols-2">
      {importSources.map((source) => (
        <li key={source}>
          <StarterCard
            icon={sourceIcons[source]}
            title={importSourceNames[source]}
            description={sourceDescriptions[source]}
            isBusy={isLoading}
            onChoose={() => void choose(source)}
          />
        </li>
      ))}
    </ul>
  );
}
