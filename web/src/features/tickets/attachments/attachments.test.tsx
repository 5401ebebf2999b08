import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Attachment } from '@tandem/contracts';
import { act } from 'react';
import { http, HttpResponse } from 'msw';
import { Provider } from 'react-redux';
import { createStore } from '../../../app/store';
import { anId, aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { Toasts } from '../../../ui/Toast';
import { AttachmentList, TicketAttachments } from './AttachmentList';
import { DropArea } from '../../../ui/DropArea';
import { FileButton } from '../../../ui/FileButton';
import { filesOf, nameOfFile, sizeText, type Upload } from '../../../lib/uploads';
import { UploadTray } from '../../../ui/UploadTray';
import type { Uploads } from '../../../lib/use-uploads';
import { useUploads } from './use-uploads';

let current: Uploads;
function Desk() {
  current = useUploads();
  return (
    <DropArea onFiles={current.add}>
      <textarea aria-label="Text" onPaste={(event) => current.add(filesOf(event))} />
      <FileButton onFiles={current.add} />
      <UploadTray uploads={current.uploads} onRemove={current.remove} onRetry={current.retry} />
      <output>{current.isBusy ? 'busy' : current.ids.join(' ')}</output>
    </DropArea>
  );
}
const show = (children = <Desk />) => ({
  person: userEvent.setup(),
  ...render(
    <Provider store={createStore()}>
      {children}
      <Toasts />
    </Provider>,
  ),
});
const aFile = (name = 'notes.txt', size = 5, type = 'text/plain') => new File(['x'.repeat(Math.min(size, 5))], name, { type });
const sized = (name: string, size: number) => Object.defineProperty(aFile(name), 'size', { value: size });
const choose = (...files: File[]) => fireEvent.change(screen.getByLabelText('Attach files', { selector: 'input' }), { target: { files } });
const tray = () => screen.findByRole('list', { name: 'Attached files' });

/** The announced names, and the bytes by id, that reached the server. */
const arrived = { names: [] as string[], bytes: new Map<string, string>() };
beforeEach(() => {
  backend.signIn();
  arrived.names = [];
  arrived.bytes.clear();
  server.use(
    http.post(api('/attachments'), async ({ request }) => {
      const { file_name } = (await request.json()) as { file_name: string };
      arrived.names.push(file_name);
      const attachment_id = anId();
      return answer(
        { attachment_id, upload_url: `/api/v1/files/${attachment_id}`, expires_at: '2030-01-01T00:00:00.000Z' },
        { status: 201 },
      );
    }),
    http.put(api('/files/:token'), async ({ params, request }) => {
      arrived.bytes.set(String(params.token), await request.text());
      return answer({});
    }),
  );
});
const urls = { made: [] as string[], revoked: [] as string[] };
afterEach(() => jest.restoreAllMocks());
beforeAll(() => {
  Object.assign(URL, {
    createObjectURL: (file: File) => {
      urls.made.push(`blob:${file.name}`);
      return `blob:${file.name}`;
    },
    revokeObjectURL: (url: string) => urls.revoked.push(url),
  });
});

it('uploads chosen files and returns their IDs', async () => {
  show();
  choose(aFile('notes.txt'), aFile('two.txt'), aFile('three.txt'));
  expect(await screen.findByText('busy')).toBeInTheDocument();
  const list = await tray();
  await waitFor(() => expect(within(list).getAllByText('5 B')).toHaveLength(3));
  expect(arrived.names).toEqual(['notes.txt', 'two.txt', 'three.txt']);
  expect(current.ids).toHaveLength(3);
  expect(current.ids.map((id) => arrived.bytes.get(id))).toEqual(['xxxxx', 'xxxxx', 'xxxxx']);
  expect(within(list).queryByRole('progressbar')).not.toBeInTheDocument();
});

it('accepts dropped files and highlights the drop area', async () => {
  show();
  const text = screen.getByLabelText('Text');
  const dataTransfer = { types: ['Files'], files: [aFile('dropped.txt')] };
  fireEvent.dragEnter(text, { dataTransfer });
  expect(screen.getByText('Drop files to attach them')).toBeInTheDocument();
  fireEvent.drop(text, { dataTransfer });
  expect(screen.queryByText('Drop files to attach them')).not.toBeInTheDocument();
  expect(await screen.findByText('dropped.txt')).toBeInTheDocument();
  // Dragging anything but files is ignored.
  fireEvent.dragEnter(text, { dataTransfer: { types: ['text/plain'], files: [] } });
  expect(screen.queryByText('Drop files to attach them')).not.toBeInTheDocument();
});

it('does not open a file that is dropped outside the drop area', () => {
  show();
  const drop = new Event('drop', { bubbles: true, cancelable: true });
  Object.assign(drop, { dataTransfer: { types: ['Files'], files: [] } });
  document.body.dispatchEvent(drop);
  expect(drop.defaultPrevented).toBe(true);
});

it('attaches pasted images, but not pasted text, even if an image accompanies it', async () => {
  show();
  const text = screen.getByLabelText('Text');
  fireEvent.paste(text, { clipboardData: { types: ['text/plain', 'Files'], files: [aFile('cells.png')] } });
  fireEvent.paste(text, { clipboardData: { types: ['Files'], files: [aFile('screenshot.png', 5, 'image/png')] } });
  expect(await screen.findByText('screenshot.png')).toBeInTheDocument();
  expect(screen.queryByText('cells.png')).not.toBeInTheDocument();
});

it('shows pasted pictures in the reply at the cursor, each under a different name', async () => {
  backend.tickets = [aTicket()];
  const { person } = renderApp(`/tickets/${backend.tickets[0]!.id}`);
  const box = await screen.findByRole('textbox', { name: 'Public reply' });
  const paste = () => fireEvent.paste(box, { clipboardData: { types: ['Files'], files: [aFile('image.png', 5, 'image/png')] } });
  paste();
  await waitFor(() => expect(box).toHaveValue('![image.png](image.png)\n'));
  await screen.findByRole('button', { name: 'Remove image.png' });
  paste();
  await waitFor(() => expect(box).toHaveValue('![image.png](image.png)\n![image-2.png](image-2.png)\n'));
  await waitFor(() => expect(arrived.names).toEqual(['image.png', 'image-2.png']));
  await person.click(await screen.findByRole('button', { name: 'Remove image.png' }));
  await waitFor(() => expect(box).toHaveValue('![image-2.png](image-2.png)\n'));
  await person.clear(box);
});

it('previews local images and releases their memory', async () => {
  const { container, person } = show();
  choose(aFile('cat.png', 5, 'image/png'), aFile('drawing.svg', 5, 'image/svg+xml'));
  await screen.findByText('cat.png');
  expect([...container.querySelectorAll('img')].map(({ src }) => src)).toEqual(['blob:cat.png']);
  await person.click(screen.getByRole('button', { name: 'Remove cat.png' }));
  expect(urls.revoked).toContain('blob:cat.png');
});

it.each([
  [sized('empty.txt', 0), 'The file is empty'],
  [sized('film.mp4', 20 * 1024 * 1024 + 1), 'Files can be up to 20 MB'],
  [aFile('setup.EXE'), 'Files ending in .exe cannot be attached'],
])('%# rejects a file before calling the server, with the reason', async (file, reason) => {
  show();
  choose(file);
  expect(await within(await tray()).findByText(reason)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /Try again/ })).not.toBeInTheDocument();
  expect([arrived.names, current.ids, current.isBusy]).toEqual([[], [], false]);
});

