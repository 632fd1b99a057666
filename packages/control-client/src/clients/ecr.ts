import type { EcrImage, EcrPullThroughRule, EcrRepository } from '../routes/ecr.ts';
import { AreaControl } from './area.ts';

/** Control routes of ECR. */
export class EcrControl extends AreaControl {
  /** Lists repositories with their number of images. `GET /_emulator/ecr/repositories` */
  repositories(): Promise<{ repositories: EcrRepository[] }> {
    return this.transport.json('GET /_emulator/ecr/repositories');
  }

  /** Lists the images of all repositories. `GET /_emulator/ecr/images` */
  images(): Promise<{ images: EcrImage[] }> {
    return this.transport.json('GET /_emulator/ecr/images');
  }

  /** Lists pull-through cache rules. `GET /_emulator/ecr/pull-through-rules` */
  pullThroughRules(): Promise<{ pullThroughRules: EcrPullThroughRule[] }> {
    return this.transport.json('GET /_emulator/ecr/pull-through-rules');
  }
}
