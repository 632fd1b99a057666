import * as sdk from '@aws-sdk/client-ecr';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-ecr/model/ecr.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const resourceArn = 'arn:aws:ecr:us-east-1:123456789012:repository/known';
const known = () => ({ repositoryName: 'known' });

const policy = (Action: string) =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Principal: '*', Action }] });
const lifecycle = (countNumber: number) =>
  JSON.stringify({
    rules: [
      {
        rulePriority: 1,
        selection: { tagStatus: 'untagged', countType: 'imageCountMoreThan', countNumber },
        action: { type: 'expire' },
      },
    ],
  });

/** Creates two repositories, one with all settings. */
async function setUp(send: Send): Promise<Facts> {
  await send('CreateRepository', { ...known(), tags: [{ Key: 'team', Value: 'a' }] });
  await send('SetRepositoryPolicy', { ...known(), policyText: policy('ecr:BatchGetImage') });
  await send('PutLifecyclePolicy', { ...known(), lifecyclePolicyText: lifecycle(3) });
  await send('CreateRepository', { repositoryName: 'other' });
  return {};
}

/** Returns every repository, with all settings of the known one. */
async function observe(send: Send): Promise<unknown> {
  const answer = (operation: string, input: Record<string, unknown>) =>
    send(operation, input).then(
      ({ $metadata: _, ...rest }) => rest,
      (error: Error) => error.name,
    );
  return [
    await answer('DescribeRepositories', {}),
    await answer('GetRepositoryPolicy', known()),
    await answer('GetLifecyclePolicy', known()),
    await answer('ListTagsForResource', { resourceArn }),
  ];
}

const filters = [{ filterType: 'WILDCARD', filter: 'dev-*' }];

/** Amazon Elastic Container Registry. */
export const ecr: Scenario = {
  service: 'ecr',
  others: ['kms'],
  model: model as unknown as ServiceModel,
  client: (emulator) => sender(new sdk.ECRClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk),
  setUp,
  observe,
  inputs: {
    CreateRepository: () => ({ repositoryName: 'new' }),
    DeleteLifecyclePolicy: known,
    DeleteRepository: known,
    DeleteRepositoryPolicy: known,
    GetLifecyclePolicy: known,
    GetRepositoryPolicy: known,
    ListTagsForResource: () => ({ resourceArn }),
    PutImageScanningConfiguration: () => ({ ...known(), imageScanningConfiguration: { scanOnPush: true } }),
    PutImageTagMutability: () => ({ ...known(), imageTagMutability: 'IMMUTABLE' }),
    PutLifecyclePolicy: () => ({ ...known(), lifecyclePolicyText: lifecycle(4) }),
    SetRepositoryPolicy: () => ({ ...known(), policyText: policy('ecr:PutImage') }),
    TagResource: () => ({ resourceArn, tags: [{ Key: 'new', Value: 'x' }] }),
    UntagResource: () => ({ resourceArn, tagKeys: ['team'] }),
  },
  also: {
    CreateRepository: [
      () => ({
        repositoryName: 'new',
        imageTagMutability: 'IMMUTABLE_WITH_EXCLUSION',
        imageTagMutabilityExclusionFilters: filters,
      }),
      () => ({ repositoryName: 'new', encryptionConfiguration: { encryptionType: 'KMS' } }),
    ],
    PutImageTagMutability: [
      () => ({
        ...known(),
        imageTagMutability: 'IMMUTABLE_WITH_EXCLUSION',
        imageTagMutabilityExclusionFilters: filters,
      }),
    ],
  },
  values: {
    'DescribeRepositories.repositoryNames': [['other']],
  },
  reads: {
    DescribeRepositories: (send) => send('DeleteRepository', { repositoryName: 'other' }),
    GetLifecyclePolicy: (send) => send('PutLifecyclePolicy', { ...known(), lifecyclePolicyText: lifecycle(5) }),
    GetRepositoryPolicy: (send) => send('SetRepositoryPolicy', { ...known(), policyText: policy('ecr:PutImage') }),
    ListTagsForResource: (send) => send('TagResource', { resourceArn, tags: [{ Key: 'new', Value: 'x' }] }),
  },
};
