import type { ScalingTickResult, ScheduledScalingTickResult } from '../routes/application-autoscaling.ts';
import { AreaControl } from './area.ts';

/** Control routes of Application Auto Scaling. */
export class ApplicationAutoscalingControl extends AreaControl {
  /** Evaluates scaling policies once. `POST /_emulator/application-autoscaling/tick` */
  tick(): Promise<ScalingTickResult> {
    return this.transport.json('POST /_emulator/application-autoscaling/tick');
  }

  /** Runs the scheduled actions that are due. `POST /_emulator/application-autoscaling/scheduled-tick` */
  scheduledTick(): Promise<ScheduledScalingTickResult> {
    return this.transport.json('POST /_emulator/application-autoscaling/scheduled-tick');
  }
}
