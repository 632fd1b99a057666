import { describe, expect, test } from 'vitest';
import { recordedTests } from '../../../tools/testing/shared.ts';
import { ACCOUNT, bodyOf, type IamTest, policy, startIam, trust } from './support.ts';

type Json = Record<string, unknown>;

const recordings = recordedTests<Record<string, Json>>(['iam/iam.snapshot.json']);
const available = recordings.size > 0;

/** Returns a response in recorded form: documents as JSON, and placeholders for values that differ by run. */
function asRecorded(value: unknown, key = ''): unknown {
  if (value instanceof Date) return '<datetime>';
  if (Array.isArray(value)) return value.map((one) => asRecorded(one));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asRecorded(one, name)]));
  if (typeof value !== 'string') return value;
  if (/PolicyDocument$|^Document$/.test(key)) return JSON.parse(decodeURIComponent(value));
  return value
    .replaceAll('arn:aws:', 'arn:<partition>:')
    .replaceAll(ACCOUNT, '111111111111')
    .replaceAll(/\bthe-(role|user|policy|path)\b/g, (_, kind: string) => `<${kind}-name:1>`)
    .replaceAll(/\bA(ROA|IDA|NPA)[A-Z2-7]{17}\b/g, (_, kind: string) => `<${ID_KINDS[kind]}-id:1>`);
}

const ID_KINDS: Record<string, string> = { ROA: 'role', IDA: 'user', NPA: 'policy' };

/** Returns a recorded response without HTTP facts; paths are `/svc/` here. */
function recorded(name: string, answer: string): unknown {
  const { ResponseMetadata: _, ...content } = recordings.get(name)![answer]!;
  return JSON.parse(JSON.stringify(content).replaceAll(/\/<path-prefix>\/|<path(:1)?>/g, '/svc/'));
}

const asked = async (request: Promise<{ $metadata: unknown }>): Promise<unknown> => asRecorded(bodyOf(await request));

const ec2 = trust({ Service: 'ec2.amazonaws.com' });
const RoleName = 'the-role';

