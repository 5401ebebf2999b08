import type { CustomField } from '@tandem/contracts';
import { http } from 'msw';
import { aCustomField, backend } from '../../../testing/backend';
import { answer, api, refuse } from '../../../testing/responses';

const json = async <T>(request: Request) => (await request.json()) as T;

/** The fake server's changes of custom fields. Tests fill `backend.customFields` and pass `handlers()` to `server.use`. */
export class FakeFieldSettings {
  /** The requests that changed something. */
  sent: { call: string; body: unknown }[] = [];

  private note = (call: string, body: unknown) => void this.sent.push({ call, body });
  private find = (id: unknown) => backend.customFields.find((field) => field.id === id);
  private inUse = () => backend.customFields.filter(({ deleted_at }) => deleted_at === null);
  private save(inUse: CustomField[], deleted: CustomField[]) {
    backend.customFields = [...inUse.map((field, index) => ({ ...field, position: index + 1 })), ...deleted];
  }
  private deleted = () => backend.customFields.filter(({ deleted_at }) => deleted_at !== null);

  handlers = () => [
    http.post(api('/custom-fields'), async ({ request }) => {
      const body = await json<CustomField>(request);
      this.note('create', body);
      if (backend.customFields.some(({ key }) => key === body.key)) return refuse('custom_field.key_taken');
      const created = aCustomField({ ...body, position: this.inUse().length + 1 });
      this.save([...this.inUse(), created], this.deleted());
      return answer(created, { status: 201 });
    }),
    http.put(api('/custom-fields/order'), async ({ request }) => {
      const { ids } = await json<{ ids: string[] }>(request);
      this.note('order', ids);
      if (ids.length !== this.inUse().length) return refuse('custom_field.order_incomplete');
      this.save(
        ids.map((id) => this.find(id)!),
        this.deleted(),
      );
      return answer(this.inUse());
    }),
    http.patch(api('/custom-fields/:id'), async ({ params, request }) => {
      const body = await json<Partial<CustomField>>(request);
      this.note('update', body);
      const field = this.find(params.id);
      if (!field) return refuse('custom_field.not_found');
      const changed = { ...field, ...body };
      backend.customFields = backend.customFields.map((each) => (each === field ? changed : each));
      return answer(changed);
    }),
    http.delete(api('/custom-fields/:id'), ({ params }) => {
      this.note('delete', params.id);
      const field = this.find(params.id)!;
      const gone = { ...field, position: 0, deleted_at: new Date().toISOString() };
      this.save(
        this.inUse().filter((each) => each !== field),
        [...this.deleted(), gone],
      );
      return answer({});
    }),
    http.post(api('/custom-fields/:id/restore'), ({ params }) => {
      this.note('restore', params.id);
      const field = this.find(params.id)!;
      this.save(
        [...this.inUse(), { ...field, deleted_at: null }],
        this.deleted().filter((each) => each !== field),
      );
      return answer(this.find(params.id));
    }),
  ];
}
