import { type DeepReadonly, defineCollection } from '@emu/core/service';
import type {
  EncryptionConfiguration,
  ImageTagMutability,
  ImageTagMutabilityExclusionFilter,
  Tag,
} from '@emu/service-types/ecr';

/** A repository, keyed by name. Times are epoch milliseconds. */
export interface RepositoryRecord {
  name: string;
  createdAt: number;
  mutability: ImageTagMutability;
  exclusions?: ImageTagMutabilityExclusionFilter[];
  scanOnPush: boolean;
  encryption: EncryptionConfiguration;
  tags: Tag[];
  /** Policy text, as given. */
  policy?: string;
  /** Lifecycle policy text, as given. */
  lifecycle?: { text: string; at: number };
}

/** A stored repository. */
export type Repository = DeepReadonly<RepositoryRecord>;

export const repositoryCollection = defineCollection<RepositoryRecord>('repositories', 'region', {
  content: ['policy', 'lifecycle'],
});

/** Collections of ECR. */
export const collections = [repositoryCollection] as const;
