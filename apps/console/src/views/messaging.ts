import { call, control, type Json, pages, place } from '../api.ts';
import { button, code, field, fill, form, h, heading, json, link, table, tell } from '../dom.ts';
import { reload, type View } from '../view.ts';

/** Topics, their subscriptions, and publishing. */
export const topics: View = async (main, [arn]) => {
  if (arn === undefined) {
    const all = await pages('sns', 'ListTopics', {}, ['NextToken', 'NextToken', 'Topics']);
    const rows = all.map(({ TopicArn }: Json) => [
      link(TopicArn.split(':').pop(), 'topics', TopicArn),
      h('code', {}, TopicArn),
    ]);
    fill(main, heading('SNS topics', button('Refresh', reload)), table(['Name', 'ARN'], rows, 'No topics yet.'));
    return;
  }
  const subscriptions = await pages('sns', 'ListSubscriptionsByTopic', { TopicArn: arn }, [
    'NextToken',
    'NextToken',
    'Subscriptions',
  ]);
  const [subject, message, group] = [
    h('input'),
    h('textarea', { rows: 4, required: true }),
    h('input', { required: true }),
  ];
  const isFifo = arn.endsWith('.fifo');
  const publish = async () => {
    const input = {
      TopicArn: arn,
      Message: message.value,
      ...(subject.value && { Subject: subject.value }),
      ...(isFifo && { MessageGroupId: group.value }),
    };
    const { MessageId } = await call('sns', 'Publish', input);
    tell(`Published as ${MessageId}`);
  };
  fill(
    main,
    heading(arn.split(':').pop() ?? arn, button('Refresh', reload)),
    h('nav', { className: 'crumbs' }, link('Topics', 'topics'), ' / ', arn),
    table(
      ['Protocol', 'Endpoint', 'Subscription'],
      subscriptions.map(({ Protocol, Endpoint, SubscriptionArn }: Json) => [
        Protocol,
        Endpoint,
        h('code', {}, SubscriptionArn),
      ]),
      'Nobody has subscribed.',
    ),
    form(
      publish,
      'Publish',
      field('Subject', subject),
      field('Message', message),
      ...(isFifo ? [field('Message group', group)] : []),
    ),
  );
};

/** Event buses, their rules, and putting events. */
export const buses: View = async (main, [name]) => {
  if (name === undefined) {
    const all = await pages('events', 'ListEventBuses', {}, ['NextToken', 'NextToken', 'EventBuses']);
    fill(
      main,
      heading('Event buses', button('Refresh', reload)),
      table(
        ['Name', 'ARN'],
        all.map(({ Name, Arn }: Json) => [link(Name, 'buses', Name), h('code', {}, Arn)]),
        'No event buses yet.',
      ),
    );
    return;
  }
  const rules = await pages('events', 'ListRules', { EventBusName: name }, ['NextToken', 'NextToken', 'Rules']);
  const [source, type, detail] = [
    h('input', { value: 'my.app', required: true }),
    h('input', { value: 'test', required: true }),
    h('textarea', { rows: 4, value: '{}' }),
  ];
  const put = async () => {
    const entry = { EventBusName: name, Source: source.value, DetailType: type.value, Detail: detail.value };
    const { Entries } = await call('events', 'PutEvents', { Entries: [entry] });
    if (Entries[0].ErrorCode) throw new Error(`${Entries[0].ErrorCode}: ${Entries[0].ErrorMessage}`);
    tell(`Put as ${Entries[0].EventId}`);
  };
  const rows = rules.map(({ Name, State, EventPattern, ScheduleExpression }: Json) => [
    Name,
    h('span', { className: `badge ${State === 'ENABLED' ? 'ok' : ''}` }, State),
    h('code', {}, ScheduleExpression ?? EventPattern ?? ''),
    button('Fire', async () => {
      await control('POST', '/_emulator/events/fire-rule', { ruleName: Name, eventBusName: name, ...place });
      tell(`${Name} has run`);
    }),
  ]);
  fill(
    main,
    heading(name, button('Refresh', reload)),
    h('nav', { className: 'crumbs' }, link('Event buses', 'buses'), ' / ', name),
    table(['Rule', 'State', 'Schedule or pattern', ''], rows, 'No rules on this bus.'),
    form(put, 'Put event', field('Source', source), field('Detail type', type), field('Detail', detail)),
  );
};

/** KMS keys. */
export const keys: View = async (main, [id]) => {
  if (id !== undefined) {
    const { KeyMetadata } = await call('kms', 'DescribeKey', { KeyId: id });
    const { Policy } = await call('kms', 'GetKeyPolicy', { KeyId: id, PolicyName: 'default' });
    fill(
      main,
      heading(id),
      h('nav', { className: 'crumbs' }, link('Keys', 'keys'), ' / ', id),
      json(KeyMetadata),
      h('h2', {}, 'Policy'),
      code(Policy),
    );
    return;
  }
  const paging = ['Marker', 'NextMarker'] as const;
  const all = await pages('kms', 'ListKeys', {}, [...paging, 'Keys'], 200);
  const aliases = await pages('kms', 'ListAliases', {}, [...paging, 'Aliases']);
  const rows = await Promise.all(
    all.map(async ({ KeyId }: Json) => {
      const { KeyMetadata: key } = await call('kms', 'DescribeKey', { KeyId });
      const names = aliases
        .filter(({ TargetKeyId }: Json) => TargetKeyId === KeyId)
        .map(({ AliasName }: Json) => AliasName);
      return [
        link(KeyId, 'keys', KeyId),
        names.join(', '),
        key.KeySpec,
        key.KeyUsage,
        h('span', { className: `badge ${key.Enabled ? 'ok' : ''}` }, key.KeyState),
      ];
    }),
  );
  fill(
    main,
    heading('KMS keys', button('Refresh', reload)),
    table(['Key', 'Aliases', 'Spec', 'Usage', 'State'], rows, 'No keys yet.'),
  );
};
