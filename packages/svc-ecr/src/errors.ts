import type { EcrErrorName } from '@emu/service-types/ecr';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
const ecrError: ErrorsOf<EcrErrorName> = awsError;

const of = (name: string, registry: string): string =>
  `the repository with name '${name}' in the registry with id '${registry}'`;

/** `InvalidParameterException`. */
export const invalidParameter = (message: string): AwsError => ecrError('InvalidParameterException', message);
/** `InvalidTagParameterException`. */
export const invalidTag = (message: string): AwsError => ecrError('InvalidTagParameterException', message);
/** `TooManyTagsException`. */
export const tooManyTags = (message: string): AwsError => ecrError('TooManyTagsException', message);
/** `KmsException`. */
export const kmsRefused = (message: string): AwsError => ecrError('KmsException', message);
/** `RepositoryAlreadyExistsException`. */
export const alreadyExists = (name: string, registry: string): AwsError =>
  ecrError(
    'RepositoryAlreadyExistsException',
    `The repository with name '${name}' already exists in the registry with id '${registry}'`,
  );
/** `RepositoryNotFoundException`. */
export const repositoryNotFound = (name: string, registry: string): AwsError =>
  ecrError(
    'RepositoryNotFoundException',
    `The repository with name '${name}' does not exist in the registry with id '${registry}'`,
  );
/** `RepositoryPolicyNotFoundException`. */
export const policyNotFound = (name: string, registry: string): AwsError =>
  ecrError('RepositoryPolicyNotFoundException', `Repository policy does not exist for ${of(name, registry)}`);
/** `LifecyclePolicyNotFoundException`. */
export const lifecycleNotFound = (name: string, registry: string): AwsError =>
  ecrError('LifecyclePolicyNotFoundException', `Lifecycle policy does not exist for ${of(name, registry)}`);
/** Creates a `LimitExceededException` for repositories. */
export const repositoryLimit = (limit: number): AwsError =>
  ecrError('LimitExceededException', `The registry has reached its limit of ${limit} repositories.`);
