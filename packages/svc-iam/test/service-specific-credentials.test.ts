import { expect, test } from 'vitest';
import { failureOf, startIam } from './support.ts';

const DAY = 86_400_000;

test.each(['codecommit.amazonaws.com', 'cassandra.amazonaws.com'])(
  'a name and a password for %s',
  async (ServiceName) => {
    await using t = await startIam();
    await t.iam.createUser({ UserName: 'jane' });
    const { ServiceSpecificCredential: made } = await t.iam.createServiceSpecificCredential({
      UserName: 'jane',
      ServiceName,
    });
    expect(made).toEqual({
      UserName: 'jane',
      ServiceName,
      ServiceUserName: 'jane-at-123456789012',
      ServicePassword: expect.stringMatching(/^.{44}$/),
      ServiceSpecificCredentialId: expect.stringMatching(/^ACCA[A-Z2-7]{17}$/),
      Status: 'Active',
      CreateDate: expect.any(Date),
    });
    const id = { UserName: 'jane', ServiceSpecificCredentialId: made!.ServiceSpecificCredentialId! };
    await t.iam.updateServiceSpecificCredential({ ...id, Status: 'Inactive' });
    const { ServicePassword, ...listed } = made!;
    expect((await t.iam.listServiceSpecificCredentials({ UserName: 'jane' })).ServiceSpecificCredentials).toEqual([
      { ...listed, Status: 'Inactive' },
    ]);
    const { ServiceSpecificCredential: reset } = await t.iam.resetServiceSpecificCredential(id);
    expect(reset).toMatchObject({ ...listed, Status: 'Inactive', ServicePassword: expect.any(String) });
    expect(reset!.ServicePassword).not.toBe(ServicePassword);
    const second = await t.iam.createServiceSpecificCredential({ UserName: 'jane', ServiceName });
    expect(second.ServiceSpecificCredential!.ServiceUserName).toBe('jane+1-at-123456789012');
    expect(await failureOf(t.iam.createServiceSpecificCredential({ UserName: 'jane', ServiceName }))).toContain(
      'LimitExceeded: ',
    );
    expect(await failureOf(t.iam.deleteUser({ UserName: 'jane' }))).toBe(
      'DeleteConflict: Cannot delete entity, must remove referenced objects first.',
    );
    await t.iam.deleteServiceSpecificCredential(id);
    expect((await t.iam.listServiceSpecificCredentials({ UserName: 'jane' })).ServiceSpecificCredentials).toHaveLength(
      1,
    );
  },
);

test('API keys of Bedrock expire', async () => {
  await using t = await startIam();
  await t.iam.createUser({ UserName: 'jane' });
  const { ServiceSpecificCredential: key } = await t.iam.createServiceSpecificCredential({
    UserName: 'jane',
    ServiceName: 'bedrock.amazonaws.com',
    CredentialAgeDays: 30,
  });
  expect(key).toMatchObject({ ServiceCredentialAlias: 'jane-at-123456789012', Status: 'Active' });
  expect(key!.ExpirationDate!.getTime() - key!.CreateDate!.getTime()).toBe(30 * DAY);
  expect(key!.ServiceCredentialSecret).toMatch(/^ABSK/);
  expect(Buffer.from(key!.ServiceCredentialSecret!.slice(4), 'base64').toString()).toMatch(
    /^jane-at-123456789012:.{44}$/,
  );
  expect(key).not.toHaveProperty('ServicePassword');
  await t.emulator.kernel.clock.advance(30 * DAY);
  const { ServiceSpecificCredentials } = await t.iam.listServiceSpecificCredentials({
    AllUsers: true,
    ServiceName: 'bedrock.amazonaws.com',
  });
  expect(ServiceSpecificCredentials).toMatchObject([{ UserName: 'jane', Status: 'Expired' }]);
  expect(
    await failureOf(
      t.iam.createServiceSpecificCredential({
        UserName: 'jane',
        ServiceName: 'codecommit.amazonaws.com',
        CredentialAgeDays: 1,
      }),
    ),
  ).toContain('ValidationError: ');
});

test('rejects unknown users, services and credentials', async () => {
  await using t = await startIam();
  await t.iam.createUser({ UserName: 'jane' });
  await t.iam.createUser({ UserName: 'john' });
  for (const ServiceName of ['nonexistentservice.amazonaws.com', 'o3on3n3onosneo', 'lambda.amazonaws.com']) {
    const refusal = `NoSuchEntity: No such service ${ServiceName} is supported for Service Specific Credentials`;
    expect(await failureOf(t.iam.createServiceSpecificCredential({ UserName: 'jane', ServiceName }))).toBe(refusal);
    expect(await failureOf(t.iam.listServiceSpecificCredentials({ UserName: 'jane', ServiceName }))).toBe(refusal);
    expect(await failureOf(t.iam.createServiceSpecificCredential({ UserName: 'nobody', ServiceName }))).toBe(
      'NoSuchEntity: The user with name nobody cannot be found.',
    );
  }
  const { ServiceSpecificCredential } = await t.iam.createServiceSpecificCredential({
    UserName: 'jane',
    ServiceName: 'codecommit.amazonaws.com',
  });
  const ServiceSpecificCredentialId = ServiceSpecificCredential!.ServiceSpecificCredentialId!;
  expect(
    (await t.iam.listServiceSpecificCredentials({ UserName: 'jane', ServiceName: 'cassandra.amazonaws.com' }))
      .ServiceSpecificCredentials,
  ).toEqual([]);
  for (const [UserName, id, refusal] of [
    ['jane', 'satisfiesregexbutstillinvalid', 'NoSuchEntity: No such credential satisfiesregexbutstillinvalid exists'],
    ['john', ServiceSpecificCredentialId, `NoSuchEntity: No such credential ${ServiceSpecificCredentialId} exists`],
    [
      'jane',
      'totally-wrong-credential-id-with-hyphens',
      "ValidationError: 1 validation error detected: Value at 'serviceSpecificCredentialId' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w]+",
    ],
  ] as const) {
    const input = { UserName, ServiceSpecificCredentialId: id };
    expect(await failureOf(t.iam.updateServiceSpecificCredential({ ...input, Status: 'Active' }))).toBe(refusal);
    expect(await failureOf(t.iam.resetServiceSpecificCredential(input))).toBe(refusal);
    expect(await failureOf(t.iam.deleteServiceSpecificCredential(input))).toBe(refusal);
  }
});
