import { useDeferredValue, useState } from 'react';
import { t } from '../../lib/staff-texts';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { Input } from '../../ui/Input';
import { Time } from '../../ui/Time';
import { useSearchOrganizationsQuery } from './operator.api';
import { Cell, DataTable, Loaded } from './parts';

/** The newest 50 organizations, or those that match; the number of tickets is that of analytics. */
export function OrganizationsTab() {
  const [typed, setTyped] = useState('');
  const [searched, setSearched] = useState('');
  const query = useSearchOrganizationsQuery(useDeferredValue(searched));
  return (
    <Card>
      <form
        role="search"
        className="border-b p-3"
        onSubmit={(event) => {
          event.preventDefault();
          setSearched(typed.trim());
        }}
      >
        <Input
          type="search"
          aria-label={t('operator.search_organizations')}
          placeholder={t('operator.name_or_subdomain')}
          className="max-w-80"
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </form>
      <Loaded query={query} failure={t('operator.couldnt_load_organizations')}>
        {(organizations) =>
          organizations.length === 0 ? (
            <p className="px-4 py-3 text-muted">{t('operator.no_organization_matches')}</p>
          ) : (
            <DataTable
              label={t('operator.organizations')}
              head={[
                t('operator.organization'),
                t('operator.subdomain'),
                t('operator.members'),
                t('operator.tickets'),
                t('operator.created'),
              ]}
            >
              {organizations.map(({ id, name, subdomain, members, tickets, created_at, is_demo }) => (
                <tr key={id}>
                  <Cell className="font-medium">
                    {name} {is_demo && <Badge>{t('operator.demo')}</Badge>}
                  </Cell>
                  <Cell>{subdomain ?? '–'}</Cell>
                  <Cell>{members}</Cell>
                  <Cell>{tickets ?? '–'}</Cell>
                  <Cell className="whitespace-nowrap">
                    <Time iso={created_at} relative />
                  </Cell>
                </tr>
              ))}
            </DataTable>
          )
        }
      </Loaded>
    </Card>
  );
}
