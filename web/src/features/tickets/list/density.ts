import type { ListDensity } from '@tandem/contracts/values';
import { useEffect } from 'react';
import { createExternalStore } from '../../../lib/external-store';
import { storage } from '../../../lib/storage';
import { useCountViewsQuery, useSaveListPreferencesMutation } from './views.api';

const isDensity = (value: unknown): value is ListDensity => value === 'comfortable' || value === 'compact';
/** The last known choice, so that the list does not change its rows when the server's answer arrives. */
const remembered = (): ListDensity => {
  const value = storage.get('list-density');
  return isDensity(value) ? value : 'comfortable';
};
const density = createExternalStore<ListDensity>(remembered);

function show(chosen: ListDensity): void {
  if (chosen === density.get()) return;
  storage.set('list-density', chosen);
  density.set(chosen);
}

/** The density of the user's lists. The server stores it, for all devices, and sends it with the counts of the views. */
export function useDensity(): { density: ListDensity; choose: (density: ListDensity) => void } {
  const { data } = useCountViewsQuery();
  const [save] = useSaveListPreferencesMutation();
  const stored = data?.density;
  useEffect(() => {
    if (stored) show(stored);
  }, [stored]);
  const choose = (chosen: ListDensity) => {
    show(chosen);
    void save({ density: chosen });
  };
  return { density: density.use(), choose };
}
