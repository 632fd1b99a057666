import { IAM } from '@aws-sdk/client-iam';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { unsupportedPatterns } from '@emu/wire';
import { expect, test } from 'vitest';
import model from '../model/iam.json' with { type: 'json' };
import { manifest } from '../src/manifest.ts';
import { ADMIN, policy, trust } from './support.ts';

async function act(config: TestClientConfig): Promise<void> {
  const iam = new IAM(config);
  const UserName = 'jane';
  await iam.createAccountAlias({ AccountAlias: `alias-${config.credentials.accessKeyId}`.toLowerCase() });
  await iam.updateAccountPasswordPolicy({ MinimumPasswordLength: 10 });
  const { Policy } = await iam.createPolicy({ PolicyName: 'p', PolicyDocument: policy() });
  await iam.createPolicyVersion({ PolicyArn: Policy!.Arn, PolicyDocument: policy(), SetAsDefault: true });
  await iam.createGroup({ GroupName: 'staff' });
  await iam.putGroupPolicy({ GroupName: 'staff', PolicyName: 'g', PolicyDocument: policy() });
  await iam.createUser({ UserName, Tags: [{ Key: 'k', Value: 'v' }], PermissionsBoundary: ADMIN });
  await iam.createUser({ UserName: 'old' });
  await iam.updateUser({ UserName: 'old', NewUserName: 'new' });
  await iam.addUserToGroup({ GroupName: 'staff', UserName });
  await iam.attachUserPolicy({ UserName, PolicyArn: Policy!.Arn });
  await iam.createAccessKey({ UserName });
  await iam.createLoginProfile({ UserName, Password: 'Secret-12345' });
  await iam.createRole({ RoleName: 'app', AssumeRolePolicyDocument: trust() });
  await iam.createInstanceProfile({ InstanceProfileName: 'web' });
  await iam.addRoleToInstanceProfile({ InstanceProfileName: 'web', RoleName: 'app' });
  await iam.createServiceLinkedRole({ AWSServiceName: 'batch.amazonaws.com' });
}

async function observe(config: TestClientConfig) {
  const iam = new IAM(config);
  const { Users } = await iam.listUsers({});
  const keys = [];
  const passwords = [];
  for (const { UserName } of Users!) {
    keys.push((await iam.listAccessKeys({ UserName })).AccessKeyMetadata);
    passwords.push(
      await iam.getLoginProfile({ UserName }).then(
        ({ LoginProfile }) => LoginProfile,
        (error: Error) => error.name,
      ),
    );
  }
  const { $metadata: _, ...details } = await iam.getAccountAuthorizationDetails({});
  return {
    details,
    keys,
    passwords,
    aliases: (await iam.listAccountAliases({})).AccountAliases,
    summary: (await iam.getAccountSummary({})).SummaryMap,
    passwordPolicy: await iam.getAccountPasswordPolicy({}).then(
      ({ PasswordPolicy }) => PasswordPolicy,
      (error: Error) => error.name,
    ),
  };
}

describeServiceContract({ manifest, scope: 'account', act, observe });

test('the model has no pattern that cannot be compiled', () => {
  expect(unsupportedPatterns(model as never)).toEqual([]);
});
