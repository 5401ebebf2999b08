import { useState } from 'react';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Time } from '../../ui/Time';
import { useDiscardDeadLetterMutation, useListDeadLettersQuery, useReplayDeadLetterMutation, type DeadLetter } from './operator.api';
import { Cell, DataTable, Loaded } from './parts';

function LetterRow({ letter, onReplay, onDiscard }: { letter: DeadLetter; onReplay: () => void; onDiscard: () => void }) {
  const { service, consumer, event_type, error, attempts, created_at } = letter;
  return (
    <tr>
      <Cell>
        <span className="font-medium">{consumer}</span>
        <span className="block text-muted">
          {service}, {event_type ?? t('operator.not_an_event')}
        </span>
      </Cell>
      <Cell className="max-w-96 break-words">
        {error} <span className="text-muted">{t('operator.after_attempts', { attempts })}</span>
      </Cell>
      <Cell className="whitespace-nowrap">
        <Time iso={created_at} relative />
      </Cell>
      <Cell className="whitespace-nowrap">
        <span className="flex gap-2">
          {event_type !== null && (
            <Button size="sm" onClick={onReplay}>
              {t('operator.replay')}
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={onDiscard}>
            {t('operator.discard')}
          </Button>
        </span>
      </Cell>
    </tr>
  );
}

/** Events on which a consumer gave up. Their data is not shown: it belongs to organizations. */
export function DeadLettersTab() {
  const query = useListDeadLettersQuery();
  const [replay] = useReplayDeadLetterMutation();
  const [discard, discarding] = useDiscardDeadLetterMutation();
  const [discarded, setDiscarded] = useState<DeadLetter>();
  const act = async (work: Promise<{ error?: unknown }>, done: string) => {
    const { error } = await work;
    if (error === undefined) notify.success(done);
    else notify.problem(error, t('operator.dead_letter_was_not_changed'));
    setDiscarded(undefined);
    await query.refetch();
  };
  return (
    <Card>
      <Loaded query={query} failure={t('operator.couldnt_load_dead_letters')}>
        {(letters) =>
          letters.length === 0 ? (
            <p className="px-4 py-3 text-muted">{t('operator.no_dead_letters')}</p>
          ) : (
            <DataTable
              label={t('operator.dead_letters')}
              head={[t('operator.consumer_and_event'), t('operator.error'), t('operator.when'), t('operator.action')]}
            >
              {letters.map((letter) => (
                <LetterRow
                  key={letter.id}
                  letter={letter}
                  onReplay={() => void act(replay(letter), t('operator.sent_to_consumer_again'))}
                  onDiscard={() => setDiscarded(letter)}
                />
              ))}
            </DataTable>
          )
        }
      </Loaded>
      <ConfirmDialog
        open={discarded !== undefined}
        onOpenChange={() => setDiscarded(undefined)}
        title={t('operator.discard_this_dead_letter')}
        description={t('operator.effect_of_event_is_lost')}
        action={t('operator.discard')}
        busy={discarding.isLoading}
        onConfirm={() => discarded && void act(discard(discarded), t('operator.discarded'))}
      />
    </Card>
  );
}
