import { EventBridge } from '@aws-sdk/client-eventbridge';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { type ServiceModel, unsupportedPatterns } from '@emu/wire';
import { expect, test } from 'vitest';
import model from '../model/events.json' with { type: 'json' };
import { manifest } from '../src/manifest.ts';

async function act(config: TestClientConfig): Promise<void> {
  const events = new EventBridge(config);
  await events.createEventBus({ Name: 'orders', Description: 'd', Tags: [{ Key: 'a', Value: 'b' }] });
  await events.putPermission({
    EventBusName: 'orders',
    Action: 'events:PutEvents',
    StatementId: 'one',
    Principal: '000000000009',
  });
  await events.putRule({ Name: 'r', EventBusName: 'orders', EventPattern: '{"source":["app"]}' });
  const Targets = [{ Id: 't', Arn: 'arn:aws:sqs:us-east-1:000000000001:q', InputPath: '$.detail' }];
  await events.putTargets({ Rule: 'r', EventBusName: 'orders', Targets });
  await events.putRule({ Name: 'daily', ScheduleExpression: 'rate(1 day)', State: 'DISABLED' });
}

async function observe(config: TestClientConfig) {
  const events = new EventBridge(config);
  const { EventBuses = [] } = await events.listEventBuses({});
  const found = [];
  for (const { Name, Policy, Description } of EventBuses) {
    const { Rules = [] } = await events.listRules({ EventBusName: Name });
    for (const { Name: Rule } of Rules)
      found.push((await events.listTargetsByRule({ Rule, EventBusName: Name })).Targets);
    found.push({ Name, Policy, Description, Rules });
  }
  return found;
}

describeServiceContract({ manifest, scope: 'region', act, observe });

test('parses every pattern of the model', () => {
  expect(unsupportedPatterns(model as unknown as ServiceModel)).toEqual([]);
});
