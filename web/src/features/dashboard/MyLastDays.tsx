import { lazy, Suspense } from 'react';
import { t } from '../../lib/staff-texts';
import { Card, CardHeader } from '../../ui/Card';
import { MyFiguresSkeleton } from './MyFiguresSkeleton';

// Only agents see them, so the dashboard of managers and admins does not load this code.
const MyFigures = lazy(() => import('./MyFigures').then((module) => ({ default: module.MyFigures })));

/** An agent's own figures. Managers and admins see those of the team on the analytics page. */
export function MyLastDays() {
  return (
    <Card aria-labelledby="my-days">
      <CardHeader id="my-days" title={t('dashboard.my_last_30_days')} />
      <Suspense fallback={<MyFiguresSkeleton />}>
        <MyFigures />
      </Suspense>
    </Card>
  );
}
