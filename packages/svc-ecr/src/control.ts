import type { DeclareRoute, EcrRepository } from '@emu/control-client';
import { type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import { repositoryType, repositoryUri } from './resources.ts';
import type { EcrState } from './state.ts';

const route: DeclareRoute<ServiceHandle<EcrState>, ControlRoute<EcrState>> = controlRoute;

/** Lists the repositories of every account and region, ordered by name. */
const listRepositories = route('GET /_emulator/ecr/repositories', (_request, service) => {
  const repositories: EcrRepository[] = [...service.states()].flatMap(({ state }) => {
    const place = { accountId: state.accountId, region: state.region };
    return state.list().map(({ name, mutability, createdAt }) => ({
      ...place,
      repositoryName: name,
      repositoryArn: repositoryType.arn({ name }, place),
      repositoryUri: repositoryUri(name, place),
      imageTagMutability: mutability,
      // Images cannot be pushed.
      imageCount: 0,
      createdAt: new Date(createdAt).toISOString(),
    }));
  });
  repositories.sort((a, b) => (a.repositoryName < b.repositoryName ? -1 : 1));
  return { json: { repositories } };
});

/** Control routes of ECR for repositories. Routes for images are missing, because emu stores none. */
export const control: readonly ControlRoute<EcrState>[] = [listRepositories];
