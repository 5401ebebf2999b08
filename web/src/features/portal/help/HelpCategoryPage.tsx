import { readHelpCategory } from '@tandem/contracts/endpoints';
import { numberOfAddress } from '@tandem/contracts/values';
import { useMemo } from 'react';
import { useParams } from 'react-router-dom';
import { call } from '../../../lib/call';
import { ErrorNote } from '../../../ui/ErrorNote';
import { useTexts } from '../language/texts';
import { PortalFrame, PortalHeading, PortalSkeleton } from '../PortalFrame';
import { refusalOf } from '../refusal';
import { ArticleList } from './ArticleList';
import { Breadcrumb } from './Breadcrumb';
import { isUnknown, useRead } from './help';
import { HelpNotFound } from './HelpNotFound';
import { HelpSearch } from './HelpSearch';
import { NeedHelp } from './NeedHelp';

/** /help/categories/{number}-{name}: the articles of a category. */
export function HelpCategoryPage() {
  const t = useTexts();
  const number = numberOfAddress(useParams().address ?? '');
  return number === undefined ? <HelpNotFound title={t('help.category_not_found')} /> : <Category key={number} number={number} />;
}

function Category({ number }: { number: number }) {
  const t = useTexts();
  const { language } = t;
  const category = useRead(useMemo(() => call(readHelpCategory, { params: { number }, query: { language } }), [number, language]));
  if (category.state === 'failed' && isUnknown(category.problem)) return <HelpNotFound title={t('help.category_not_found')} />;
  return (
    <PortalFrame title={category.state === 'loaded' ? category.value.name : t('help.page')}>
      <Breadcrumb />
      {category.state === 'loading' && <PortalSkeleton />}
      {category.state === 'failed' && (
        <ErrorNote title={t('frame.failed')} detail={refusalOf(category.problem, t)} onRetry={category.retry} />
      )}
      {category.state === 'loaded' && (
        <>
          <PortalHeading title={category.value.name}>{category.value.description}</PortalHeading>
          <HelpSearch>
            <ArticleList articles={category.value.articles} withSummary />
            <NeedHelp />
          </HelpSearch>
        </>
      )}
    </PortalFrame>
  );
}
