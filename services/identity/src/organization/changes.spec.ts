import { changesOf, fromTo } from './changes';

interface Thing {
  name: string;
  subdomain: string | null;
}
const thing: Thing = { name: 'Acme', subdomain: 'acme' };

it('is nothing where what is wanted holds already, or was not said', () =>
  expect(changesOf<Thing, keyof Thing>(thing, { name: 'Acme', subdomain: undefined })).toEqual({}));
it('is what differs, null too, before and after', () => {
  const changes = changesOf<Thing, keyof Thing>(thing, { name: 'Acme', subdomain: null });
  expect(changes).toEqual({ subdomain: null });
  expect(fromTo<Thing>(thing, changes)).toEqual({ subdomain: { from: 'acme', to: null } });
});
