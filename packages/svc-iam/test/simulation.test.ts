import { expect, test } from 'vitest';
import { failureOf, policy, startIam } from './support.ts';

const BUCKET = 'arn:aws:s3:::bucket';
/** Formatted like the output of other languages' JSON libraries. */
const PUT = '{"Version": "2012-10-17", "Statement": [{"Action": "s3:PutObject", "Effect": "Allow", "Resource": "*"}]}';

test.each(['user', 'group', 'role'] as const)('simulates the policies of a %s', async (kind) => {
  await using t = await startIam();
  const { Policy } = await t.iam.createPolicy({ PolicyName: 'put', PolicyDocument: PUT });
  const PolicyArn = Policy!.Arn!;
  await t.iam.createUser({ UserName: 'x' });
  await t.iam.createGroup({ GroupName: 'x' });
  await t.iam.createRole({
    RoleName: 'x',
    AssumeRolePolicyDocument: policy({ Principal: { AWS: '*' }, Action: 'sts:AssumeRole', Resource: undefined }),
  });
  if (kind === 'user') await t.iam.attachUserPolicy({ UserName: 'x', PolicyArn });
  if (kind === 'group') await t.iam.attachGroupPolicy({ GroupName: 'x', PolicyArn });
  if (kind === 'role') await t.iam.attachRolePolicy({ RoleName: 'x', PolicyArn });
  const { EvaluationResults, IsTruncated } = await t.iam.simulatePrincipalPolicy({
    PolicySourceArn: `arn:aws:iam::123456789012:${kind}/x`,
    ActionNames: ['s3:PutObject', 's3:GetObjectVersion'],
    ResourceArns: [BUCKET],
  });
  const statement = {
    SourcePolicyId: 'put',
    SourcePolicyType: 'IAM Policy',
    StartPosition: { Line: 1, Column: 41 },
    EndPosition: { Line: 1, Column: 103 },
  };
  const common = { EvalResourceName: BUCKET, MissingContextValues: [] };
  expect(IsTruncated).toBe(false);
  expect(EvaluationResults).toEqual([
    {
      EvalActionName: 's3:PutObject',
      EvalDecision: 'allowed',
      EvalDecisionDetails: {},
      MatchedStatements: [statement],
      OrganizationsDecisionDetail: { AllowedByOrganizations: true },
      ResourceSpecificResults: [{ ...common, EvalResourceDecision: 'allowed', MatchedStatements: [statement] }],
      ...common,
    },
    {
      EvalActionName: 's3:GetObjectVersion',
      EvalDecision: 'implicitDeny',
      EvalDecisionDetails: {},
      MatchedStatements: [],
      OrganizationsDecisionDetail: { AllowedByOrganizations: true },
      ResourceSpecificResults: [{ ...common, EvalResourceDecision: 'implicitDeny', MatchedStatements: [] }],
      ...common,
    },
  ]);
});

test('simulates custom policies with conditions, denials and boundaries', async () => {
  await using t = await startIam();
  const simulate = async (input: object) => {
    const { EvaluationResults } = await t.iam.simulateCustomPolicy({
      PolicyInputList: [policy()],
      ActionNames: ['s3:GetObject'],
      ...input,
    });
    return EvaluationResults![0]!;
  };
  const allowed = await simulate({});
  expect(allowed).toMatchObject({ EvalDecision: 'allowed', EvalResourceName: '*' });
  expect(allowed.MatchedStatements).toMatchObject([{ SourcePolicyId: 'PolicyInputList.1' }]);
  expect(allowed).not.toHaveProperty('ResourceSpecificResults');
  const denied = await simulate({ PolicyInputList: [policy(), policy({ Effect: 'Deny', Action: 's3:*' })] });
  expect(denied).toMatchObject({ EvalDecision: 'explicitDeny' });
  expect(denied.MatchedStatements).toMatchObject([{ SourcePolicyId: 'PolicyInputList.2' }]);
  expect(await simulate({ PermissionsBoundaryPolicyInputList: [policy({ Action: 'sqs:*' })] })).toMatchObject({
    EvalDecision: 'implicitDeny',
    PermissionsBoundaryDecisionDetail: { AllowedByPermissionsBoundary: false },
    MatchedStatements: [],
  });
  const conditional = [policy({ Condition: { StringEquals: { 'aws:PrincipalTag/team': 'web' } } })];
  expect(await simulate({ PolicyInputList: conditional })).toMatchObject({
    EvalDecision: 'implicitDeny',
    MissingContextValues: ['aws:PrincipalTag/team'],
  });
  expect(
    await simulate({
      PolicyInputList: conditional,
      ContextEntries: [
        { ContextKeyName: 'AWS:principaltag/team', ContextKeyType: 'string', ContextKeyValues: ['web'] },
      ],
    }),
  ).toMatchObject({ EvalDecision: 'allowed', MissingContextValues: [] });
});

