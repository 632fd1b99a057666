import { permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { EcrOperations } from '@emu/service-types/ecr';
import { repositoryType } from './resources.ts';
import type { EcrState } from './state.ts';

/**
 * Permissions of the operations: their action on the repository, or on each repository in a list.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonelasticcontainerregistry.html
 */
export const authorization: ServiceAuthorization<EcrOperations, EcrState> = {
  // https://docs.aws.amazon.com/AmazonECR/latest/userguide/ecr-using-tags.html
  tagOnCreate: { CreateRepository: 'TagResource' },
  operations: {
    DescribeRepositories: ({ registryId, repositoryNames = [] }, { accountId, region, handle }) => {
      const place = { accountId: registryId ?? accountId, region };
      const names = repositoryNames.length > 0 ? repositoryNames : ['*'];
      return names.map((name) =>
        permissionOn('ecr:DescribeRepositories', repositoryType, { key: { name }, place }, handle),
      );
    },
  },
};
