import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CognitoTest, failureOf, PASSWORD, startCognito } from './support.ts';

describe('user pools', () => {
  let test: CognitoTest;
  beforeAll(async () => {
    test = await startCognito();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it('are created with defaults, described, changed, listed, tagged and deleted', async () => {
    const { cognito } = test;
    const { UserPool } = await cognito.createUserPool({ PoolName: 'first', UserPoolTags: { team: 'a' } });
    const UserPoolId = UserPool!.Id!;
    expect(UserPoolId).toMatch(/^us-east-1_[A-Za-z0-9]{9}$/);
    expect(UserPool).toMatchObject({
      Name: 'first',
      MfaConfiguration: 'OFF',
      EstimatedNumberOfUsers: 0,
      DeletionProtection: 'INACTIVE',
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: false, UnusedAccountValidityDays: 7 },
      VerificationMessageTemplate: { DefaultEmailOption: 'CONFIRM_WITH_CODE' },
      Policies: { PasswordPolicy: { MinimumLength: 8, RequireSymbols: true, TemporaryPasswordValidityDays: 7 } },
      Arn: `arn:aws:cognito-idp:us-east-1:000000000000:userpool/${UserPoolId}`,
    });
    expect(UserPool!.SchemaAttributes).toHaveLength(21);
    // https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UpdateUserPool.html: no longer used
    const VerificationMessageTemplate = { EmailSubject: 'new', DefaultEmailOption: 'CONFIRM_WITH_CODE' as const };
    await cognito.updateUserPool({ UserPoolId, EmailVerificationSubject: 'old', VerificationMessageTemplate });
    expect((await cognito.describeUserPool({ UserPoolId })).UserPool).toMatchObject({ VerificationMessageTemplate });
    await cognito.addCustomAttributes({
      UserPoolId,
      CustomAttributes: [{ Name: 'tier', AttributeDataType: 'String', StringAttributeConstraints: { MaxLength: '5' } }],
    });
    await cognito.updateUserPool({ UserPoolId, DeletionProtection: 'ACTIVE', AutoVerifiedAttributes: ['email'] });
    const described = (await cognito.describeUserPool({ UserPoolId })).UserPool!;
    expect(described.AutoVerifiedAttributes).toEqual(['email']);
    expect(described.SchemaAttributes!.at(-1)).toMatchObject({ Name: 'custom:tier', Mutable: true });
    expect((await cognito.listUserPools({ MaxResults: 10 })).UserPools).toContainEqual(
      expect.objectContaining({ Id: UserPoolId, Name: 'first' }),
    );
    const ResourceArn = UserPool!.Arn!;
    await cognito.tagResource({ ResourceArn, Tags: { more: 'b' } });
    await cognito.untagResource({ ResourceArn, TagKeys: ['team'] });
    expect((await cognito.listTagsForResource({ ResourceArn })).Tags).toEqual({ more: 'b' });
    expect(await failureOf(cognito.deleteUserPool({ UserPoolId }))).toMatch(
      /^InvalidParameterException: .*deletion protection/,
    );
    await cognito.updateUserPool({ UserPoolId });
    await cognito.deleteUserPool({ UserPoolId });
    expect(await failureOf(cognito.describeUserPool({ UserPoolId }))).toBe(
      `ResourceNotFoundException: User pool ${UserPoolId} does not exist.`,
    );
  });

  it('reject invalid settings', async () => {
    const { cognito } = test;
    const failing = (more: object) => failureOf(cognito.createUserPool({ PoolName: 'x', ...more }));
    expect(await failing({ AliasAttributes: ['email'], UsernameAttributes: ['email'] })).toMatch(/^InvalidParameter/);
    expect(await failing({ EmailVerificationMessage: 'no code here' })).toMatch(/^InvalidParameter.*####/);
    expect(await failing({ LambdaConfig: { PreSignUp: 'arn:aws:sqs:us-east-1:0:x-not-a-function' } })).toMatch(
      /Invalid lambda/,
    );
    const sender = { LambdaVersion: 'V1_0', LambdaArn: 'arn:aws:lambda:us-east-1:000000000000:function:f' };
    expect(await failing({ LambdaConfig: { CustomEmailSender: sender } })).toMatch(/^InvalidParameter.*KMSKeyID/);
    expect(await failing({ LambdaConfig: { KMSKeyID: 'arn:aws:sqs:us-east-1:000000000000:not-a-key' } })).toMatch(
      /^InvalidParameter.*KMS key/,
    );
    expect(await failing({ Schema: [{ Name: 'a', AttributeDataType: 'String', Required: true }] })).toMatch(
      /Required custom/,
    );
    expect(await failing({ Schema: [{ Name: 'a' }] })).toBe(
      'InvalidParameterException: Invalid AttributeDataType input, consider using the provided AttributeDataType enum.',
    );
    const { UserPool } = await cognito.createUserPool({ PoolName: 'x', Schema: [{ Name: 'email', Required: true }] });
    const ClientId = (await cognito.createUserPoolClient({ UserPoolId: UserPool!.Id!, ClientName: 'c' }))
      .UserPoolClient!.ClientId!;
    expect(await failureOf(cognito.signUp({ ClientId, Username: 'x', Password: PASSWORD }))).toBe(
      'InvalidParameterException: Attributes did not conform to the schema: email: The attribute is required\n',
    );
  });

  it('have the features of their plan', async () => {
    const { cognito } = test;
    const { UserPool } = await cognito.createUserPool({ PoolName: 'lite', UserPoolTier: 'LITE' });
    const UserPoolId = UserPool!.Id!;
    const arn = 'arn:aws:lambda:us-east-1:000000000000:function:f';
    const PreTokenGenerationConfig = { LambdaVersion: 'V2_0' as const, LambdaArn: arn };
    for (const refused of [
      cognito.createUserPoolDomain({ UserPoolId, Domain: 'lite', ManagedLoginVersion: 2 }),
      cognito.setUserPoolMfaConfig({ UserPoolId, EmailMfaConfiguration: {}, MfaConfiguration: 'OPTIONAL' }),
      cognito.createUserPoolClient({ UserPoolId, ClientName: 'c', ExplicitAuthFlows: ['ALLOW_USER_AUTH'] }),
      cognito.updateUserPool({ UserPoolId, UserPoolTier: 'LITE', LambdaConfig: { PreTokenGenerationConfig } }),
      cognito.updateUserPool({
        UserPoolId,
        UserPoolTier: 'LITE',
        UserPoolAddOns: { AdvancedSecurityMode: 'AUDIT' },
      }),
    ])
      expect(await failureOf(refused)).toMatch(/^FeatureUnavailableInTierException/);
    await cognito.createUserPoolDomain({ UserPoolId, Domain: 'lite' });
    expect(
      await failureOf(cognito.updateUserPoolDomain({ UserPoolId, Domain: 'lite', ManagedLoginVersion: 2 })),
    ).toMatch(/^FeatureUnavailableInTierException/);
  });

  it('configure second factors', async () => {
    const { cognito } = test;
    const { UserPoolId } = await test.make();
    expect(await failureOf(cognito.setUserPoolMfaConfig({ UserPoolId, MfaConfiguration: 'ON' }))).toBe(
      "InvalidParameterException: Invalid MFA configuration given, can't disable all MFAs with a required or optional configuration.",
    );
    const SmsConfiguration = { SnsCallerArn: 'arn:aws:iam::000000000000:role/sms' };
    for (const method of [
      { SoftwareTokenMfaConfiguration: { Enabled: true } },
      { EmailMfaConfiguration: {} },
      { SmsMfaConfiguration: { SmsConfiguration } },
    ])
      expect(await failureOf(cognito.setUserPoolMfaConfig({ UserPoolId, MfaConfiguration: 'OFF', ...method }))).toBe(
        "InvalidParameterException: Invalid MFA configuration given, can't turn off MFA and configure an MFA together.",
      );
    const withoutSms = { PoolName: 'x', MfaConfiguration: 'ON' as const };
    expect(await failureOf(cognito.createUserPool(withoutSms))).toBe(
      'InvalidParameterException: SMS configuration and Auto verification for phone_number are required when MFA is required/optional',
    );
    await cognito.setUserPoolMfaConfig({
      UserPoolId,
      MfaConfiguration: 'OPTIONAL',
      SoftwareTokenMfaConfiguration: { Enabled: true },
    });
    const { $metadata: _, ...config } = await cognito.getUserPoolMfaConfig({ UserPoolId });
    expect(config).toEqual({ MfaConfiguration: 'OPTIONAL', SoftwareTokenMfaConfiguration: { Enabled: true } });
    expect((await cognito.describeUserPool({ UserPoolId })).UserPool!.MfaConfiguration).toBe('OPTIONAL');
    // The Terraform provider plans no change (TestAccCognitoIDPUserPool_MFA_smsAndSoftwareTokenMFA).
    const off = {
      MfaConfiguration: 'ON' as const,
      SmsMfaConfiguration: { SmsConfiguration },
      SoftwareTokenMfaConfiguration: { Enabled: false },
    };
    await cognito.setUserPoolMfaConfig({ UserPoolId, ...off });
    expect(await cognito.getUserPoolMfaConfig({ UserPoolId })).toMatchObject(off);
  });

  it('get their id from a tag', async () => {
    const { cognito } = test;
    const { UserPool } = await cognito.createUserPool({ PoolName: 'x', UserPoolTags: { _custom_id_: 'fixed1' } });
    expect(UserPool!.Id).toBe('us-east-1_fixed1');
    expect(await failureOf(cognito.createUserPool({ PoolName: 'x', UserPoolTags: { _custom_id_: 'fixed1' } }))).toMatch(
      /already/,
    );
  });
});

describe('app clients', () => {
  let test: CognitoTest;
  beforeAll(async () => {
    test = await startCognito();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it('are created, described, changed, listed and deleted', async () => {
    const { cognito } = test;
    const { UserPoolId, ClientId } = await test.make({}, { GenerateSecret: true });
    const { UserPoolClient } = await cognito.describeUserPoolClient({ UserPoolId, ClientId });
    expect(UserPoolClient).toMatchObject({
      RefreshTokenValidity: 30,
      EnableTokenRevocation: true,
      AuthSessionValidity: 3,
    });
    expect(UserPoolClient!.ClientSecret).toHaveLength(51);
    await cognito.updateUserPoolClient({
      UserPoolId,
      ClientId,
      ClientName: 'renamed',
      AccessTokenValidity: 10,
      TokenValidityUnits: { AccessToken: 'minutes' },
    });
    const changed = (await cognito.describeUserPoolClient({ UserPoolId, ClientId })).UserPoolClient!;
    expect(changed).toMatchObject({
      ClientName: 'renamed',
      AccessTokenValidity: 10,
      ClientSecret: UserPoolClient!.ClientSecret,
    });
    expect((await cognito.listUserPoolClients({ UserPoolId })).UserPoolClients).toEqual([
      { ClientId, UserPoolId, ClientName: 'renamed' },
    ]);
    const { ClientSecretDescriptor } = await cognito.addUserPoolClientSecret({ UserPoolId, ClientId });
    expect((await cognito.listUserPoolClientSecrets({ UserPoolId, ClientId })).ClientSecrets).toHaveLength(2);
    expect(await failureOf(cognito.addUserPoolClientSecret({ UserPoolId, ClientId }))).toMatch(/^LimitExceeded/);
    await cognito.deleteUserPoolClientSecret({
      UserPoolId,
      ClientId,
      ClientSecretId: ClientSecretDescriptor!.ClientSecretId!,
    });
    expect((await cognito.listUserPoolClientSecrets({ UserPoolId, ClientId })).ClientSecrets).toHaveLength(1);
    await cognito.deleteUserPoolClient({ UserPoolId, ClientId });
    expect(await failureOf(cognito.describeUserPoolClient({ UserPoolId, ClientId }))).toBe(
      `ResourceNotFoundException: User pool client ${ClientId} does not exist.`,
    );
  });

  it('reject invalid settings', async () => {
    const { cognito } = test;
    const { UserPoolId } = await test.make();
    const failing = (more: object) => failureOf(cognito.createUserPoolClient({ UserPoolId, ClientName: 'x', ...more }));
    expect(await failing({ CallbackURLs: ['http://example.com/'], AllowedOAuthFlows: ['code'] })).toMatch(
      /HTTP protocol/,
    );
    expect(await failing({ AllowedOAuthScopes: ['none/read'] })).toMatch(/^ScopeDoesNotExistException/);
    expect(await failing({ AllowedOAuthFlows: ['client_credentials', 'code'] })).toMatch(/^InvalidOAuthFlowException/);
    expect(await failing({ ExplicitAuthFlows: ['ADMIN_NO_SRP_AUTH', 'ALLOW_USER_SRP_AUTH'] })).toMatch(
      /^InvalidParameter/,
    );
    expect(await failing({ AccessTokenValidity: 25 })).toMatch(/Invalid range for token validity/);
    expect(await failing({ SupportedIdentityProviders: ['Google'] })).toMatch(/does not exist/);
  });
});
