import type { Rule } from '@tandem/contracts';
import { SearchX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useListMembersQuery, useSession } from '../../../app/api';
import { useListCustomFieldsQuery } from '../../../app/custom-fields/custom-fields.api';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeletons } from '../../../ui/Skeleton';
import { useFocusAfterRemoval, useStartAtTop } from '../../../app/ordered-list/list-focus';
import { blankRule, type RuleFields } from './rule-form';
import type { RuleNames } from './rule-labels';
import { RuleList } from './RuleList';
import { NewRulePage, ReadOnlyRulePage, RulePage } from './RulePage';
import type { RuleActions } from './RuleRow';
import { useListRulesQuery } from './rules.api';
import { templates } from './templates';
import { useRuleActions } from './use-rule-actions';
import { useShownRules } from './use-rule-removal';
import { fieldsOf } from './use-rule-form';
import { listAddress, ruleAddress, useRulesAddress } from './use-rules-address';
import { useListWebhookEndpointsQuery } from '../webhooks/webhooks.api';

const unknownRule = (
  <EmptyState
    icon={SearchX}
    title={t('settings.rules.this_rule_doesnt_exist')}
    action={
      <Button asChild>
        <Link to={listAddress}>{t('settings.rules.all_rules')}</Link>
      </Button>
    }
  >
    {t('settings.rules.it_may_have_been_deleted')}
  </EmptyState>
);

/** The rule that a new one starts with: a template, a copy of another rule, or an empty one. */
function useInitialRule(rules: Rule[]): { formKey: string; initial: RuleFields } {
  const { profile } = useSession();
  const { template, copy } = useRulesAddress();
  const copied = rules.find(({ id }) => id === copy);
  if (copied)
    return {
      formKey: `copy ${copied.id}`,
      initial: { ...fieldsOf(copied), name: t('settings.rules.copy_of_name', { name: copied.name }) },
    };
  const first = template && templates[template].rules(profile)[0];
  return first ? { formKey: `template ${template}`, initial: first } : { formKey: 'new', initial: blankRule };
}

interface ContentProps {
  rules: Rule[];
  names: RuleNames;
  actions: RuleActions | undefined;
}
function Content({ rules, names, actions }: ContentProps) {
  const { rule: open } = useRulesAddress();
  const start = useInitialRule(rules);
  if (!open) return <RuleList rules={rules} names={names} actions={actions} />;
  if (open === 'new' && actions) return <NewRulePage key={start.formKey} {...start} names={names} />;
  const rule = rules.find(({ id }) => id === open);
  if (!rule) return unknownRule;
  if (!actions) return <ReadOnlyRulePage rule={rule} names={names} />;
  return <RulePage key={rule.id} rule={rule} names={names} actions={actions} />;
}

/** The rules of the organization: their list, and the page of one rule. Admins change them, managers read them. */
export function RulesPanel() {
  const isAdmin = useSession().profile.role === 'admin';
  const actions = useRuleActions();
  const members = useListMembersQuery();
  const fields = useListCustomFieldsQuery();
  const webhooks = useListWebhookEndpointsQuery(undefined, { skip: !isAdmin });
  const list = useListRulesQuery(undefined, { refetchOnMountOrArgChange: true });
  const rules = useShownRules(list.data);
  const { rule: open } = useRulesAddress();
  const panel = useStartAtTop(open, ruleAddress);
  const ids = rules?.map(({ id }) => id) ?? [];
  useFocusAfterRemoval(panel, ids);
  const failed = [list, members].find(({ data, error }) => !data && error);
  if (failed)
    return (
      <ErrorNote
        title={t('settings.rules.couldnt_load_rules')}
        detail={messageOf(failed.error, '')}
        onRetry={() => void failed.refetch()}
        busy={failed.isFetching}
      />
    );
  if (!rules || !members.data || fields.isLoading || webhooks.isLoading)
    return (
      <Card>
        <Skeletons blocks={['h-16', 'h-16', 'h-16']} />
      </Card>
    );
  return (
    <div ref={panel} tabIndex={-1} className="scroll-mt-20 outline-none">
      <Content
        rules={rules}
        names={{ members: members.data, fields: fields.data, webhooks: webhooks.data }}
        actions={isAdmin ? actions : undefined}
      />
    </div>
  );
}
