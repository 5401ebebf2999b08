import { useEffect, useState } from 'preact/hooks';
import type { CustomFieldValues } from '@tandem/contracts/values';
import { checkedFields, checkedPrefill, type HostPage, type TextPrefill } from './host';
import { readIdentity, type Identity } from './identity';

/** State set by the embedding site: whether the panel is open, who the visitor is, and the values to prefill. */
export function useHost(host: HostPage, standsAlone: boolean, customFields: CustomFieldValues) {
  const [isOpen, setOpen] = useState(standsAlone);
  const [identity, setIdentity] = useState<Identity>();
  const [prefill, setPrefill] = useState<TextPrefill>({});
  const [siteFields, setSiteFields] = useState(customFields);
  useEffect(() => {
    const leave = host.listen((message) => {
      if (message.type === 'opened') setOpen(true);
      else if (message.type === 'closed') setOpen(false);
      else if (message.type === 'identify') setIdentity(readIdentity(message.token));
      else if (message.type === 'prefill') {
        setPrefill(checkedPrefill(message.values));
        const more = checkedFields(message.values?.custom_fields);
        setSiteFields((before) => ({ ...before, ...more }));
      }
    });
    // Announce readiness only after the listener is registered, otherwise the site's messages would be lost.
    host.send({ type: 'ready' });
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') host.send({ type: 'close' });
    };
    document.addEventListener('keydown', onKey);
    return () => {
      leave();
      document.removeEventListener('keydown', onKey);
    };
  }, [host]);
  return { isOpen, identity, prefill, siteFields };
}