it('accepts ten files and rejects an eleventh', async () => {
  show();
  choose(...Array.from({ length: 12 }, (_, index) => aFile(`${index}.txt`)));
  expect(await screen.findByText('At most 10 files')).toBeInTheDocument();
  await waitFor(() => expect(current.ids).toHaveLength(10));
});

it('shows server rejections, and retries interrupted uploads as new files', async () => {
  // jsdom logs every failed connection to the console.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  server.use(http.put(api('/files/:token'), () => HttpResponse.error(), { once: true }));
  const { person } = show();
  choose(aFile());
  expect(await screen.findByText('The connection was lost. Check it and try again.')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Try again: notes.txt' }));
  await waitFor(() => expect(current.ids).toHaveLength(1));
  expect(arrived.names).toHaveLength(2);
  server.use(
    http.post(api('/attachments'), () => refuse('attachment.refused', { errors: [{ path: 'file_name', code: 'refused', message: 'No' }] })),
  );
  choose(aFile('other.txt'));
  expect(await screen.findByText('No')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Try again: other.txt' })).not.toBeInTheDocument();
});

it('aborts removed, cleared or abandoned uploads, and restores a list', async () => {
  let waiting = 0;
  const aborted: string[] = [];
  server.use(
    http.put(api('/files/:token'), async ({ request }) => {
      waiting += 1;
      await new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve()));
      aborted.push(request.url);
      return answer({});
    }),
  );
  const { person } = show();
  choose(aFile('one.txt'));
  await waitFor(() => expect(waiting).toBe(1));
  await person.click(screen.getByRole('button', { name: 'Remove one.txt' }));
  expect([current.uploads, current.isBusy]).toEqual([[], false]);
  server.resetHandlers();
  server.use(
    http.post(api('/attachments'), () =>
      answer({ attachment_id: anId(), upload_url: '/api/v1/files/x', expires_at: 'x' }, { status: 201 }),
    ),
    http.put(api('/files/:token'), () => answer({})),
  );
  choose(aFile('two.txt'));
  await waitFor(() => expect(current.ids).toHaveLength(1));
  const [kept, ids]: [Upload[], string[]] = [current.uploads, current.ids];
  act(() => current.clear());
  expect(current.ids).toEqual([]);
  act(() => current.restore(kept));
  expect(current.ids).toEqual(ids);
});

