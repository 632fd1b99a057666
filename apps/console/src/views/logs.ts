import { type Json, pages, repeat } from '../api.ts';
import { button, field, fill, h, heading, link, table } from '../dom.ts';
import { reload, type View } from '../view.ts';

/** Maximum number of lines shown. */
const LINES = 500;
/** Milliseconds by which a line may be late. */
const LATE = 10_000;

/** Log groups, and the live lines of one group. */
export const logs: View = (main, [name], signal) => (name === undefined ? list(main) : show(main, name, signal));

async function list(main: HTMLElement): Promise<void> {
  const groups = await pages('logs', 'DescribeLogGroups', {}, ['nextToken', 'nextToken', 'logGroups']);
  const rows = groups.map((each: Json) => [
    link(each.logGroupName, 'logs', each.logGroupName),
    each.retentionInDays ? `${each.retentionInDays} days` : 'never expire',
    each.storedBytes ?? 0,
  ]);
  fill(
    main,
    heading('Log groups', button('Refresh', reload)),
    table(['Name', 'Retention', 'Bytes'], rows, 'No log groups yet.'),
  );
}

function show(main: HTMLElement, name: string, signal: AbortSignal): void {
  const pattern = h('input', { type: 'search', placeholder: 'ERROR' });
  const lines = h('div');
  let current = new AbortController();
  const start = () => {
    current.abort();
    current = new AbortController();
    void tail(lines, name, AbortSignal.any([signal, current.signal]), pattern.value);
  };
  pattern.onchange = start;
  fill(
    main,
    heading(name, button('Refresh', reload)),
    h('nav', { className: 'crumbs' }, link('Log groups', 'logs'), ' / ', name),
    h('div', { className: 'row' }, field('Filter pattern', pattern)),
    lines,
  );
  start();
}

/** Shows the newest lines of a log group, and new lines as they arrive. */
export async function tail(
  into: HTMLElement,
  logGroupName: string,
  signal: AbortSignal,
  filterPattern = '',
): Promise<void> {
  const lines = h('pre', { className: 'card log', tabIndex: 0, ariaLabel: 'Log lines' });
  const state = h('p', { className: 'hint' }, 'Waiting for lines …');
  fill(into, lines, state);
  /** Times of the shown lines by id, within the period that is read again. */
  const seen = new Map<string, number>();
  let newest = 0;
  await repeat(signal, 1500, async () => {
    try {
      const startTime = Math.max(0, newest - LATE);
      for (const [id, time] of seen) if (time < startTime) seen.delete(id);
      const input = { logGroupName, startTime, ...(filterPattern && { filterPattern }) };
      const events = await pages('logs', 'FilterLogEvents', input, ['nextToken', 'nextToken', 'events'], 10_000);
      if (signal.aborted) return;
      for (const { eventId, timestamp, message } of events as Json[]) {
        if (seen.has(eventId)) continue;
        seen.set(eventId, timestamp);
        newest = Math.max(newest, timestamp);
        lines.append(
          h('span', { className: 'time' }, new Date(timestamp).toISOString().slice(11, 23)),
          ` ${String(message).trimEnd()}\n`,
        );
      }
      while (lines.childNodes.length > LINES * 2) lines.firstChild?.remove();
      state.textContent = lines.childNodes.length ? 'Following' : 'No lines yet.';
      if (events.length) lines.scrollTop = lines.scrollHeight;
    } catch (error) {
      state.textContent = error instanceof Error ? error.message : String(error);
    }
  });
}
