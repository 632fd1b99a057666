import { expect, test } from 'vitest';
import { listManagedPolicies, managedPolicy } from '../src/policies/aws-managed.ts';
import { checkIdentityPolicy } from '../src/policies/document.ts';

test('every AWS managed policy is valid', async () => {
  const policies = await listManagedPolicies();
  expect(policies.length).toBeGreaterThan(1400);
  expect(new Set(policies.map(({ id }) => id)).size).toBe(policies.length);
  for (const { arn, id, defaultVersionId, versions, createdAt, updatedAt } of policies) {
    expect(arn).toMatch(
      /^arn:aws:iam::aws:policy\/((aws-service-role|service-role|job-function|root-task)\/)?[\w+=,.@-]+$/,
    );
    expect(id).toMatch(/^ANPA[A-Z2-7]{17}$/);
    expect(versions.map((version) => version.id)).toEqual([defaultVersionId]);
    expect(updatedAt).toBeGreaterThanOrEqual(createdAt);
    expect(() => checkIdentityPolicy(versions[0]!.document), arn).not.toThrow();
  }
});

test('a policy is found by its ARN', async () => {
  const policy = await managedPolicy('arn:aws:iam::aws:policy/AdministratorAccess');
  expect(policy).toMatchObject({ name: 'AdministratorAccess', path: '/', defaultVersionId: 'v1' });
  expect(policy!.versions[0]!.document).toBe(
    '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}',
  );
  expect(managedPolicy('arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole')).toMatchObject({
    createdAt: Date.parse('2015-04-09T15:03:43Z'),
  });
  expect(managedPolicy('arn:aws:iam::aws:policy/AWSLambdaBasicExecutionRole')).toBeUndefined();
});
