import type { Located, Timestamp } from './common.ts';

/** A repository. */
export interface EcrRepository extends Located {
  repositoryName: string;
  repositoryArn: string;
  repositoryUri: string;
  imageTagMutability: string;
  imageCount: number;
  createdAt: Timestamp;
}

/** An image of a repository. */
export interface EcrImage extends Located {
  repositoryName: string;
  /** e.g. `sha256:…`. */
  imageDigest: string;
  imageTags: string[];
  imageManifestMediaType: string;
  imageSizeInBytes: number;
  imagePushedAt: Timestamp;
  lastRecordedPullTime?: Timestamp;
}

/** A pull-through cache rule. */
export interface EcrPullThroughRule extends Located {
  ecrRepositoryPrefix: string;
  upstreamRegistryUrl: string;
  upstreamRegistry?: string;
  credentialArn?: string;
  createdAt: Timestamp;
}
