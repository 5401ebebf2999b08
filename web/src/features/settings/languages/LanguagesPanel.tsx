import { useSession } from '../../../app/api';
import { t } from '../../../lib/staff-texts';
import { Card } from '../../../ui/Card';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeletons } from '../../../ui/Skeleton';
import { Categories } from './Categories';
import { useReadLanguagesQuery } from './languages.api';
import { OfferedLanguages } from './OfferedLanguages';
import { Wording } from './Wording';

/** The languages and categories that customers can choose, and the texts that the organization has replaced. */
export function LanguagesPanel() {
  const { profile } = useSession();
  const { data, isError, isFetching, refetch } = useReadLanguagesQuery(profile.organization_id ?? '', {
    skip: profile.organization_id === null,
  });
  if (data) {
    return (
      <div className="flex flex-col gap-5">
        <OfferedLanguages organization={data} />
        <Categories organization={data} />
        <Wording languages={data.languages} />
      </div>
    );
  }
  return (
    <Card aria-label={t('settings.languages.languages')}>
      {isError ? (
        <ErrorNote title={t('settings.languages.failed_to_load_languages')} onRetry={() => void refetch()} busy={isFetching} />
      ) : (
        <Skeletons blocks={['h-8 max-w-sm', 'h-40']} />
      )}
    </Card>
  );
}
