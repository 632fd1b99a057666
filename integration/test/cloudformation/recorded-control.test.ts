import { CloudControl } from '@aws-sdk/client-cloudcontrol';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { ResourceGroups } from '@aws-sdk/client-resource-groups';
import { ResourceGroupsTaggingAPI } from '@aws-sdk/client-resource-groups-tagging-api';
import { S3 } from '@aws-sdk/client-s3';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudcontrol } from '@emu/svc-cloudcontrol/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as resourcegroups } from '@emu/svc-resourcegroups/manifest';
import { manifest as tagging } from '@emu/svc-resourcegroupstaggingapi/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ended, hasRecordings, played, type Step } from './recorded/recordings.ts';
import { resources, topic } from './recorded/templates.ts';

let emulator: TestEmulator;
let control: CloudControl;
let groups: ResourceGroups;
let s3: S3;
let sqs: SQS;
let cfn: CloudFormation;

beforeAll(async () => {
  if (!hasRecordings) return;
  emulator = await createTestEmulator({
    manifests: [cloudcontrol, cloudformation, resourcegroups, s3Manifest, sns, sqsManifest, tagging],
    settings: { accountId: '111111111111' },
  });
  const config = emulator.clientConfig();
  control = new CloudControl(config);
  groups = new ResourceGroups(config);
  s3 = new S3(config);
  sqs = new SQS(config);
  cfn = new CloudFormation(config);
});
afterAll(() => emulator?.close());

const BUCKET = 'AWS::S3::Bucket';
const UNKNOWN = 'AWS::LocalStack::DoesNotExist';
const create = (DesiredState: object, more: object = {}) =>
  control.createResource({ TypeName: BUCKET, DesiredState: JSON.stringify(DesiredState), ...more });

/** Waits until a request has ended. */
async function end({ ProgressEvent }: { ProgressEvent?: { RequestToken?: string | undefined } | undefined }) {
  const RequestToken = ProgressEvent!.RequestToken!;
  const status = () => control.getResourceRequestStatus({ RequestToken });
  await expect
    .poll(async () => (await status()).ProgressEvent!.OperationStatus, { interval: 5, timeout: 20_000 })
    .not.toBe('IN_PROGRESS');
  return RequestToken;
}

const control_ = 'TestCloudControlResourceApi::';
const resourcesOfControl: Record<string, (step: Step) => Promise<unknown>> = {
  [`${control_}test_lifecycle`]: async (step) => {
    const place = { TypeName: BUCKET, Identifier: 'lifecycle' };
    const made = await step('create_response', create({ BucketName: 'lifecycle' }));
    await step('get_status_response', control.getResourceRequestStatus({ RequestToken: await end(made) }));
    // The recording predates default encryption and default public access blocks of buckets; its model has neither.
    const deleted = await step('delete_response', control.deleteResource(place));
    const RequestToken = await end(deleted);
    await step('get_request_status_response_postdelete', control.getResourceRequestStatus({ RequestToken }));
  },
  [`${control_}test_api_exceptions`]: async (step) => {
    const place = { TypeName: UNKNOWN, Identifier: 'any' };
    await step('create_nonexistingtype', control.createResource({ TypeName: UNKNOWN, DesiredState: '{}' }));
    await step('delete_nonexistingtype', control.deleteResource(place));
    await step('delete_nonexistingresource', control.deleteResource({ TypeName: BUCKET, Identifier: 'nowhere' }));
    await step('get_nonexistingtype', control.getResource(place));
    await step('update_nonexistingtype', control.updateResource({ ...place, PatchDocument: '[]' }));
    await step('update_invalidpatchdocument', control.updateResource({ ...place, PatchDocument: '[{}]' }));
    await step('list_nonexistingtype', control.listResources({ TypeName: UNKNOWN }));
  },
  [`${control_}test_list_resources`]: async (step) => {
    for (const BucketName of ['listed-1', 'listed-2']) await end(await create({ BucketName }));
    const { ResourceDescriptions, TypeName } = await control.listResources({ TypeName: BUCKET });
    await step('list_paginated_all_filtered', {
      TypeName,
      ResourceDescriptions: ResourceDescriptions!.filter(({ Identifier }) => Identifier!.startsWith('listed')),
    });
    await step('list_typenotfound_exc', control.listResources({ TypeName: 'AWS::DoesNot::Exist' }));
  },
  [`${control_}test_double_create_with_client_token`]: async (step) => {
    const ClientToken = 'once';
    await step('create_response', create({ BucketName: 'double' }, { ClientToken }));
    await step('create_response_duplicate_exc', create({ BucketName: 'other' }, { ClientToken }));
  },
  [`${control_}test_create_exceptions`]: async (step) => {
    const made = await step('create_response', create({ BucketName: 'created' }));
    await end(made);
    const missing = await create({});
    await end(missing);
    await step('create_extra_property_exc', create({ BucketName: 'extra', BucketSomething: 'x' }));
  },
  [`${control_}test_create_invalid_desiredstate`]: async (step) => {
    await step('create_invalid_state_exc_invalid_field', create({ DOESNOTEXIST: 'x' }));
    await step('create_invalid_state_exc_invalid_type', create({ BucketName: true }));
  },
  [`${control_}test_update`]: async (step) => {
    await end(await create({ BucketName: 'updated' }));
    const PatchDocument = JSON.stringify([{ op: 'replace', path: '/BucketName', value: 'another' }]);
    await step(
      'update_createonlyproperty_exc',
      control.updateResource({ TypeName: BUCKET, Identifier: 'updated', PatchDocument }),
    );
  },
  test_invalid_request_token_exc: async (step) => {
    const RequestToken = 'DOESNOTEXIST';
    await step('get_token_not_found', control.getResourceRequestStatus({ RequestToken }));
    await step('cancel_token_not_found', control.cancelResourceRequest({ RequestToken }));
  },
  'test_cancel_edge_cases[SUCCESS]': async (step) => {
    const made = await step('create_response', create({ BucketName: 'cancelled' }));
    await step('cancel_in_success_exc', control.cancelResourceRequest({ RequestToken: await end(made) }));
  },
};

