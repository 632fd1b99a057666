import { asked, control, type Json } from '../api.ts';
import { button, field, fill, form, h, heading, save, select, table, tell } from '../dom.ts';
import { reload, type View } from '../view.ts';

const CLOCK = '/_emulator/clock';
const FAULTS = '/_emulator/faults';

/** The emulated clock. */
export const clock: View = async (main) => {
  const { now, frozen, offset } = await control('GET', CLOCK);
  const change = async (body: Json) => {
    await control('POST', CLOCK, body);
    reload();
  };
  const [by, at] = [
    h('input', { value: '15m', required: true }),
    h('input', { placeholder: '2030-01-01T00:00:00Z', required: true }),
  ];
  fill(
    main,
    heading('Clock', button('Refresh', reload)),
    h(
      'p',
      { className: 'big' },
      now.replace('T', ' '),
      ' ',
      h('span', { className: `badge ${frozen ? 'error' : 'ok'}` }, frozen ? 'frozen' : 'running'),
    ),
    h(
      'p',
      { className: 'hint' },
      offset ? `${(offset / 1000).toFixed(0)} s ahead of this machine` : 'The time of this machine',
    ),
    h(
      'div',
      { className: 'row' },
      frozen ? button('Resume', () => change({ resume: true })) : button('Freeze', () => change({ freeze: true })),
      button('Back to real time', () => change({ reset: true })),
    ),
    form(() => change({ advance: by.value }), 'Advance', field('By', by)),
    form(() => change({ set: at.value }), 'Set', field('To', at)),
  );
};

/** Errors, latency, throttling and dropped connections for requests of clients. */
export const faults: View = async (main) => {
  const { faults: all = [] } = await control('GET', FAULTS);
  const rows = all.map(({ id, service, operation, share, times, latency, error, throttle, drop }: Json) => [
    service ?? 'any',
    operation ?? 'any',
    [latency && `${latency} ms`, error?.code, throttle && 'throttle', drop && 'drop'].filter(Boolean).join(', '),
    share ?? 1,
    times ?? '',
    button(
      'End',
      async () => {
        await control('DELETE', `${FAULTS}/${encodeURIComponent(id)}`);
        reload();
      },
      'danger',
    ),
  ]);
  const [service, operation, times, share, latency] = [
    h('input', { placeholder: 'any' }),
    h('input', { placeholder: 'any' }),
    h('input', { type: 'number', min: '1', placeholder: 'always' }),
    h('input', { type: 'number', min: '0', max: '1', step: '0.01', value: '1' }),
    h('input', { type: 'number', min: '0', placeholder: 'none' }),
  ];
  const kind = select(['error', 'throttle', 'drop', 'latency only']);
  const error = h('input', { value: 'InternalFailure' });
  const add = async () => {
    const effect =
      { error: { error: { code: error.value, status: 500 } }, throttle: { throttle: {} }, drop: { drop: true } }[
        kind.value
      ] ?? {};
    await control('POST', FAULTS, {
      ...(service.value && { service: service.value }),
      ...(operation.value && { operation: operation.value }),
      ...(times.value && { times: Number(times.value) }),
      ...(latency.value && { latency: Number(latency.value) }),
      share: Number(share.value),
      ...effect,
    });
    reload();
  };
  const clear = button(
    'End all',
    async () => {
      await control('DELETE', FAULTS);
      reload();
    },
    'danger',
  );
  fill(
    main,
    heading('Faults', button('Refresh', reload), clear),
    table(['Service', 'Operation', 'Effect', 'Share', 'Times', ''], rows, 'No faults are injected.'),
    form(
      add,
      'Inject fault',
      field('Service', service),
      field('Operation', operation),
      field('Effect', kind),
      field('Error code', error),
      field('Latency in ms', latency),
      field('Share', share),
      field('Times', times),
    ),
  );
};

/** Reset of all or one service, and the state as a file. */
export const state: View = async (main) => {
  const { services } = await control('GET', '/_emulator/health');
  const which = select(['everything', ...services]);
  const reset = async () => {
    if (!confirm(`Remove the state of ${which.value}?`)) return;
    await control('POST', which.selectedIndex ? `/_emulator/reset/${which.value}` : '/_reset');
    tell('Reset');
  };
  const file = h('input', { type: 'file', required: true });
  const mode = select(['replace', 'merge']);
  const load = async () => {
    const init = { method: 'POST', body: file.files?.[0] ?? null };
    const { loaded } = await (await asked(`/_emulator/state?mode=${mode.value}`, init)).json();
    tell(`${loaded} records loaded`);
  };
  const download = button('Download the state', async () =>
    save(await (await asked('/_emulator/state')).blob(), 'emu-state.tar.gz'),
  );
  fill(
    main,
    heading('Reset and state'),
    form(reset, 'Reset', field('Of', which)),
    h('h2', {}, 'State as a file'),
    h('p', {}, download, h('span', { className: 'hint' }, ' Secrets are in it as they are.')),
    form(load, 'Load', field('File', file), field('What is there', mode)),
  );
};
