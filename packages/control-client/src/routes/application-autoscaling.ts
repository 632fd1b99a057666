import type { ScalingTickResult, ScheduledScalingTickResult } from '../records/application-autoscaling.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Application Auto Scaling. */
export const applicationAutoscaling = {
  /** Evaluates scaling policies once. `POST /_emulator/application-autoscaling/tick` */
  tick: json<ScalingTickResult>()('POST /_emulator/application-autoscaling/tick'),

  /** Runs the scheduled actions that are due. `POST /_emulator/application-autoscaling/scheduled-tick` */
  scheduledTick: json<ScheduledScalingTickResult>()('POST /_emulator/application-autoscaling/scheduled-tick'),
};

/** Methods for the control routes of Application Auto Scaling. */
export interface ApplicationAutoscalingControl extends MethodsOf<typeof applicationAutoscaling> {}

/** Control routes of Application Auto Scaling by name. */
export type ApplicationAutoscalingRoutes = RoutesOf<typeof applicationAutoscaling>;
