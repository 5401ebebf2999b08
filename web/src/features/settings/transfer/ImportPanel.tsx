import { isApiSource } from '@tandem/contracts/values';
import { useStartAtTop } from '../../../app/ordered-list/list-focus';
import { ApiSourceForm } from './ApiSourceForm';
import { ImportList } from './ImportList';
import { ImportPage } from './ImportPage';
import { importAddress, useImportAddress } from './use-import-address';

/** Imports of data from other products: their list, the form of a source with an API, and the page of one import. */
export function ImportPanel() {
  const { open, source } = useImportAddress();
  const panel = useStartAtTop(open, importAddress);
  return (
    <div ref={panel} tabIndex={-1} className="scroll-mt-20 outline-none">
      {open === undefined || (open === 'new' && (!source || !isApiSource(source))) ? (
        <ImportList />
      ) : open === 'new' && source ? (
        <ApiSourceForm key={source} source={source} />
      ) : (
        <ImportPage key={open} id={open} />
      )}
    </div>
  );
}
