import { control, place } from './api.ts';
import { attempt, field, fill, h, hrefOf, tell } from './dom.ts';
import { reload, type View } from './view.ts';
import { clock, faults, state } from './views/emulator.ts';
import { functions } from './views/functions.ts';
import { logs } from './views/logs.ts';
import { buses, keys, topics } from './views/messaging.ts';
import { queues } from './views/queues.ts';
import { requests } from './views/requests.ts';
import { resources } from './views/resources.ts';
import { s3 } from './views/s3.ts';
import { tables } from './views/tables.ts';
import { users } from './views/users.ts';

/** Views by their names in URLs; the start page has an empty name. */
const VIEWS: readonly (readonly [name: string, label: string, service: string, view: View])[] = [
  ['resources', 'Resources', '', resources],
  ['s3', 'S3', 's3', s3],
  ['queues', 'Queues', 'sqs', queues],
  ['tables', 'Tables', 'dynamodb', tables],
  ['functions', 'Functions', 'lambda', functions],
  ['logs', 'Logs', 'logs', logs],
  ['topics', 'Topics', 'sns', topics],
  ['buses', 'Event buses', 'events', buses],
  ['keys', 'Keys', 'kms', keys],
  ['users', 'Users', 'iam', users],
  ['requests', 'Requests', '', requests],
  ['clock', 'Clock', '', clock],
  ['faults', 'Faults', '', faults],
  ['state', 'Reset and state', '', state],
];

const KEPT = 'emu console';
const { services, version, forwarded } = await control('GET', '/_emulator/health');
const views = VIEWS.filter(([, , service]) => service === '' || services.includes(service));
Object.assign(place, await placeOfStart());

/** Returns the last selection, or the emulator's default account and region. */
async function placeOfStart(): Promise<typeof place> {
  const kept = sessionStorage.getItem(KEPT);
  if (kept !== null) return JSON.parse(kept);
  const { accountId, region } = await control('GET', '/_emulator/console/resources');
  return { accountId, region };
}

const account = h('input', {
  value: place.accountId,
  pattern: '\\d{12}',
  required: true,
  size: 13,
  inputMode: 'numeric',
});
const region = h('input', { value: place.region, pattern: '[a-z]{2,4}(-[a-z]+)+-\\d', required: true, size: 14 });
const choose = (): void => {
  if (!account.checkValidity() || !region.checkValidity()) {
    tell('An account has 12 digits, and a region is like eu-west-1.', true);
    return;
  }
  Object.assign(place, { accountId: account.value, region: region.value });
  sessionStorage.setItem(KEPT, JSON.stringify(place));
  reload();
};
account.onchange = region.onchange = choose;

const main = h('main', { id: 'main', tabIndex: -1 });
const links = views.map(([name, label]) => h('a', { href: hrefOf(name) }, label));
fill(
  document.getElementById('app')!,
  h(
    'header',
    {},
    h('strong', {}, 'emu'),
    h('span', { className: 'hint' }, version),
    forwarded ? h('strong', {}, `Requests leave this machine for AWS: ${forwarded.join(', ')}`) : '',
    h('span', { className: 'space' }),
    field('Account', account),
    field('Region', region),
  ),
  h('div', { className: 'frame' }, h('nav', { className: 'side', ariaLabel: 'Views' }, links), main),
  h('div', { id: 'notes' }),
);

let shown = new AbortController();
let last = '';
async function show(): Promise<void> {
  shown.abort();
  // Errors of other views do not matter here.
  if (last !== location.hash) for (const note of document.querySelectorAll('.note.error')) note.remove();
  const mine = new AbortController();
  shown = mine;
  const [name = 'resources', ...path] = location.hash.slice(2).split('/').filter(Boolean).map(decodeURIComponent);
  const index = Math.max(
    0,
    views.findIndex(([each]) => each === name),
  );
  links.forEach((each, at) => {
    if (at === index) each.setAttribute('aria-current', 'page');
    else each.removeAttribute('aria-current');
  });
  const [, label, , view] = views[index]!;
  document.title = `${label} · emu console`;
  main.setAttribute('aria-busy', 'true');
  // A closed view may still receive responses; they fill an element that is not shown.
  const content = h('div', { className: 'content' });
  await attempt(() => view(content, path, mine.signal));
  if (mine.signal.aborted) return;
  if (!content.hasChildNodes())
    fill(content, h('h1', {}, label), h('p', { className: 'empty' }, 'This could not be shown.'));
  fill(main, content);
  main.removeAttribute('aria-busy');
  // After a change of the view the focus moves to it; a refresh leaves the focus.
  if (last && last !== location.hash) main.focus();
  last = location.hash || '#/resources';
}
window.addEventListener('hashchange', () => void show());
void show();