const STAGE = { Key: 'Stage', Values: ['test-resource-group'] };
const query = (TagFilters: object[], types = ['AWS::AllSupported']) => ({
  Type: 'TAG_FILTERS_1_0' as const,
  Query: JSON.stringify({ ResourceTypeFilters: types, TagFilters }),
});
const tagged = { Stage: 'test-resource-group' };
const bucketWithTag = async (Bucket: string) => {
  await s3.createBucket({ Bucket });
  await s3.putBucketTagging({ Bucket, Tagging: { TagSet: [{ Key: 'Stage', Value: 'test-resource-group' }] } });
};
const removed = async (buckets: string[], queues: string[], names: string[]) => {
  for (const Bucket of buckets) await s3.deleteBucket({ Bucket });
  for (const QueueName of queues) await sqs.deleteQueue({ QueueUrl: (await sqs.getQueueUrl({ QueueName })).QueueUrl });
  for (const Group of names) await groups.deleteGroup({ Group });
};
const make = (Name: string, more: object) =>
  groups.createGroup({ Name, Description: 'test-tag-query', Tags: { GroupTag: 'GroupTag1' }, ...more });
/** Returns the resources of a group without the group itself, which had no tags in the recording. */
const members = (Group: string) => groups.listGroupResources({ Group });

const ofGroups: Record<string, (step: Step) => Promise<unknown>> = {
  'TestResourceGroups::test_create_group': async (step) => {
    await step(
      'create-group',
      groups.createGroup({
        Name: 'made',
        Description: 'description',
        ResourceQuery: query([{ Key: 'resources_tag_key', Values: ['resources_tag_value'] }]),
        Tags: { resource_group_tag_key: 'resource_group_tag_value' },
      }),
    );
    await step('get-group', groups.getGroup({ GroupName: 'made' }));
    await step('delete-group', groups.deleteGroup({ GroupName: 'made' }));
  },
  test_resource_groups_tag_query: async (step) => {
    await step('create-group', make('tagged', { ResourceQuery: query([STAGE]) }));
    await step('list-group-resources-empty', members('tagged'));
    await bucketWithTag('in-group');
    await step('list-group-resources', members('tagged'));
    await sqs.createQueue({ QueueName: 'in-group', tags: tagged });
    const { QueueUrl } = await sqs.getQueueUrl({ QueueName: 'in-group' });
    await step('get-queue-tags', sqs.listQueueTags({ QueueUrl }));
    await step('list-group-resources-after-queue-removal', members('tagged'));
    await removed(['in-group'], ['in-group'], ['tagged']);
  },
  test_resource_type_filters: async (step) => {
    await bucketWithTag('filtered');
    await sqs.createQueue({ QueueName: 'filtered', tags: tagged });
    await step('create-group', make('filtered', { ResourceQuery: query([STAGE], [BUCKET]) }));
    await step('list-group-resources', members('filtered'));
    await removed(['filtered'], ['filtered'], ['filtered']);
  },
  test_search_resources: async (step) => {
    await sqs.createQueue({ QueueName: 'searched', tags: tagged });
    const { QueueUrl } = await sqs.getQueueUrl({ QueueName: 'searched' });
    await step('queue-tags', sqs.listQueueTags({ QueueUrl }));
    const search = (type: string) => groups.searchResources({ ResourceQuery: query([STAGE], [type]) });
    await step('list-group-resources-sqs', search('AWS::SQS::Queue'));
    await step('list-group-resources-s3', search(BUCKET));
    await removed([], ['searched'], []);
  },
  test_cloudformation_query: async (step) => {
    const TemplateBody = JSON.stringify(resources({ Topic: topic('of-stack') }));
    const { StackId } = await cfn.createStack({ StackName: 'grouped', TemplateBody });
    await ended(cfn, StackId!);
    const ResourceQuery = {
      Type: 'CLOUDFORMATION_STACK_1_0' as const,
      Query: JSON.stringify({ ResourceTypeFilters: ['AWS::AllSupported'], StackIdentifier: StackId }),
    };
    await step('create-group', groups.createGroup({ Name: 'of-stack', Description: 'test-cfn-query', ResourceQuery }));
    await step('list-group-resources', members('of-stack'));
    await cfn.deleteStack({ StackName: 'grouped' });
    await ended(cfn, StackId!);
    await step('list-group-resources-after-destroy', members('of-stack'));
    await step('create-group-with-delete-stack', groups.createGroup({ Name: 'late', ResourceQuery }));
    await removed([], [], ['of-stack']);
  },
  'TestRGSAIntegrations::test_get_resources': async (step) => {
    await sqs.createQueue({ QueueName: 'found', tags: { test: 'test' } });
    const client = new ResourceGroupsTaggingAPI(emulator.clientConfig());
    await step('get_resources', client.getResources({ TagFilters: [{ Key: 'test', Values: ['test'] }] }));
  },
};

describe.skipIf(!hasRecordings)('recorded Cloud Control, groups and tags', () => {
  test.each(Object.entries({ ...resourcesOfControl, ...ofGroups }))('%s', async (name, program) => {
    expect(await played(name, program)).toEqual([]);
  });
});
