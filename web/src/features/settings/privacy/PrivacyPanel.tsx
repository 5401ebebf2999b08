import { useSearchParams } from 'react-router-dom';
import { useStartAtTop } from '../../../app/ordered-list/list-focus';
import { CustomerData } from './CustomerData';
import { ErasureList } from './ErasureList';
import { ErasurePage } from './ErasurePage';
import { erasureAddress } from './privacy-address';
import { Retention } from './Retention';

/** Erasing and exporting the data of a customer, and the retention of tickets; or the page of one erasure. */
export function PrivacyPanel() {
  const [params] = useSearchParams();
  const open = params.get('erasure') ?? undefined;
  const panel = useStartAtTop(open, erasureAddress);
  return (
    <div ref={panel} tabIndex={-1} className="flex scroll-mt-20 flex-col gap-5 outline-none">
      {open === undefined ? (
        <>
          <CustomerData />
          <ErasureList />
          <Retention />
        </>
      ) : (
        <ErasurePage key={open} id={open} />
      )}
    </div>
  );
}
