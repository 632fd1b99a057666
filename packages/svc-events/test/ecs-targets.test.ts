import { fakeService } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { ACCOUNT, REGION, startEvents } from './support.ts';

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_EcsParameters.html and
// https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_RunTask.html
test('an ECS target runs a task with all of its parameters, as RunTask names them', async () => {
  const tasks: unknown[] = [];
  await using run = await startEvents({
    manifests: [fakeService('ecs', { RunTask: (input) => void tasks.push(input) })],
  });
  const cluster = `arn:aws:ecs:${REGION}:${ACCOUNT}:cluster/c`;
  const target = {
    Arn: cluster,
    RoleArn: `arn:aws:iam::${ACCOUNT}:role/run`,
    Input: '{"overrides":{"cpu":"256"}}',
    EcsParameters: {
      TaskDefinitionArn: 'task',
      TaskCount: 2,
      LaunchType: 'FARGATE',
      NetworkConfiguration: {
        awsvpcConfiguration: { Subnets: ['subnet-1'], SecurityGroups: ['sg-1'], AssignPublicIp: 'ENABLED' },
      },
      PlatformVersion: '1.4.0',
      Group: 'group',
      CapacityProviderStrategy: [{ capacityProvider: 'spot', weight: 1, base: 2 }],
      EnableECSManagedTags: true,
      EnableExecuteCommand: true,
      PlacementConstraints: [{ type: 'memberOf', expression: 'x' }],
      PlacementStrategy: [{ type: 'spread', field: 'y' }],
      PropagateTags: 'TASK_DEFINITION',
      ReferenceId: 'reference',
      Tags: [{ Key: 'team', Value: 'a' }],
    },
  };
  await run.rule('r', { source: ['app'] }, [target]);
  await run.put({});
  await expect.poll(() => tasks).toHaveLength(1);
  expect(tasks[0]).toEqual({
    overrides: { cpu: '256' },
    cluster,
    startedBy: 'events-rule',
    taskDefinition: 'task',
    count: 2,
    launchType: 'FARGATE',
    networkConfiguration: {
      awsvpcConfiguration: { subnets: ['subnet-1'], securityGroups: ['sg-1'], assignPublicIp: 'ENABLED' },
    },
    platformVersion: '1.4.0',
    group: 'group',
    capacityProviderStrategy: [{ capacityProvider: 'spot', weight: 1, base: 2 }],
    enableECSManagedTags: true,
    enableExecuteCommand: true,
    placementConstraints: [{ type: 'memberOf', expression: 'x' }],
    placementStrategy: [{ type: 'spread', field: 'y' }],
    propagateTags: 'TASK_DEFINITION',
    referenceId: 'reference',
    tags: [{ key: 'team', value: 'a' }],
  });
});
