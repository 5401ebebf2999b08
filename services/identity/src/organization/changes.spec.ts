import { changesOf, fromTo } from './changes';

interface Thing {
  name: string;
  subdomain: string | null;
}
const thing: Thing = { name: 'Acme', subdomain: 'acme' };

it('changesOf omits unchanged and undefined fields', () =>
  expect(changesOf<Thing, keyof Thing>(thing, { name: 'Acme', subdomain: undefined })).toEqual({}));
it('changesOf contains the fields that differ, null included, with both values', () => {
  const changes = changesOf<Thing, keyof Thing>(thing, { name: 'Acme', subdomain: null });
  expect(changes).toEqual({ subdomain: null });
  expect(fromTo<Thing>(thing, changes)).toEqual({ subdomain: { from: 'acme', to: null } });
});
