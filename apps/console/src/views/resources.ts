import { control, type Json, place } from '../api.ts';
import { button, field, fill, h, heading, link, table } from '../dom.ts';
import { reload, type View } from '../view.ts';

/** Views of resource types, by service and type in their ARNs. */
const VIEWS: Readonly<Record<string, (name: string, arn: string) => HTMLElement>> = {
  's3 bucket': (name) => link(name, 's3', name),
  'sqs queue': (name) => link(name, 'queues', name),
  'dynamodb table': (name) => link(name, 'tables', name),
  'lambda function': (name) => link(name, 'functions', name),
  'logs log-group': (name) => link(name, 'logs', name.replace(/^log-group:|:\*$/g, '')),
  'sns topic': (name, arn) => link(name, 'topics', arn),
};

const nameOf = (arn: string): string => {
  const rest = arn.split(':').slice(5).join(':');
  return rest.replace(/^(?:table|function|user|role|key)[/:]/, '');
};

/** All resources of the services, by their declared resource types. */
export const resources: View = async (main) => {
  const query = new URLSearchParams({ account_id: place.accountId, region: place.region });
  const { resources: all, truncated } = await control('GET', `/_emulator/console/resources?${query}`);
  const filter = h('input', { type: 'search', placeholder: 'Name, type or tag' });
  const list = h('div');
  const show = (): void => {
    const wanted = filter.value.toLowerCase();
    const found = all.filter((each: Json) => JSON.stringify(each).toLowerCase().includes(wanted));
    const rows = found.map(({ arn, service, type, tags }: Json) => [
      h('span', { className: 'badge' }, service),
      type,
      VIEWS[`${service} ${type}`]?.(nameOf(arn), arn) ?? nameOf(arn),
      h(
        'span',
        { className: 'tags' },
        ...Object.entries(tags).map(([key, value]) => h('span', { className: 'tag' }, `${key}=${value}`)),
      ),
      h('code', {}, arn),
    ]);
    fill(
      list,
      table(
        ['Service', 'Type', 'Name', 'Tags', 'ARN'],
        rows,
        wanted ? 'Nothing matches.' : 'This account has nothing in this region yet.',
      ),
    );
  };
  filter.oninput = show;
  show();
  const counts = new Map<string, number>();
  for (const { service } of all as Json[]) counts.set(service, (counts.get(service) ?? 0) + 1);
  const services = [...counts].sort(([one], [other]) => one.localeCompare(other));
  fill(
    main,
    heading('Resources', button('Refresh', reload)),
    h(
      'div',
      { className: 'tiles' },
      ...services.map(([service, count]) =>
        h('div', { className: 'tile card' }, h('b', {}, count), h('span', {}, service)),
      ),
    ),
    truncated && h('p', { className: 'empty' }, `Only the first ${all.length} are shown.`),
    h('div', { className: 'row' }, field('Filter', filter)),
    list,
  );
};
