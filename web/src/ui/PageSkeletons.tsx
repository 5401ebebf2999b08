import { useLocation } from 'react-router-dom';
import { Skeletons } from './Skeleton';

/** Forms below each other, as in the settings. */
export const CardsSkeleton = () => <Skeletons className="flex flex-col gap-5" blocks={['h-56', 'h-40']} />;

const rows = ['w-24', 'w-3/4', 'w-2/3', 'w-4/5', 'w-1/2', 'w-3/4', 'w-3/5', 'w-2/3'].map((width) => `h-4 ${width}`);

/** The filters and the rows of the ticket list, 64 px each like the list's own. */
export const RowsSkeleton = () => <Skeletons className="flex flex-1 flex-col gap-12 overflow-clip px-4 pt-4" blocks={rows} />;

/** The shape of a staff page whose code is loading: a ticket, the ticket list, figures, or cards. */
export function PageSkeleton() {
  const [, area, item] = useLocation().pathname.split('/');
  if (area === 'tickets' && item && item !== 'new')
    return (
      <div role="status" className="flex flex-1">
        <Skeletons className="flex flex-1 flex-col gap-3 p-6 max-md:p-4" blocks={['h-6 w-2/3', 'h-5 w-40', 'mt-4 h-28 rounded-lg']} />
        <div className="w-74 border-l max-lg:hidden" />
      </div>
    );
  if (area === 'tickets' && !item)
    return (
      <div role="status" className="flex min-h-0 flex-1">
        <div className="w-58 border-r bg-canvas max-xl:hidden" />
        <RowsSkeleton />
      </div>
    );
  return (
    <div role="status" className="flex-1 bg-canvas p-6 max-md:p-4">
      {area === 'dashboard' || area === 'analytics' ? (
        <Skeletons className="grid grid-cols-3 gap-3" blocks={['h-24', 'h-24', 'h-24', 'col-span-3 h-80']} />
      ) : (
        <CardsSkeleton />
      )}
    </div>
  );
}

/** The pages with the rail and the top bar (app/Shell.tsx). */
const framed = /^\/(dashboard|tickets|sample-ticket|articles|analytics|integration|account|canned-replies|settings|organization-settings)/;

/** The shape of the page at the address while its code or the session loads: a page in its frame, or a narrow column. */
export function FirstSkeleton() {
  const { pathname } = useLocation();
  if (framed.test(pathname))
    return (
      <div className="flex h-dvh overflow-clip">
        <div className="w-52 border-r bg-canvas max-xl:w-14 max-md:hidden" />
        <div className="flex flex-1 flex-col bg-surface">
          <div className="h-12 border-b" />
          <PageSkeleton />
        </div>
      </div>
    );
  return (
    <div role="status" className="min-h-dvh bg-canvas px-4 pt-24">
      <Skeletons className="mx-auto flex max-w-md flex-col gap-6" blocks={['h-8', 'h-72']} />
    </div>
  );
}
