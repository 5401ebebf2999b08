import { createStore, rootReducer } from '../../../app/store';
import { dropUnsentWork } from '../../../lib/session-cleanup';
import {
  draftEdited,
  editableDraft,
  selectUnsent,
  started,
  textReleased,
  textSent,
  unsentOf,
  wholeDraft,
  type Outgoing,
} from './unsent.slice';

const ticket_id = 't';
const user_id = 'u';
const draft = (text: string) => ({ text, is_internal: false });
const item = (key: string, text: string): Outgoing => ({
  ticket_id,
  ticket_number: 'NC-0001',
  text,
  is_internal: false,
  mentions: [],
  uploads: [],
  changes: {},
  last_seen_comment_id: null,
  author: { user_id, author: null },
  key,
  written_at: '',
  due_at: 0,
  state: 'waiting',
});

let store: ReturnType<typeof createStore>;
const unsent = () => selectUnsent(store.getState());
beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000 });
  store = createStore();
  store.dispatch(started({ user_id, left: [], drafts: {} }));
});
afterEach(() => jest.useRealTimers());

it('saves a draft three seconds after the last edit, but at most fifteen seconds after the first', () => {
  const dueIn = () => unsent().pendingSaves[ticket_id]!.due_at - Date.now();
  store.dispatch(draftEdited({ ticket_id, draft: draft('a') }));
  expect(dueIn()).toBe(3_000);
  jest.advanceTimersByTime(10_000);
  store.dispatch(draftEdited({ ticket_id, draft: draft('ab') }));
  expect(dueIn()).toBe(3_000);
  jest.advanceTimersByTime(4_000);
  store.dispatch(draftEdited({ ticket_id, draft: draft('abc') }));
  expect(dueIn()).toBe(1_000);
});

it('keeps a sent text in the stored draft until it is accepted', () => {
  store.dispatch(draftEdited({ ticket_id, draft: draft('Sent') }));
  store.dispatch(textSent(item('k', 'Sent')));
  store.dispatch(draftEdited({ ticket_id, draft: draft('Next') }));
  expect(wholeDraft(unsent(), ticket_id).text).toBe('Sent\n\nNext');
  expect(editableDraft(unsent(), ticket_id).text).toBe('Next');
  store.dispatch(textReleased({ ticket_id, key: 'k' }));
  expect(wholeDraft(unsent(), ticket_id).text).toBe('Next');
  expect(unsent().outgoing).toEqual([]);
});

it('puts a withdrawn text before text that was typed since', () => {
  store.dispatch(textSent(item('k', 'First')));
  store.dispatch(draftEdited({ ticket_id, draft: draft('Second') }));
  store.dispatch(textReleased({ ticket_id, key: 'k', restored: draft('First') }));
  expect(editableDraft(unsent(), ticket_id).text).toBe('First\n\nSecond');
});

it('releases a text once', () => {
  store.dispatch(textSent(item('k', 'First')));
  store.dispatch(textReleased({ ticket_id, key: 'k', restored: draft('First') }));
  const once = unsent().edited;
  store.dispatch(textReleased({ ticket_id, key: 'k', restored: draft('First') }));
  expect(unsent().edited).toEqual(once);
});

it('separates the texts that a reload left unsent from the rest of the stored draft', () => {
  const left = [item('a', 'One'), item('b', 'Two')];
  // Without a store, which would send them immediately if another test file of this worker has loaded that code.
  const loaded = selectUnsent(rootReducer(undefined, started({ user_id, left, drafts: { [ticket_id]: draft('One\n\nTwo\n\nThree') } })));
  expect(editableDraft(loaded, ticket_id).text).toBe('Three');
  expect(wholeDraft(loaded, ticket_id).text).toBe('One\n\nTwo\n\nThree');
  expect(loaded.outgoing.map(({ key, state }) => [key, state])).toEqual([
    ['a', 'waiting'],
    ['b', 'waiting'],
  ]);
});

it('removes the texts of a user whose session has ended', () => {
  store.dispatch(textSent(item('k', 'Mine')));
  dropUnsentWork();
  expect(unsent()).toMatchObject({ owner: '', outgoing: [], inTransit: {}, edited: {} });
  expect(unsentOf(unsent(), 'other').outgoing).toEqual([]);
});