describe.skipIf(!available)('recorded responses', () => {
  test('of roles with paths', async () => {
    await using t = await startIam();
    const name = 'TestIAMIntegrations::test_create_describe_role'.split('::').at(-1)!;
    const create = t.iam.createRole({ RoleName, Path: '/svc/', AssumeRolePolicyDocument: ec2 });
    expect(await asked(create)).toEqual(recorded(name, 'create_role_result'));
    expect(await asked(t.iam.getRole({ RoleName }))).toEqual(recorded(name, 'get_role_result'));
    expect(await asked(t.iam.listRoles({ PathPrefix: '/svc/' }))).toEqual(recorded(name, 'list_roles_result'));
  });

  test('of roles with tags', async () => {
    await using t = await startIam();
    const name = 'test_role_with_tags';
    const create = t.iam.createRole({
      RoleName,
      Path: '/role-with-tags/',
      AssumeRolePolicyDocument: ec2,
      Tags: [{ Key: 'test', Value: 'value' }],
    });
    expect(await asked(create)).toEqual(recorded(name, 'create-role-response'));
    expect(await asked(t.iam.getRole({ RoleName }))).toEqual(recorded(name, 'get-role-response'));
    expect(await asked(t.iam.listRoles({}))).toEqual(recorded(name, 'list-role-response'));
  });

  test('of listed roles with a boundary', async () => {
    await using t = await startIam();
    const { Policy } = await t.iam.createPolicy({ PolicyName: 'b', PolicyDocument: policy() });
    await t.iam.createRole({
      RoleName,
      Path: '/svc/',
      AssumeRolePolicyDocument: ec2,
      PermissionsBoundary: Policy!.Arn,
    });
    expect(await asked(t.iam.listRoles({ PathPrefix: '/svc/' }))).toEqual(
      recorded('test_list_roles_with_permission_boundary', 'list_roles_result'),
    );
  });

  test('of new policies', async () => {
    await using t = await startIam();
    expect(await asked(t.iam.createPolicy({ PolicyName: 'the-policy', PolicyDocument: policy() }))).toEqual(
      recorded('test_role_attach_policy', 'create_policy_response'),
    );
  });

  test.each(['user', 'role', 'group'])('of the encoding of inline policies of a %s', async (kind) => {
    await using t = await startIam();
    const name = `test_put_${kind}_policy_encoding`;
    const answer = recordings.get(name)!['get-policy-response']!;
    const PolicyDocument = JSON.stringify(answer.PolicyDocument)
      .replaceAll('<partition>', 'aws')
      .replaceAll('<region>', 'r');
    const PolicyName = 'p';
    let found: Promise<{ PolicyDocument?: string | undefined }>;
    if (kind === 'user') {
      await t.iam.createUser({ UserName: 'x' });
      await t.iam.putUserPolicy({ UserName: 'x', PolicyName, PolicyDocument });
      found = t.iam.getUserPolicy({ UserName: 'x', PolicyName });
    } else if (kind === 'role') {
      await t.iam.createRole({ RoleName: 'x', AssumeRolePolicyDocument: ec2 });
      await t.iam.putRolePolicy({ RoleName: 'x', PolicyName, PolicyDocument });
      found = t.iam.getRolePolicy({ RoleName: 'x', PolicyName });
    } else {
      await t.iam.createGroup({ GroupName: 'x' });
      await t.iam.putGroupPolicy({ GroupName: 'x', PolicyName, PolicyDocument });
      found = t.iam.getGroupPolicy({ GroupName: 'x', PolicyName });
    }
    expect(decodeURIComponent((await found).PolicyDocument!)).toBe(PolicyDocument);
  });

  const failures: [string, string, (t: IamTest) => Promise<unknown>][] = [
    [
      'test_create_role_with_malformed_assume_role_policy_document',
      'invalid-json',
      ({ iam }) => iam.createRole({ RoleName: 'other', AssumeRolePolicyDocument: '{ "no": json }' }),
    ],
    [
      'test_delete_non_existent_policy_returns_no_such_entity',
      'delete-non-existent-policy-exc',
      ({ iam }) => iam.deletePolicy({ PolicyArn: `arn:aws:iam::${ACCOUNT}:policy/non-existent-policy` }),
    ],
    [
      'test_role_attach_policy',
      'non_existent_malformed_policy_arn',
      ({ iam }) => iam.attachRolePolicy({ RoleName, PolicyArn: 'longpolicynamebutnoarn' }),
    ],
    [
      'test_role_attach_policy',
      'valid_arn_not_existent',
      ({ iam }) => iam.attachRolePolicy({ RoleName, PolicyArn: `arn:aws:iam::${ACCOUNT}:policy/the-policy123` }),
    ],
    [
      'test_user_attach_policy',
      'valid_arn_not_existent',
      ({ iam }) => iam.attachUserPolicy({ UserName: 'x', PolicyArn: `arn:aws:iam::${ACCOUNT}:policy/the-policy123` }),
    ],
    [
      'test_service_role_already_exists',
      'role-already-exists-error',
      async ({ iam }) => {
        await iam.createServiceLinkedRole({ AWSServiceName: 'batch.amazonaws.com' });
        return iam.createServiceLinkedRole({ AWSServiceName: 'batch.amazonaws.com' });
      },
    ],
  ];
  test.each(failures)('%s: %s', async (name, answer, request) => {
    await using t = await startIam();
    await t.iam.createUser({ UserName: 'x' });
    await t.iam.createRole({ RoleName, AssumeRolePolicyDocument: ec2 });
    const { Error: error, ResponseMetadata: metadata } = recordings.get(name)![answer]! as {
      Error: { Code: string; Message: string };
      ResponseMetadata: { HTTPStatusCode: number };
    };
    const thrown = await request(t).then(
      () => undefined,
      (reason: { Code?: string; message: string; $metadata: { httpStatusCode: number } }) => reason,
    );
    expect({ Message: asRecorded(thrown?.message)?.toString().replace('the-policy', '<policy-name:1>') }).toEqual({
      Message: error.Message,
    });
    expect(thrown).toMatchObject({
      Code: error.Code,
      $metadata: { httpStatusCode: metadata.HTTPStatusCode },
    });
  });
});

const serviceRoles = [...recordings.keys()].flatMap(
  (name) => /^test_service_role_lifecycle\[(.+)\]$/.exec(name)?.[1] ?? [],
);

describe.skipIf(!available)('recorded service-linked roles', () => {
  test('are created as recorded', async () => {
    await using t = await startIam();
    expect(serviceRoles.length).toBeGreaterThan(60);
    for (const AWSServiceName of serviceRoles) {
      const name = `test_service_role_lifecycle[${AWSServiceName}]`;
      const described = recorded(name, 'describe-response') as { Role: { RoleName: string; Description?: string } };
      const { Description } = described.Role;
      await t.iam.createServiceLinkedRole({ AWSServiceName, ...(Description !== undefined && { Description }) });
      const { RoleName } = described.Role;
      // In the recorded account, services used some roles immediately.
      const found = { ...described, Role: { ...described.Role, RoleLastUsed: {} } };
      expect(await asked(t.iam.getRole({ RoleName })), AWSServiceName).toEqual(found);
      expect(await asked(t.iam.listRolePolicies({ RoleName }))).toEqual(recorded(name, 'inline-role-policies'));
      expect(await asked(t.iam.listAttachedRolePolicies({ RoleName }))).toEqual(
        recorded(name, 'attached-role-policies'),
      );
    }
  });

  test('reject suffixes as recorded', async () => {
    await using t = await startIam();
    for (const [name, { 'custom-suffix-not-allowed': answer }] of recordings) {
      const service = /^test_service_role_lifecycle_custom_suffix_not_allowed\[(.+)\]$/.exec(name)?.[1];
      if (service === undefined) continue;
      const { Message } = answer!.Error as { Message: string };
      await expect(t.iam.createServiceLinkedRole({ AWSServiceName: service, CustomSuffix: 'x' })).rejects.toMatchObject(
        { message: Message },
      );
    }
  });
});
