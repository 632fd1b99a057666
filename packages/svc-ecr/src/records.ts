import { type DeepReadonly, defineCollection } from '@emu/core';
import type {
  EncryptionConfiguration,
  ImageTagMutability,
  ImageTagMutabilityExclusionFilter,
  Tag,
} from '@emu/service-types/ecr';

/** A repository, kept by its name. Times are epoch milliseconds. */
export interface RepositoryRecord {
  name: string;
  createdAt: number;
  mutability: ImageTagMutability;
  exclusions?: ImageTagMutabilityExclusionFilter[];
  scanOnPush: boolean;
  encryption: EncryptionConfiguration;
  tags: Tag[];
  /** Its policy, as it was given. */
  policy?: string;
  /** What removes its images, as it was given. */
  lifecycle?: { text: string; at: number };
}

/** A repository as it is kept. */
export type Repository = DeepReadonly<RepositoryRecord>;

export const repositoryCollection = defineCollection<RepositoryRecord>('repositories', 'region', {
  content: ['policy', 'lifecycle'],
});

/** Everything ECR keeps. */
export const collections = [repositoryCollection] as const;
