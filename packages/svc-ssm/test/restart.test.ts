import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFleet, node } from './nodes.ts';
import { startSsm } from './support.ts';

const OFF = 'i-0000000000000000f';

const APPROVAL = JSON.stringify({
  schemaVersion: '0.3',
  accessDuration: 3600,
  targets: [{ Key: 'InstanceIds', Values: ['*'] }],
  mainSteps: [{ name: 'ask', action: 'aws:approve', inputs: { Approvers: ['jane'] } }],
});

test('continues executions, commands and access requests after a restart', async () => {
  const dataPath = await mkdtemp(join(tmpdir(), 'ssm-'));
  const start = () =>
    startSsm({
      manifests: [makeFleet(node(OFF, { online: false })).manifest],
      dataPath,
    });
  const Content = JSON.stringify({
    schemaVersion: '0.3',
    variables: { Seen: { type: 'String', default: '' } },
    outputs: ['variable:Seen'],
    mainSteps: [
      {
        name: 'each',
        action: 'aws:loop',
        inputs: {
          Iterators: ['a', 'b'],
          IteratorDataType: 'String',
          Steps: [
            {
              name: 'keep',
              action: 'aws:updateVariable',
              inputs: { Name: 'variable:Seen', Value: '{{ variable:Seen }}{{ each.CurrentIteratorValue }}' },
            },
            { name: 'rest', action: 'aws:sleep', inputs: { Duration: 'PT1H' } },
          ],
        },
      },
    ],
  });
  let AutomationExecutionId: string | undefined;
  let CommandId: string | undefined;
  let AccessRequestId: string | undefined;
  {
    await using before = await start();
    await before.ssm.createDocument({ Name: 'slow', Content, DocumentType: 'Automation' });
    ({ AutomationExecutionId } = await before.ssm.startAutomationExecution({ DocumentName: 'slow' }));
    const current = async () =>
      (await before.ssm.getAutomationExecution({ AutomationExecutionId })).AutomationExecution!.CurrentStepName;
    await expect.poll(current, { interval: 5 }).toBe('rest');
    const Parameters = { commands: ['uptime'] };
    const sent = await before.ssm.sendCommand({
      DocumentName: 'AWS-RunShellScript',
      Parameters,
      InstanceIds: [OFF],
      TimeoutSeconds: 60,
    });
    CommandId = sent.Command!.CommandId;
    await before.ssm.createDocument({ Name: 'all-nodes', DocumentType: 'ManualApprovalPolicy', Content: APPROVAL });
    const Targets = [{ Key: 'InstanceIds', Values: [OFF] }];
    ({ AccessRequestId } = await before.ssm.startAccessRequest({ Reason: 'a repair', Targets }));
  }
  {
    await using after = await start();
    const execution = async () =>
      (await after.ssm.getAutomationExecution({ AutomationExecutionId })).AutomationExecution!;
    expect(await execution()).toMatchObject({ AutomationExecutionStatus: 'InProgress', Variables: { Seen: ['a'] } });
    expect((await after.ssm.getAccessToken({ AccessRequestId })).AccessRequestStatus).toBe('Pending');
    const item = async () => (await after.ssm.getOpsItem({ OpsItemId: AccessRequestId })).OpsItem!;
    const { automationExecutionId } = JSON.parse((await item()).OperationalData!['/aws/accessrequest']!.Value!);
    await after.ssm.sendAutomationSignal({ AutomationExecutionId: automationExecutionId, SignalType: 'Approve' });
    await expect.poll(async () => (await item()).Status, { interval: 5 }).toBe('Approved');
    await after.advance(61_000);
    expect((await after.ssm.listCommands({ CommandId })).Commands).toMatchObject([
      { StatusDetails: 'DeliveryTimedOut' },
    ]);
    await after.advance(3_600_000);
    await expect.poll(async () => (await execution()).Variables!.Seen, { interval: 5 }).toEqual(['ab']);
    await after.advance(3_600_000);
    await expect.poll(async () => (await execution()).AutomationExecutionStatus, { interval: 5 }).toBe('Success');
    expect((await execution()).Outputs).toEqual({ 'variable:Seen': ['ab'] });
  }
  await rm(dataPath, { recursive: true, force: true });
});
