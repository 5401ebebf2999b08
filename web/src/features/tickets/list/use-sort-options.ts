import { customFieldName, isCustomFieldName, sortLabels, ticketSorts, type CustomFieldType } from '@tandem/contracts/values';
import { useState } from 'react';
import { useListCustomFieldsQuery } from '../../../app/custom-fields/custom-fields.api';
import { t } from '../../../lib/staff-texts';
import type { SelectOption } from '../../../ui/Select';

const builtIn: SelectOption[] = ticketSorts.map((value) => ({ value, label: sortLabels[value] }));
/** Values of the other types have no order. */
const sortable: readonly CustomFieldType[] = ['text', 'number', 'date'];

/** The sort orders, with those by custom fields. These are requested when the list of orders opens, so that the tickets load without them. */
export function useSortOptions(chosen: string | undefined) {
  const [isOpened, setIsOpened] = useState(false);
  const isNeeded = isOpened || (chosen !== undefined && isCustomFieldName(chosen));
  const { data = [] } = useListCustomFieldsQuery(undefined, { skip: !isNeeded });
  const byField = data
    .filter(({ type, deleted_at }) => sortable.includes(type) && deleted_at === null)
    .map(({ key, label }) => ({ value: customFieldName(key), label: t('tickets.list.sort_by_field', { label }) }));
  return { options: [...builtIn, ...byField], onOpenChange: (isOpen: boolean) => isOpen && setIsOpened(true) };
}
