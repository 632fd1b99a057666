import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DirectoryResource, resourceDirectory, type ServiceManifest } from '@emu/core/service';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import type { ServiceModel } from '@emu/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, LEFT_OUT, LISTS, MAKERS } from './makers.ts';

const ACCOUNT = '000000000000';
const REGION = 'us-east-1';
const PACKAGES = join(import.meta.dirname, '../../../packages');
/** Operations that list tags by ARN. */
const BY_ARN = ['ListTagsForResource', 'ListTagsOfResource', 'ListTags', 'GetTags'];
const MAX_TAGS = 50;
/** What refusals of too many tags say. */
const TOO_MANY = /50|limit|maximum number|quota|[Tt]oo many/;

interface Service {
  readonly name: string;
  readonly model: ServiceModel;
  readonly types: readonly { readonly name: string; readonly isTagged: boolean }[];
}

const services: Service[] = [];
let emulator: TestEmulator;
let call: Call;
beforeAll(async () => {
  const manifests: ServiceManifest[] = [];
  for (const folder of readdirSync(PACKAGES).filter((name) => name.startsWith('svc-'))) {
    const modules = (await import(join(PACKAGES, folder, 'src/manifest.ts'))) as Record<string, ServiceManifest>;
    for (const manifest of Object.values(modules).filter((value) => typeof value?.load === 'function')) {
      const { name, model, resources = [] } = await manifest.load();
      services.push({ name, model, types: resources });
      manifests.push(manifest);
    }
  }
  emulator = await createTestEmulator({ manifests });
  const as = { accountId: ACCOUNT, region: REGION };
  call = (service, operation, input = {}) => emulator.kernel.callJson(service, operation, input, as) as Promise<never>;
});
afterAll(() => emulator?.close());

/** The resource of a type that was created last. */
async function resourceOf(service: string, type: string): Promise<DirectoryResource> {
  const directory = (await emulator.kernel.capability(resourceDirectory))!;
  return [...directory.list(ACCOUNT, REGION)].findLast((found) => found.service === service && found.type === type)!;
}

/** The operation that lists the tags of a resource, with its input. */
function listing(id: string, { arn, key }: DirectoryResource): [operation: string, input: object] {
  const irregular = LISTS[id];
  if (irregular) return irregular(key as Record<string, string>, arn);
  const { model } = services.find(({ name }) => name === serviceOf(id))!;
  const operation = BY_ARN.find((name) => model.operations[name])!;
  const { required = [] } = model.shapes[model.operations[operation]!.input!.shape]!;
  return [operation, Object.fromEntries(required.map((name) => [name, name === 'AccountId' ? ACCOUNT : arn]))];
}

/** The API of a service that has its operations on tags. */
const serviceOf = (id: string) => id.split(' ')[0]!.replace(/^ses$/, 'sesv2');

const tags = async (id: string, resource: DirectoryResource): Promise<string> => {
  const [operation, input] = listing(id, resource);
  try {
    return JSON.stringify(await call(serviceOf(id), operation, input));
  } catch (error) {
    // S3's error for a bucket without tags.
    if ((error as { code?: string }).code === 'NoSuchTagSet') return '';
    throw error;
  }
};

/** ARNs that the tagging API finds by a key. */
async function found(Key: string): Promise<string[]> {
  const { ResourceTagMappingList: list } = (await call('resourcegroupstaggingapi', 'GetResources', {
    TagFilters: [{ Key }],
  })) as { ResourceTagMappingList: { ResourceARN: string }[] };
  return list.map(({ ResourceARN }) => ResourceARN);
}

type Failures = Readonly<Record<string, { StatusCode: number; ErrorMessage: string }>>;

/** Changes tags through the tagging API. @returns failures by ARN */
async function change(operation: 'TagResources' | 'UntagResources', arn: string, input: object): Promise<Failures> {
  const answer = await call('resourcegroupstaggingapi', operation, { ResourceARNList: [arn], ...input });
  return (answer as { FailedResourcesMap: Failures }).FailedResourcesMap;
}

test('a maker creates a resource of every tagged type', () => {
  const types = services.flatMap(({ name, types: all }) =>
    all.filter(({ isTagged }) => isTagged).map((type) => `${name} ${type.name}`),
  );
  const known = new Set([...Object.keys(MAKERS), ...Object.keys(LEFT_OUT)]);
  expect([...new Set(types)].filter((type) => !known.has(type) && !type.startsWith('sesv2 '))).toEqual([]);
  expect([...known].filter((type) => !types.includes(type))).toEqual([]);
});

describe('the tags of', () => {
  test.each(Object.keys(MAKERS))('%s are set, listed, found, limited and removed', async (id) => {
    await MAKERS[id]!(call);
    const [service, ...words] = id.split(' ');
    const resource = await resourceOf(service!, words.join(' '));
    const { arn } = resource;

    expect(await change('TagResources', arn, { Tags: { 'made-key': 'made value' } })).toEqual({});
    expect(await tags(id, resource)).toMatch(/made-key.*made value/);
    expect(await found('made-key')).toContain(arn);

    const many = Object.fromEntries(Array.from({ length: MAX_TAGS }, (_, number) => [`key${number}`, 'x']));
    expect(await change('TagResources', arn, { Tags: many })).toEqual({
      [arn]: expect.objectContaining({ ErrorMessage: expect.stringMatching(TOO_MANY) }),
    });
    expect(await found('key0')).not.toContain(arn);

    expect(await change('UntagResources', arn, { TagKeys: ['made-key', 'no-key'] })).toEqual({});
    expect(await tags(id, resource)).not.toContain('made-key');
    expect(await found('made-key')).not.toContain(arn);

    const unknown = `${arn}x`;
    const refused = await change('TagResources', unknown, { Tags: { a: 'b' } });
    expect(refused[unknown]?.StatusCode).toBeOneOf([400, 404]);
  });
});
