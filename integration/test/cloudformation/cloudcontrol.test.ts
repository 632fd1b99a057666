import { CloudControl } from '@aws-sdk/client-cloudcontrol';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudcontrol } from '@emu/svc-cloudcontrol/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as cognito } from '@emu/svc-cognito-idp/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as s3control } from '@emu/svc-s3control/manifest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

describe('Cloud Control with types of several services', () => {
  let emulator: TestEmulator;
  let control: CloudControl;
  beforeAll(async () => {
    emulator = await createTestEmulator({ manifests: [cloudcontrol, cloudformation, cognito, kinesis, s3, s3control] });
    control = new CloudControl(emulator.clientConfig());
  });
  afterAll(async () => {
    control?.destroy();
    await emulator?.[Symbol.asyncDispose]();
  });

  /** Waits for a request. @returns the identifier of its resource */
  const done = async (RequestToken: string | undefined): Promise<string> => {
    const status = async () => (await control.getResourceRequestStatus({ RequestToken })).ProgressEvent!;
    await expect.poll(async () => (await status()).OperationStatus, { timeout: 10_000 }).toBe('SUCCESS');
    return (await status()).Identifier!;
  };
  const create = async (TypeName: string, desired: object) =>
    done(
      (await control.createResource({ TypeName, DesiredState: JSON.stringify(desired) })).ProgressEvent!.RequestToken,
    );
  const get = async (TypeName: string, Identifier: string) =>
    JSON.parse((await control.getResource({ TypeName, Identifier })).ResourceDescription!.Properties!);

  test('creates, patches, lists and deletes a stream', async () => {
    const TypeName = 'AWS::Kinesis::Stream';
    const Identifier = await create(TypeName, { ShardCount: 1 });
    const PatchDocument = JSON.stringify([{ op: 'replace', path: '/RetentionPeriodHours', value: 48 }]);
    const { ProgressEvent } = await control.updateResource({ TypeName, Identifier, PatchDocument });
    await done(ProgressEvent!.RequestToken);
    expect(await get(TypeName, Identifier)).toMatchObject({ Name: Identifier, RetentionPeriodHours: 48 });
    const { ResourceDescriptions } = await control.listResources({ TypeName });
    expect(ResourceDescriptions).toEqual([{ Identifier, Properties: JSON.stringify({ Name: Identifier }) }]);
    await done((await control.deleteResource({ TypeName, Identifier })).ProgressEvent!.RequestToken);
    await expect(control.getResource({ TypeName, Identifier })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  test('tells unknown types from those that emu lacks', async () => {
    const DesiredState = '{}';
    await expect(control.createResource({ TypeName: 'AWS::EC2::VPC', DesiredState })).rejects.toMatchObject({
      name: 'NotImplemented',
      message: 'emu does not implement the type AWS::EC2::VPC.',
      $metadata: { httpStatusCode: 501 },
    });
    for (const TypeName of ['AWS::EC2::Nothing', 'My::Own::Type', 'AWS::Kinesis::Streams'])
      await expect(control.listResources({ TypeName })).rejects.toMatchObject({
        name: 'TypeNotFoundException',
        message: `The type '${TypeName}' cannot be found.`,
      });
  });

  test('lists child resources only if their parent is given', async () => {
    const pool = await create('AWS::Cognito::UserPool', { UserPoolName: 'pool' });
    const TypeName = 'AWS::Cognito::UserPoolGroup';
    const Identifier = await create(TypeName, { UserPoolId: pool, GroupName: 'admins' });
    expect(Identifier).toBe(`${pool}|admins`);
    await expect(control.listResources({ TypeName })).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message:
        'Missing or invalid ResourceModel property in AWS::Cognito::UserPoolGroup list handler request input.Required property: (#: required key [UserPoolId] not found)',
    });
    const ResourceModel = JSON.stringify({ UserPoolId: pool });
    const { ResourceDescriptions } = await control.listResources({ TypeName, ResourceModel });
    expect(ResourceDescriptions?.map((found) => found.Identifier)).toEqual([Identifier]);
  });

  test('accepts identifiers inside a property', async () => {
    const TypeName = 'AWS::S3::StorageLens';
    const StorageLensConfiguration = { Id: 'lens', AccountLevel: { BucketLevel: {} }, IsEnabled: true };
    expect(await create(TypeName, { StorageLensConfiguration })).toBe('lens');
    const { ResourceDescriptions = [] } = await control.listResources({ TypeName });
    const listed = ResourceDescriptions.find(({ Identifier }) => Identifier === 'lens');
    expect(JSON.parse(listed!.Properties!)).toEqual({ StorageLensConfiguration: { Id: 'lens' } });
    expect(await get(TypeName, 'lens')).toMatchObject({ StorageLensConfiguration });
  });
});
