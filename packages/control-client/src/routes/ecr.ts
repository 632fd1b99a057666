import type { EcrImage, EcrPullThroughRule, EcrRepository } from '../records/ecr.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of ECR. */
export const ecr = {
  /** Lists repositories with their number of images. `GET /_emulator/ecr/repositories` */
  repositories: json<{ repositories: EcrRepository[] }>()('GET /_emulator/ecr/repositories'),

  /** Lists the images of all repositories. `GET /_emulator/ecr/images` */
  images: json<{ images: EcrImage[] }>()('GET /_emulator/ecr/images'),

  /** Lists pull-through cache rules. `GET /_emulator/ecr/pull-through-rules` */
  pullThroughRules: json<{ pullThroughRules: EcrPullThroughRule[] }>()('GET /_emulator/ecr/pull-through-rules'),
};

/** Methods for the control routes of ECR. */
export interface EcrControl extends MethodsOf<typeof ecr> {}

/** Control routes of ECR by name. */
export type EcrRoutes = RoutesOf<typeof ecr>;
