import { manifest as ecr } from '@emu/svc-ecr/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { describeTypes, typeCase } from './support.ts';

describeTypes(
  [ecr, kms],
  [
    typeCase({
      type: 'AWS::ECR::Repository',
      least: () => ({}),
      most: () => ({
        EmptyOnDelete: true,
        ImageScanningConfiguration: { ScanOnPush: true },
        ImageTagMutability: 'IMMUTABLE_WITH_EXCLUSION',
        ImageTagMutabilityExclusionFilters: [
          { ImageTagMutabilityExclusionFilterType: 'WILDCARD', ImageTagMutabilityExclusionFilterValue: 'dev-*' },
        ],
        LifecyclePolicy: {
          LifecyclePolicyText: JSON.stringify({
            rules: [
              {
                rulePriority: 1,
                selection: { tagStatus: 'untagged', countType: 'imageCountMoreThan', countNumber: 3 },
                action: { type: 'expire' },
              },
            ],
          }),
        },
        RepositoryPolicyText: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Principal: '*', Action: 'ecr:BatchGetImage' }],
        },
        Tags: [{ Key: 'a', Value: '1' }],
      }),
      other: () => ({ RepositoryName: 'team/named', EncryptionConfiguration: { EncryptionType: 'AES256' } }),
      unread: { EmptyOnDelete: 'says only how it is deleted' },
    }),
  ],
);
