import { useState } from 'react';
import { notify } from '../../lib/notify';
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
          {service}, {event_type ?? 'not an event'}
        </span>
      </Cell>
      <Cell className="max-w-96 break-words">
        {error} <span className="text-muted">(after {attempts} attempts)</span>
      </Cell>
      <Cell className="whitespace-nowrap">
        <Time iso={created_at} relative />
      </Cell>
      <Cell className="whitespace-nowrap">
        <span className="flex gap-2">
          {event_type !== null && (
            <Button size="sm" onClick={onReplay}>
              Replay
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={onDiscard}>
            Discard
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
    else notify.problem(error, 'The dead letter was not changed.');
    setDiscarded(undefined);
    await query.refetch();
  };
  return (
    <Card>
      <Loaded query={query} what="the dead letters">
        {(letters) =>
          letters.length === 0 ? (
            <p className="px-4 py-3 text-muted">No consumer has given up on an event.</p>
          ) : (
            <DataTable label="Dead letters" head={['Consumer and event', 'Error', 'When', 'Action']}>
              {letters.map((letter) => (
                <LetterRow
                  key={letter.id}
                  letter={letter}
                  onReplay={() => void act(replay(letter), 'Sent to the consumer again')}
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
        title="Discard this dead letter?"
        description="The effect of the event is lost. Replay it instead if the cause of the error is fixed."
        action="Discard"
        busy={discarding.isLoading}
        onConfirm={() => discarded && void act(discard(discarded), 'Discarded')}
      />
    </Card>
  );
}
