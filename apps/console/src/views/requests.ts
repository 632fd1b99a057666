import { asked, control, type Json } from '../api.ts';
import { attempt, button, field, fill, h, heading, json } from '../dom.ts';
import type { View } from '../view.ts';

/** Maximum number of trees shown. */
const TREES = 100;

/** Requests and the calls that they caused, as they complete. */
export const requests: View = async (main, _path, signal) => {
  const tree = h('div', { className: 'card tree' });
  const detail = h('div', { ariaLive: 'polite' });
  const service = h('input', { type: 'search', placeholder: 'sqs' });
  const errors = h('input', { type: 'checkbox' });
  const record = h('button', { type: 'button' });
  let recording = false;
  const read = async (): Promise<void> => {
    const query = new URLSearchParams({ limit: String(TREES) });
    if (service.value) query.set('service', service.value);
    if (errors.checked) query.set('errors', 'true');
    const answer = await control('GET', `/_emulator/requests/tree?${query}`);
    recording = answer.recording;
    record.textContent = recording ? 'Stop recording' : 'Start recording';
    record.className = recording ? '' : 'primary';
    if (!answer.requests.length) {
      fill(
        tree,
        h(
          'p',
          { className: 'empty' },
          recording ? 'Nothing yet. Requests appear when they end.' : 'Nothing is being recorded.',
        ),
      );
      return;
    }
    fill(
      tree,
      h(
        'ul',
        { className: 'plain' },
        answer.requests
          .toReversed()
          .map((each: Json) => node(each, (request) => fill(detail, h('h2', {}, 'Request'), json(request)))),
      ),
    );
  };
  record.onclick = () =>
    attempt(async () => {
      await control('PUT', '/_emulator/requests', { recording: !recording });
      await read();
    });
  service.oninput = errors.onchange = () => attempt(read);
  const clear = button('Clear', async () => {
    await control('DELETE', '/_emulator/requests');
    await read();
  });
  fill(
    main,
    heading('Requests', record, clear),
    h('div', { className: 'row' }, field('Service', service), field('Errors only', errors)),
    tree,
    detail,
  );
  await read();
  // Many requests may complete at once, so the trees are read after a short delay.
  let isPlanned = false;
  const plan = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      if (!signal.aborted) void attempt(read);
    }, 300);
  };
  void follow(signal, plan);
};

/** Milliseconds before an ended stream is reopened. */
const RECONNECT = 3000;

/** Calls back after requests have completed, until the view is closed. An EventSource cannot send the token. */
async function follow(signal: AbortSignal, ended: () => void): Promise<void> {
  while (!signal.aborted) {
    try {
      const { body } = await asked('/_emulator/requests/events', { signal });
      const reader = body!.getReader();
      while (!(await reader.read()).done) ended();
    } catch {
      // emu has stopped, or the view was closed.
    }
    await new Promise((resolve) => setTimeout(resolve, RECONNECT));
  }
}

function node({ caused, ...request }: Json, show: (request: Json) => void): HTMLElement {
  const { service, operation, status, errorCode, duration, via, receivedAt } = request;
  const name = h(
    'button',
    { type: 'button', className: 'link', onclick: () => show(request) },
    `${service}.${operation}`,
  );
  return h(
    'li',
    {},
    h('span', { className: `badge ${errorCode ? 'error' : 'ok'}` }, errorCode ?? status ?? 'ok'),
    ' ',
    name,
    h(
      'span',
      { className: 'hint' },
      ` ${duration.toFixed(1)} ms${via ? ` · by ${via}` : ''} · ${receivedAt.slice(11, 23)}`,
    ),
    caused.length > 0 &&
      h(
        'ul',
        {},
        caused.map((each: Json) => node(each, show)),
      ),
  );
}
