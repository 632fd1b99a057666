import type { EcrImage, EcrPullThroughRule, EcrRepository } from '../routes/ecr.ts';
import { AreaControl } from './area.ts';

/** Control routes of ECR. */
export class EcrControl extends AreaControl {
  /** Repositories with how many images they hold. `GET /_emulator/ecr/repositories` */
  repositories(): Promise<{ repositories: EcrRepository[] }> {
    return this.transport.json('GET /_emulator/ecr/repositories');
  }

  /** Images of all repositories. `GET /_emulator/ecr/images` */
  images(): Promise<{ images: EcrImage[] }> {
    return this.transport.json('GET /_emulator/ecr/images');
  }

  /** Pull-through cache rules. `GET /_emulator/ecr/pull-through-rules` */
  pullThroughRules(): Promise<{ pullThroughRules: EcrPullThroughRule[] }> {
    return this.transport.json('GET /_emulator/ecr/pull-through-rules');
  }
}