describe('files of a comment', () => {
  const aStored = (overrides: Partial<Attachment> = {}): Attachment => ({
    id: anId(), file_name: 'report.pdf', size: 1_500_000, content_type: 'application/pdf', created_at: '2026-11-20T10:05:00.000Z', ...overrides,
  }); // prettier-ignore
  const links: string[] = [];
  const opened = { href: '', closed: false };
  beforeEach(() => {
    links.length = 0;
    Object.assign(opened, { href: '', closed: false });
    window.open = () =>
      ({
        opener: window,
        close: () => (opened.closed = true),
        location: { replace: (url: string) => (opened.href = url) },
      }) as unknown as Window;
    server.use(
      http.post(api('/attachments/:id/link'), ({ params }) => {
        links.push(String(params.id));
        const url = `/api/v1/files/link-${links.length}`;
        return answer({ url, expires_at: new Date(Date.now() + 300_000).toISOString() });
      }),
    );
  });

  it('shows images by a signed URL requested once, and opens them in a new tab', async () => {
    const file = aStored({ file_name: 'cat.png', content_type: 'image/png', size: 800 });
    const { person, container } = show(<AttachmentList attachments={[file]} />);
    const button = await screen.findByRole('button', { name: 'Open cat.png, 800 B' });
    await waitFor(() => expect(container.querySelector('img')).toHaveAttribute('src', '/api/v1/files/link-1'));
    await person.click(button);
    await waitFor(() => expect(opened.href).toBe('/api/v1/files/link-1'));
    expect(links).toEqual([file.id]);
  });
  it('requests another URL if an image’s URL has expired, and shows the file if that fails', async () => {
    const { container } = show(<AttachmentList attachments={[aStored({ file_name: 'cat.png', content_type: 'image/png' })]} />);
    await screen.findByRole('button', { name: /cat.png/ });
    await waitFor(() => expect(container.querySelector('img')).toHaveAttribute('src', '/api/v1/files/link-1'));
    fireEvent.error(container.querySelector('img')!);
    await waitFor(() => expect(container.querySelector('img')).toHaveAttribute('src', '/api/v1/files/link-2'));
    fireEvent.error(container.querySelector('img')!);
    expect(container.querySelector('img')).toBeNull();
    expect(screen.getByRole('button', { name: 'Open cat.png, 1.4 MB' })).toBeInTheDocument();
  });
  it('downloads other files by mouse and keyboard, and requests their URL only then', async () => {
    const { person } = show(<AttachmentList attachments={[aStored()]} />);
    const saved: string[] = [];
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(`${this.getAttribute('href')} ${this.download}`);
    });
    await screen.findByRole('button', { name: 'Download report.pdf, 1.4 MB' });
    expect(links).toEqual([]);
    await person.tab();
    await person.keyboard('{Enter}');
    await waitFor(() => expect(saved).toEqual(['/api/v1/files/link-1 report.pdf']));
  });
  it('shows an error if a file cannot be opened', async () => {
    server.use(http.post(api('/attachments/:id/link'), () => refuse('attachment.not_found')));
    const { person } = show(<AttachmentList attachments={[aStored()]} />);
    await person.click(await screen.findByRole('button', { name: /report.pdf/ }));
    expect(await screen.findByText('Failed to open file. This file does not exist')).toBeInTheDocument();
  });
  it('shows the description’s files, and nothing without files', async () => {
    const file = aStored();
    server.use(http.get(api('/tickets/:id/attachments'), ({ params }) => answer(params.id === 'with' ? [file] : [])));
    const { unmount } = show(<TicketAttachments ticketId="with" />);
    expect(await screen.findByRole('button', { name: /report.pdf/ })).toBeInTheDocument();
    unmount();
    show(<TicketAttachments ticketId="without" />);
    await waitFor(() => expect(backend.calls).toContain('GET /tickets/without/attachments'));
    expect(screen.queryByRole('list', { name: 'Attachments' })).not.toBeInTheDocument();
  });
});

it.each([
  [0, '0 B'],
  [812, '812 B'],
  [1_434, '1.4 KB'],
  [150_000, '146 KB'],
  [20 * 1024 * 1024, '20 MB'],
])('formats %i bytes as %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));

it('shortens a long name but keeps its extension', () => {
  const name = nameOfFile(`${'a'.repeat(300)}.png`);
  expect([name.length, name.endsWith('a.png')]).toEqual([200, true]);
  expect(nameOfFile('short.png')).toBe('short.png');
});