test('includes a resource policy, which alone decides for another account', async () => {
  await using t = await startIam();
  const jane = 'arn:aws:iam::123456789012:user/jane';
  const queue = 'arn:aws:sqs:eu-central-1:999999999999:orders';
  const input = {
    ActionNames: ['sqs:SendMessage'],
    ResourceArns: [queue],
    PolicyInputList: [policy()],
    ResourcePolicy: policy({ Principal: { AWS: jane }, Action: 'sqs:*' }),
  };
  expect(await failureOf(t.iam.simulateCustomPolicy(input))).toContain('InvalidInput: CallerArn is required');
  const decide = async (CallerArn: string, more: object = {}) =>
    (await t.iam.simulateCustomPolicy({ ...input, CallerArn, ...more })).EvaluationResults![0]!;
  expect(await decide(jane)).toMatchObject({
    EvalDecision: 'allowed',
    EvalDecisionDetails: { 'IAM Policy': 'allowed', 'Resource Policy': 'allowed' },
  });
  expect(await decide('arn:aws:iam::123456789012:user/john')).toMatchObject({
    EvalDecision: 'implicitDeny',
    EvalDecisionDetails: { 'IAM Policy': 'allowed', 'Resource Policy': 'implicitDeny' },
  });
  expect(
    await decide('arn:aws:iam::123456789012:user/john', {
      ResourceArns: [BUCKET],
      ResourceOwner: 'arn:aws:iam::999999999999:root',
    }),
  ).toMatchObject({ EvalDecision: 'implicitDeny' });
  // Without a resource policy, a resource belongs to the caller's account.
  expect(await decide(jane, { ResourcePolicy: undefined })).toMatchObject({
    EvalDecision: 'allowed',
    EvalDecisionDetails: {},
  });
});

test('returns results in pages', async () => {
  await using t = await startIam();
  const ActionNames = ['s3:GetObject', 's3:PutObject', 'sqs:SendMessage'];
  const ResourceArns = [BUCKET, 'arn:aws:s3:::other'];
  const seen: string[] = [];
  let Marker: string | undefined;
  do {
    const page = await t.iam.simulateCustomPolicy({
      PolicyInputList: [policy()],
      ActionNames,
      ResourceArns,
      MaxItems: 4,
      ...(Marker !== undefined && { Marker }),
    });
    for (const one of page.EvaluationResults!) seen.push(`${one.EvalActionName} ${one.EvalResourceName}`);
    Marker = page.Marker;
  } while (Marker !== undefined);
  expect(seen).toEqual(ActionNames.flatMap((action) => ResourceArns.map((arn) => `${action} ${arn}`)));
  expect(
    await failureOf(t.iam.simulateCustomPolicy({ PolicyInputList: [policy()], ActionNames, Marker: 'nonsense' })),
  ).toBe('ValidationError: Invalid Marker.');
});

test('a boundary of the user applies, and one in the request replaces it', async () => {
  await using t = await startIam();
  const { Policy } = await t.iam.createPolicy({ PolicyName: 'limit', PolicyDocument: policy({ Action: 'sqs:*' }) });
  await t.iam.createUser({ UserName: 'jane', PermissionsBoundary: Policy!.Arn! });
  await t.iam.putUserPolicy({ UserName: 'jane', PolicyName: 'all', PolicyDocument: policy() });
  const decide = async (more: object = {}) =>
    (
      await t.iam.simulatePrincipalPolicy({
        PolicySourceArn: 'arn:aws:iam::123456789012:user/jane',
        ActionNames: ['s3:GetObject'],
        ...more,
      })
    ).EvaluationResults![0]!;
  expect(await decide()).toMatchObject({
    EvalDecision: 'implicitDeny',
    PermissionsBoundaryDecisionDetail: { AllowedByPermissionsBoundary: false },
  });
  expect(await decide({ PermissionsBoundaryPolicyInputList: [policy()] })).toMatchObject({ EvalDecision: 'allowed' });
});

