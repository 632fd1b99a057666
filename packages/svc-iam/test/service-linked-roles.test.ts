import { expect, test } from 'vitest';
import { ACCOUNT, failureOf, startIam } from './support.ts';

test('the role of a service is created, protected and deleted', async () => {
  await using t = await startIam();
  const AWSServiceName = 'batch.amazonaws.com';
  const { Role } = await t.iam.createServiceLinkedRole({ AWSServiceName, Description: 'd' });
  expect(Role).toMatchObject({
    RoleName: 'AWSServiceRoleForBatch',
    Path: `/aws-service-role/${AWSServiceName}/`,
    Arn: `arn:aws:iam::${ACCOUNT}:role/aws-service-role/${AWSServiceName}/AWSServiceRoleForBatch`,
    Description: 'd',
  });
  expect(JSON.parse(decodeURIComponent(Role!.AssumeRolePolicyDocument!)).Statement[0].Principal).toEqual({
    Service: AWSServiceName,
  });
  const { RoleName } = Role!;
  expect((await t.iam.listAttachedRolePolicies({ RoleName })).AttachedPolicies).toEqual([
    {
      PolicyName: 'BatchServiceRolePolicy',
      PolicyArn: 'arn:aws:iam::aws:policy/aws-service-role/BatchServiceRolePolicy',
    },
  ]);
  expect(await failureOf(t.iam.createServiceLinkedRole({ AWSServiceName }))).toBe(
    'InvalidInput: Service role name AWSServiceRoleForBatch has been taken in this account, please try a different suffix.',
  );
  const isProtected =
    "UnmodifiableEntity: Cannot perform the operation on the protected role 'AWSServiceRoleForBatch' - this role is only modifiable by AWS";
  expect(await failureOf(t.iam.deleteRole({ RoleName }))).toBe(isProtected);
  expect(await failureOf(t.iam.updateRole({ RoleName, MaxSessionDuration: 7200 }))).toBe(isProtected);
  expect(await failureOf(t.iam.deleteRolePermissionsBoundary({ RoleName }))).toBe(isProtected);
  await t.iam.updateRole({ RoleName, Description: 'f' });
  expect((await t.iam.getRole({ RoleName })).Role!.Description).toBe('f');
  await t.iam.updateRoleDescription({ RoleName, Description: 'e' });
  await t.iam.tagRole({
    RoleName,
    Tags: [
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: '' },
    ],
  });
  await t.iam.untagRole({ RoleName, TagKeys: ['b'] });
  expect((await t.iam.getRole({ RoleName })).Role).toMatchObject({
    Description: 'e',
    Tags: [{ Key: 'a', Value: '1' }],
  });
  const { DeletionTaskId } = await t.iam.deleteServiceLinkedRole({ RoleName });
  expect(DeletionTaskId).toMatch(
    /^task\/aws-service-role\/batch\.amazonaws\.com\/AWSServiceRoleForBatch\/[0-9a-f-]{36}$/,
  );
  expect((await t.iam.getServiceLinkedRoleDeletionStatus({ DeletionTaskId })).Status).toBe('SUCCEEDED');
  expect(await failureOf(t.iam.getRole({ RoleName }))).toContain('NoSuchEntity');
  expect(await failureOf(t.iam.deleteServiceLinkedRole({ RoleName }))).toContain('NoSuchEntity');
  expect(await failureOf(t.iam.getServiceLinkedRoleDeletionStatus({ DeletionTaskId: 'task/x' }))).toContain(
    'NoSuchEntity',
  );
});

test('some services support suffixes', async () => {
  await using t = await startIam();
  const { Role } = await t.iam.createServiceLinkedRole({
    AWSServiceName: 'autoscaling.amazonaws.com',
    CustomSuffix: 'mine',
  });
  expect(Role!.RoleName).toBe('AWSServiceRoleForAutoScaling_mine');
  expect(
    await failureOf(t.iam.createServiceLinkedRole({ AWSServiceName: 'acm.amazonaws.com', CustomSuffix: 'mine' })),
  ).toBe('InvalidInput: Custom suffix is not allowed for acm.amazonaws.com');
  expect(await failureOf(t.iam.createServiceLinkedRole({ AWSServiceName: 'none.amazonaws.com' }))).toContain(
    'NoSuchEntity',
  );
});
