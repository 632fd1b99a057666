import { call, fromBase64, type Json, pages, toBase64 } from '../api.ts';
import { button, code, field, fill, form, h, heading, link, table } from '../dom.ts';
import { reload, type View } from '../view.ts';
import { tail } from './logs.ts';

/** Functions, their invocations and their logs. */
export const functions: View = (main, [name], signal) => (name === undefined ? list(main) : show(main, name, signal));

async function list(main: HTMLElement): Promise<void> {
  const all = await pages('lambda', 'ListFunctions', {}, ['Marker', 'NextMarker', 'Functions']);
  const rows = all.map((each: Json) => [
    link(each.FunctionName, 'functions', each.FunctionName),
    each.Runtime ?? each.PackageType,
    each.Handler ?? '',
    `${each.MemorySize} MB`,
    `${each.Timeout} s`,
  ]);
  fill(
    main,
    heading('Lambda functions', button('Refresh', reload)),
    table(['Name', 'Runtime', 'Handler', 'Memory', 'Timeout'], rows, 'No functions yet.'),
  );
}

async function show(main: HTMLElement, name: string, signal: AbortSignal): Promise<void> {
  const { Configuration } = await call('lambda', 'GetFunction', { FunctionName: name });
  const payload = h('textarea', { rows: 6, value: '{}' });
  const result = h('div', { ariaLive: 'polite' });
  const invoke = async () => {
    JSON.parse(payload.value);
    const started = performance.now();
    const answer = await call('lambda', 'Invoke', {
      FunctionName: name,
      Payload: toBase64(payload.value),
      LogType: 'Tail',
    });
    const took = `${(performance.now() - started).toFixed(0)} ms`;
    const status = answer.FunctionError
      ? h('span', { className: 'badge error' }, answer.FunctionError)
      : h('span', { className: 'badge ok' }, String(answer.StatusCode ?? 200));
    fill(
      result,
      h('h2', {}, 'Answer ', status, ' ', h('span', { className: 'hint' }, took)),
      code(fromBase64(answer.Payload ?? '')),
      answer.LogResult && code(fromBase64(answer.LogResult)),
    );
  };
  const log = h('div');
  fill(
    main,
    heading(name, button('Refresh', reload)),
    h('nav', { className: 'crumbs' }, link('Functions', 'functions'), ' / ', name),
    h(
      'p',
      { className: 'hint' },
      `${Configuration.Runtime ?? 'image'} · ${Configuration.Handler ?? ''} · ${Configuration.State ?? ''}`,
    ),
    form(invoke, 'Invoke', field('Event', payload)),
    result,
    h('h2', {}, 'Live log'),
    log,
  );
  void tail(log, Configuration.LoggingConfig?.LogGroup ?? `/aws/lambda/${name}`, signal);
}
