import { defineResource, dnsSuffixOf, taggedResource } from '@emu/core/service';
import type { EcrState } from './state.ts';
import { tagging } from './tags.ts';

/**
 * Repositories.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonelasticcontainerregistry.html
 */
export const repositoryType = defineResource({
  name: 'repository',
  service: 'ecr',
  scope: 'region',
  format: 'repository/{name+}',
  cloudFormation: 'AWS::ECR::Repository',
  arnMembers: ['resourceArn'],
  identify: ({ repositoryName: name }, place) => (typeof name === 'string' ? { key: { name }, place } : undefined),
  find: (state: EcrState, { name }) => (state.repository(name) ? { name } : undefined),
  list: (state) => state.list().map(({ name }) => ({ name })),
  tagged: {
    tagging,
    find: (state, { name }) =>
      taggedResource(
        () => state.repository(name),
        (change) => state.change(name, change),
      ),
  },
  policy: (state, { name }) => state.repository(name)?.policy,
});

/** Returns the URI of a repository for container clients. */
export const repositoryUri = (name: string, { accountId, region }: { accountId: string; region: string }): string =>
  `${accountId}.dkr.ecr.${region}.${dnsSuffixOf(region)}/${name}`;
