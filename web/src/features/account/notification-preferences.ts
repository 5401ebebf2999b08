import type { NotificationPreferences } from '@tandem/contracts';
import { readNotificationPreferences, saveNotificationPreferences } from '@tandem/contracts/endpoints';
import type { NotificationTopic } from '@tandem/contracts/values';
import { useRef } from 'react';
import { useDispatch } from 'react-redux';
import { api } from '../../app/api';
import { endpoint } from '../../app/endpoint';
import type { AppDispatch } from '../../app/store';
import { call, type BodyOf } from '../../lib/call';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';

export type Way = keyof NotificationPreferences[NotificationTopic];

const preferencesApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readPreferences: build.query({
      ...endpoint(() => call(readNotificationPreferences)),
      keepUnusedDataFor: 0,
    }),
    savePreferences: build.mutation(
      endpoint((body: BodyOf<typeof saveNotificationPreferences>) => call(saveNotificationPreferences, { body })),
    ),
  }),
});
export const { useReadPreferencesQuery } = preferencesApi;

/**
 * Switches one channel of one topic: shown immediately, then saved. Saves run one at a time with the latest choices, because two concurrent
 * requests could arrive in the wrong order. If the server refuses, the last saved state is shown again.
 */
export function useChoose(): (topic: NotificationTopic, way: Way, on: boolean) => void {
  const dispatch = useDispatch<AppDispatch>();
  const saving = useRef<{ chosen: NotificationPreferences; saved: NotificationPreferences } | undefined>(undefined);

  const show = (preferences: NotificationPreferences) =>
    void dispatch(preferencesApi.util.updateQueryData('readPreferences', undefined, () => preferences));
  const save = async (state: NonNullable<typeof saving.current>) => {
    while (state.chosen !== state.saved) {
      const sent = state.chosen;
      const { error } = await dispatch(preferencesApi.endpoints.savePreferences.initiate(sent));
      if (error) {
        show(state.saved);
        notify.problem(error, t('account.couldnt_save_your_choice'));
        break;
      }
      state.saved = sent;
    }
    saving.current = undefined;
  };

  return (topic, way, on) => {
    const shown = dispatch((_, getState) => preferencesApi.endpoints.readPreferences.select()(getState()).data);
    if (!shown) return;
    const chosen = { ...shown, [topic]: { ...shown[topic], [way]: on } };
    show(chosen);
    if (saving.current) {
      saving.current.chosen = chosen;
    } else {
      saving.current = { chosen, saved: shown };
      void save(saving.current);
    }
  };
}
