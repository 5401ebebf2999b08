import { lazy, Suspense, type ComponentType } from 'react';
import { Skeleton } from '../../../ui/Skeleton';
import { useScrollToSection } from '../use-section-in-view';
import { ApiReference } from './ApiReference';

/** Scrolls to the section in the address once it is rendered. */
function tab<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Panel = lazy(async () => {
    const Loaded = await load();
    return {
      default: function LoadedTab(props: Props) {
        useScrollToSection();
        return <Loaded {...props} />;
      },
    };
  });
  return function Tab(props: Props) {
    return (
      <Suspense fallback={<Skeleton className="mt-10 h-dvh" />}>
        <Panel {...props} />
      </Suspense>
    );
  };
}

const RestApi = tab(() => import('./RestApi').then((module) => module.RestApi));
const Webhooks = tab(() => import('./Webhooks').then((module) => module.Webhooks));
const RateLimits = tab(() => import('./RateLimits').then((module) => module.RateLimits));

/** /docs/api-reference */
export const ApiReferencePage = () => <ApiReference RestApi={RestApi} Webhooks={Webhooks} RateLimits={RateLimits} />;