test('finds the condition keys in policies', async () => {
  await using t = await startIam();
  const asking = policy({
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the policy
    Resource: 'arn:aws:s3:::home/${aws:username}/*',
    Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } },
  });
  const custom = await t.iam.getContextKeysForCustomPolicy({ PolicyInputList: [asking, policy()] });
  expect(custom.ContextKeyNames!.sort()).toEqual(['aws:SourceIp', 'aws:username']);
  await t.iam.createUser({ UserName: 'jane' });
  await t.iam.createGroup({ GroupName: 'team' });
  await t.iam.putGroupPolicy({ GroupName: 'team', PolicyName: 'p', PolicyDocument: asking });
  await t.iam.addUserToGroup({ UserName: 'jane', GroupName: 'team' });
  const principal = await t.iam.getContextKeysForPrincipalPolicy({
    PolicySourceArn: 'arn:aws:iam::123456789012:user/jane',
    PolicyInputList: [policy({ Condition: { Bool: { 'aws:SecureTransport': 'true' } } })],
  });
  expect(principal.ContextKeyNames!.sort()).toEqual(['aws:SecureTransport', 'aws:SourceIp', 'aws:username']);
});

test('rejects unsupported simulations', async () => {
  await using t = await startIam();
  const simulate = (input: object) =>
    failureOf(t.iam.simulateCustomPolicy({ PolicyInputList: [policy()], ActionNames: ['s3:GetObject'], ...input }));
  expect(await simulate({ PolicyInputList: ['{'] })).toBe('InvalidInput: Syntax errors in policy.');
  expect(await simulate({ PolicyInputList: [policy({ Action: 'nothing' })] })).toContain('InvalidInput: ');
  expect(await simulate({ ActionNames: ['s3:*'] })).toBe('InvalidInput: Invalid action name: s3:*');
  expect(await simulate({ ActionNames: ['getobject'] })).toBe('InvalidInput: Invalid action name: getobject');
  expect(await simulate({ PermissionsBoundaryPolicyInputList: [policy(), policy()] })).toContain('InvalidInput: ');
  expect(await simulate({ CallerArn: 'arn:aws:iam::123456789012:role/x' })).toContain('InvalidInput: ');
  expect(await simulate({ ResourceHandlingOption: 'Other' })).toContain('InvalidInput: ');
  expect(await simulate({ ResourceHandlingOption: 'EC2-Classic-EBS' })).toContain('InvalidInput: ');
  expect(
    await simulate({
      ContextEntries: [{ ContextKeyName: 'aws:userid', ContextKeyType: 'string', ContextKeyValues: [] }],
    }),
  ).toContain('InvalidInput: ');
  expect(await failureOf(t.iam.getContextKeysForCustomPolicy({ PolicyInputList: ['[]'] }))).toBe(
    'InvalidInput: Syntax errors in policy.',
  );
  expect(
    await failureOf(
      t.iam.simulatePrincipalPolicy({
        PolicySourceArn: 'arn:aws:iam::123456789012:user/nobody',
        ActionNames: ['s3:GetObject'],
      }),
    ),
  ).toContain('NoSuchEntity: ');
});

test('ends a page of results early if many statements match', async () => {
  await using t = await startIam();
  const Statement = Array.from({ length: 300 }, () => ({ Effect: 'Allow', Action: 's3:*', Resource: '*' }));
  const names = Array.from({ length: 50 }, (_, at) => `s3:Get${at}`);
  const input = { PolicyInputList: [JSON.stringify({ Version: '2012-10-17', Statement })], ActionNames: names };
  const first = await t.iam.simulateCustomPolicy(input);
  expect([first.EvaluationResults!.length, first.IsTruncated]).toEqual([34, true]);
  const rest = await t.iam.simulateCustomPolicy({ ...input, Marker: first.Marker! });
  expect([rest.IsTruncated, rest.Marker]).toEqual([false, undefined]);
  expect([...first.EvaluationResults!, ...rest.EvaluationResults!].map((one) => one.EvalActionName)).toEqual(names);
});
